// What the programs of `./heed learn N --mine` share: options, milestones, and the main function
// (lessons/course/exercise/own_program.h).
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>

#include "lessons/course/course.h"
#include "lessons/course/exercise/write.h"
#include "lessons/course/report/files.h"

namespace heed::mine {

// The options of such a program, with their defaults: {{"--steps", "200"}}. An option whose default is a number
// takes one. "--my" is the reader's folder, which ./heed gives.
using Options = std::map<std::string, std::string>;
inline Options read_options(int argc, char** argv, Options options) {
    std::string names;
    for (const auto& [name, value] : options)
        if (name != "--my") names += (names.empty() ? "" : ", ") + name;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (!options.contains(option))
            fail("{}: unknown option; with --mine there are {}", option, names);
        check(i + 1 < argc && *argv[i + 1] != '\0', "{}: expected a value after it", option);
        const bool number = !options[option].empty();
        options[option] = argv[i + 1];
        if (!number) continue;
        char* end = nullptr;
        const long long value = std::strtoll(argv[i + 1], &end, 10);
        check(*end == '\0' && value >= 1 && value <= 1'000'000,
              "{} {}: expected a whole number from 1 to 1000000", option, argv[i + 1]);
    }
    return options;
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
        fmt::print("Milestone{}: {}. It counts when all {} parts are yours; {} are.\n",
                   reached ? "" : ", not reached yet", about, all, own);
        return;
    }
    fmt::print("MILESTONE: {}, and all {} parts are yours.\n", about, all);
    const std::string problem = course::append_record(
        "milestones.tsv",
        fmt::format("{}\t{}\t{}\t{}", name, course::timestamp(), course::commit(), measured));
    if (!problem.empty()) fmt::print("{}\n", problem);
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
        fmt::print(stderr, "heed: {}\n", course::words_of(error));
        return 2;
    }
}

}  // namespace heed::mine
