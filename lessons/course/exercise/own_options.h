// The options of the reader's own programs (own_program.h), and what is known to be wrong with them before
// anything is compiled.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "autograd/base/error.h"

namespace heed::course {

// The name of an option and its value: {{"--steps", "200"}}.
using OwnOptions = std::map<std::string, std::string>;

// The options of lessons/mine/NAME.cpp with their defaults. An option whose default is a number takes a number;
// one whose default is "no" takes nothing and becomes "yes".
inline OwnOptions usual_options(const std::string& program) {
    static const std::map<std::string, OwnOptions> all{
        {"tape", {{"--seed", "1"}, {"--expressions", "1000"}}},
        {"translator", {{"--seed", "1"}, {"--steps", "3000"}, {"--say", ""}}},
        {"eyes", {{"--seed", "1"}, {"--steps", "6000"}}},
        {"gpt", {{"--seed", "1"}, {"--steps", "400"}}},
        {"chat",
         {{"--model", ""}, {"--question", ""}, {"--length", "48"}, {"--what-breaks", "no"}}},
    };
    const auto found = all.find(program);
    check(found != all.end(), "there is no program {} of the reader's own", program);
    return found->second;
}

// The options with the values that these words give them. Throws heed::Error at a word that is wrong.
inline OwnOptions with_values(OwnOptions options, const std::vector<std::string>& words) {
    std::string names;
    for (const auto& [name, value] : options)
        if (name != "--my") names += (names.empty() ? "" : ", ") + name;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::string& option = words[i];
        if (!options.contains(option))
            fail("{}: unknown option; with --mine there are {}", option, names);
        if (options[option] == "no" || options[option] == "yes") {
            options[option] = "yes";
            --i;
            continue;
        }
        check(i + 1 < words.size() && !words[i + 1].empty(), "{}: expected a value after it",
              option);
        const std::string& word = words[i + 1];
        const bool number = !options[option].empty();
        options[option] = word;
        if (!number) continue;
        char* end = nullptr;
        const long long value = std::strtoll(word.c_str(), &end, 10);
        check(*end == '\0' && value >= 1 && value <= 1'000'000,
              "{} {}: expected a whole number from 1 to 1000000", option, word);
    }
    return options;
}

}  // namespace heed::course
