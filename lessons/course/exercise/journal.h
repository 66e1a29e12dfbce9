// What a judge finds, on its way from the program that judges to the one that has started it. It goes through a
// file of its own and not through the exit status: the reader's code runs in that program too, where it may
// print, close the standard output, crash, or end the program with exit(0). Only a journal that says itself
// that the judge came to its end is a verdict.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// In the program that judges.
namespace journal {

// Opens the file. From now on a crash leaves the signal and the calls that led to it there. An empty path: the
// journal is not kept.
void open(const std::string& path);

void check_begins(std::string_view what);
void ends(std::string_view verdict, std::string_view text);

}  // namespace journal

// In the program that has started it.
struct Journal {
    std::vector<std::string> checks{};  // in the order in which they began
    std::string verdict{};              // empty if the judge did not come to its end
    std::string text{};                 // what the judge says
    std::vector<std::string> calls{};   // addresses in the program, the innermost first
};
Journal read_journal(const std::string& path);

// The lines of `file` in which the calls are, the innermost first; 0 for calls elsewhere. Empty if it cannot be
// found out: addr2line of binutils knows it.
std::vector<int> lines_of_calls(const Journal& journal, const std::string& program,
                                const std::string& file);

}  // namespace heed::course
