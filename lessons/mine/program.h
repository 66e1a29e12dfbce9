// What the programs of `./heed learn N --mine` share: options, milestones, and the main function
// (lessons/course/exercise/own_program.h).
#pragma once

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

#include "lessons/course/course.h"
#include "lessons/course/exercise/own_options.h"
#include "lessons/course/exercise/write.h"
#include "lessons/course/report/files.h"

namespace heed::mine {

// Prints lines that fit the window.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
    const std::string lines = fmt::format(format, std::forward<Args>(args)...);
    fmt::print("{}", course::fitted(lines, course::screen_of_stdout().limit()));
}

// The options of this program. "--my" is the reader's folder, which ./heed gives.
using Options = course::OwnOptions;
inline Options read_options(const std::string& program, int argc, char** argv) {
    Options usual = course::usual_options(program);
    usual["--my"] = "";
    return course::with_values(usual, {argv + 1, argv + argc});
}
inline int whole(const Options& options, const std::string& name) {
    return std::stoi(options.at(name));
}

// A number in what was kept in a file.
inline int number_in(const Options& about, const std::string& name, const std::string& path) {
    const auto found = about.find(name);
    const bool there = found != about.end() && !found->second.empty() && found->second.size() < 8 &&
                       found->second.find_first_not_of("0123456789") == std::string::npos;
    check(there, "{}: expected the number '{}' in it; remove the file to begin anew", path, name);
    return std::stoi(found->second);
}

// Says whether a milestone is reached. It counts when all parts are the reader's own. Then it is recorded in
// .heed/milestones.tsv, a line with name, date, commit and what was measured (./heed progress).
inline void milestone(const std::string& name, const std::string& sentence, bool reached,
                      const std::string& measured) {
    const auto own = std::count_if(std::begin(parts), std::end(parts),
                                   [](const Part& part) { return part.reader; });
    const auto all = static_cast<long>(std::size(parts));
    const std::string about = fmt::format("{} ({})", sentence, measured);
    if (!reached || own < all) {
        say("Milestone{}: {}. It counts when all {} parts are yours; {} are.\n",
            reached ? "" : ", not reached yet", about, all, own);
        return;
    }
    say("MILESTONE: {}, and all {} parts are yours.\n", about, all);
    const std::string problem = course::append_record(
        "milestones.tsv",
        fmt::format("{}\t{}\t{}\t{}", name, course::timestamp(), course::commit(), measured));
    if (!problem.empty()) say("{}\n", problem);
}

// The main function of such a program.
template <class Train>
int run_own_program(const Train& train) {
    try {
        return train();
    } catch (const course::NotWritten&) {
        fmt::print("A part is not written yet.\nNEXT  ./heed exercise\n");
        return 1;
    } catch (const std::exception& error) {
        course::complain("heed: " + course::words_of(error) + "\n");
        return 2;
    }
}

}  // namespace heed::mine
