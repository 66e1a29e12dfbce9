#include "lessons/course/terminal/command_line.h"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>

#include "lessons/course/terminal/text.h"

namespace heed::course {

std::string command_line_fault(const std::string& said, const std::string& command) {
    static const std::regex extra(
        "The following arguments? (?:was|were) not expected: (?:.* )?(.+)"),
        one_of("(--[a-z-]+): (.*) not in \\{(.*)\\}"),
        range("(--[a-z-]+): Value (.*) not in range (.*) to (.*)"),
        missing("(--[a-z-]+): .* required .*missing"), twice("(--[a-z-]+): At Most 1 required.*"),
        not_read("(--[a-z-]+): (\\S+)");
    std::smatch found;
    if (std::regex_match(said, found, extra)) {
        const std::string word = found[1];  // the first of several: they are named in reverse
        return word.starts_with('-')
                   ? fmt::format("{}: unknown option; {} --help lists all options", word, command)
                   : fmt::format("'{}': expected nothing more; {} --help says what may stand here",
                                 word, command);
    }
    if (std::regex_match(said, found, one_of)) {
        std::string choices = found[3];
        const std::size_t last = choices.rfind(',');
        if (last != std::string::npos) choices.replace(last, 1, " or ");
        for (std::size_t at = 0; (at = choices.find(',', at)) != std::string::npos; at += 2)
            choices.replace(at, 1, ", ");
        return fmt::format("{}: expected {}, found '{}'", found[1].str(), choices, found[2].str());
    }
    if (std::regex_match(said, found, range))
        return fmt::format("{}: expected a number from {} to {}, found '{}'", found[1].str(),
                           number(std::atof(found[3].str().c_str())),
                           number(std::atof(found[4].str().c_str())), found[2].str());
    if (std::regex_match(said, found, missing))
        return fmt::format("{}: expected a value after it", found[1].str());
    if (std::regex_match(said, found, twice))
        return fmt::format("{}: expected only once", found[1].str());
    if (std::regex_match(said, found, not_read))
        return fmt::format("{}: expected a number, found '{}'", found[1].str(), found[2].str());
    return said;
}

std::function<std::string(const std::string&)> number_between(double low, double high) {
    return [low, high](const std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        if (!text.empty() && *end == '\0' && low <= value && value <= high) return "";
        return fmt::format("Value {} not in range {} to {}", text, low, high);
    };
}

}  // namespace heed::course
