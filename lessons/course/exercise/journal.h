// What a judge finds, on its way from the program that judges to the one that has started it. It goes through a
// file of its own and not through the exit status: the reader's code runs in that program too, where it may
// print, close the standard output, crash, or end the program with exit(0). Only a journal that says itself
// that the judge came to its end is a verdict.
//
// The reader's code may also write into every file that is open. So each line of the journal begins with a word,
// which is another one for each run. The program that judges reads it from its standard input, and closes this
// input before it calls the reader's functions. Lines without the word are ignored. This protects from accidents
// and curiosity. It does not protect from code that calls the functions below, searches the memory of the program for
// the word, or reads it before main() begins. It need not: the solution is one option away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// A run that takes longer than this is stopped.
inline constexpr unsigned time_limit = 10;  // seconds

// In the program that judges.
namespace journal {

// Reads the word and opens the file. From now on a crash, and the end of the time, leave there the calls that led to
// the place where the program was.
void open(const std::string& path);

void check_begins(std::string_view what);
void ends(std::string_view verdict, std::string_view text);

}  // namespace journal

// In the program that has started it: a new word, for the standard input of the other one.
std::string new_word();

// A check that has begun.
struct Check {
    std::string what{};
    double at = 0;  // seconds after the journal was opened
};
struct Journal {
    std::vector<Check> checks{};       // in the order in which they began
    std::string verdict{};             // empty if the judge did not come to its end
    std::string text{};                // what the judge says
    std::vector<std::string> calls{};  // addresses in the program, the innermost first
};
Journal read_journal(const std::string& path, const std::string& word);

// The lines of `file` in which the calls are, the innermost first; 0 for calls elsewhere. Empty if it cannot be
// found out: addr2line of binutils knows it.
std::vector<int> lines_of_calls(const Journal& journal, const std::string& program,
                                const std::string& file);

}  // namespace heed::course
