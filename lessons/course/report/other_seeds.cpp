#include "lessons/course/report/other_seeds.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "autograd/base/processors.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using Json = nlohmann::ordered_json;

// The path of the file, whether or not it exists; empty if there is no such lesson.
std::string file_of(LessonNumber lesson) {
    const std::string folder = lesson_folder(lesson);
    if (folder.empty()) return "";
    return fmt::format("{}/lessons/{}/spread.json", std::getenv("HEED_HOME"), folder);
}

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#else
    return "GCC " __VERSION__;
#endif
}

// An empty object if there is no file.
Json read(const std::string& path) {
    std::ifstream file(path);
    if (!file) return Json::object();
    Json json = Json::parse(file, nullptr, false);
    check(json.is_object(), "{}: expected a JSON object", path);
    return json;
}

const char* kind(bool quick) { return quick ? "quick" : "full"; }

// Enough digits for a picture, and files that are easy to compare.
double rounded(double number) {
    if (number == 0 || !std::isfinite(number)) return number;
    const double unit = std::pow(10, std::floor(std::log10(std::abs(number))) - 3);
    return std::strtod(fmt::format("{:.6g}", std::round(number / unit) * unit).c_str(), nullptr);
}

// Whether there is something to show. A small upper bound is the tolerance of an identity, whose
// measurements are rounding errors.
bool is_spread(const Claim& claim) {
    const std::vector<double>& numbers = claim.other_seeds;
    const bool identity = !std::isfinite(claim.expected.low) && claim.expected.high <= 1e-3;
    return !identity && numbers.size() > 1 && numbers.back() > numbers.front();
}

}  // namespace

OtherSeeds other_seeds(LessonNumber lesson, bool quick) {
    OtherSeeds all = kept_seeds(file_of(lesson), quick);
    for (auto& [claim, numbers] : all) {
        std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
        std::sort(numbers.begin(), numbers.end());
    }
    return all;
}

std::string other_seeds_origin(LessonNumber lesson, bool quick) {
    const std::string path = file_of(lesson);
    const Json json = path.empty() ? Json::object() : read(path);
    std::string words;
    if (!json.contains(kind(quick))) return words;
    for (const char* key : {"date", "commit", "processor"}) {
        const std::string value = json[kind(quick)].value(key, "");
        if (value.empty()) continue;
        words += words.empty() ? "" : ", ";
        words += key == std::string("commit") ? "commit " + value : value;
    }
    return words;
}

void keep_other_seeds(LessonNumber lesson, bool quick, std::uint64_t first_seed,
                      const KeptSeeds& measured) {
    const std::string path = file_of(lesson);
    check(!path.empty(), "--keep: lesson {} has no folder to write to; call it by ./heed learn",
          lesson);
    Json numbers = Json::object();
    for (const auto& [claim, of_claim] : measured) {
        numbers[claim] = Json::array();
        for (double number : of_claim)
            numbers[claim].push_back(std::isfinite(number) ? Json(rounded(number)) : Json());
    }
    Json json = read(path);
    const std::size_t seeds = measured.empty() ? 0 : measured.begin()->second.size();
    json[kind(quick)] = {{"first_seed", first_seed},
                         {"seeds", seeds},
                         {"commit", commit()},
                         {"compiler", compiler()},
                         {"processor", processor_name()},
                         {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
                         {"measured", numbers}};

    // One line for how it was measured, and one for each claim.
    std::string text = "{";
    for (const char* name : {"quick", "full"}) {
        if (!json.contains(name)) continue;
        const Json& part = json[name];
        text += fmt::format("{}\n\"{}\": {{", text == "{" ? "" : ",", name);
        for (const auto& [key, value] : part.items())
            if (key != "measured") text += fmt::format("\"{}\": {}, ", key, value.dump());
        text += "\"measured\": {";
        const char* comma = "";
        for (const auto& [claim, of_claim] : part.at("measured").items()) {
            text += fmt::format("{}\n{}: {}", comma, Json(claim).dump(), of_claim.dump());
            comma = ",";
        }
        text += "}}";
    }
    write_file(path, text + "\n}\n");
}

std::string spread_in_words(const Claim& claim) {
    if (!is_spread(claim)) return "";
    const std::vector<double>& x = claim.other_seeds;
    return fmt::format("{}{} seeds: {} to {}, median {}", x.size(), claim.quick ? " quick" : "",
                       number(x.front(), 3), number(x.back(), 3), number(median(x), 3));
}

std::string spread_svg(const Claim& claim) {
    if (!is_spread(claim) || !std::isfinite(claim.measured)) return "";
    const std::vector<double>& x = claim.other_seeds;
    double low = std::min(x.front(), claim.measured), high = std::max(x.back(), claim.measured);
    const double width = high - low;
    // A bar belongs to the picture unless it is far away.
    std::vector<double> bars;
    for (double bar : {claim.expected.low, claim.expected.high})
        if (std::isfinite(bar) && bar > low - 3 * width && bar < high + 3 * width)
            bars.push_back(bar);
    for (double bar : bars) low = std::min(low, bar), high = std::max(high, bar);

    constexpr double length = 180, margin = 6;
    const auto place = [&](double value) {
        return margin + (value - low) / (high - low) * (length - 2 * margin);
    };
    std::string svg = fmt::format(
        "<svg class=\"spread\" viewBox=\"0 0 {0} 22\" width=\"{0}\" height=\"22\" role=\"img\" "
        "aria-label=\"{1}; this run: {2}\"><path d=\"M0 9H{0}\" class=\"line\"/>",
        length, spread_in_words(claim), number(claim.measured));
    for (double value : x)
        svg += fmt::format("<path d=\"M{:.1f} 4v10\" class=\"seed\"/>", place(value));
    for (double bar : bars)
        svg += fmt::format("<path d=\"M{:.1f} 0v18\" class=\"bar\"/>", place(bar));
    svg +=
        fmt::format("<path d=\"M{:.1f} 15l4 7h-8z\" class=\"own\"/></svg>", place(claim.measured));
    return svg;
}

}  // namespace heed::course
