#include "lessons/course/contents/kept_seeds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "autograd/base/error.h"
#include "lessons/course/contents/course_list.h"

namespace heed::course {
namespace {

// "0.95,null,1" as numbers; false if it is something else.
bool read_numbers(std::string_view text, std::vector<double>& numbers) {
    while (!text.empty()) {
        const std::string one(text.substr(0, text.find(',')));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        char* end = nullptr;
        numbers.push_back(one == "null" ? NAN : std::strtod(one.c_str(), &end));
        if (one.empty() || (end && *end)) return false;
    }
    return true;
}

}  // namespace

KeptSeeds kept_seeds(const std::string& path, bool quick) {
    KeptSeeds all;
    std::ifstream file(path);
    if (!file) return all;
    enum { start, outside, in_claims, end } state = start;
    bool wanted = false;  // the claims are those of such runs
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const auto expect = [&](bool is_so, const char* what) {
            check(is_so, "{}: line {}: expected {}", path, number, what);
        };
        if (state == start) {
            expect(line == "{", "{");
            state = outside;
        } else if (state == outside && line == "}") {
            state = end;
        } else if (state == outside) {
            wanted = line.starts_with(quick ? "\"quick\": {" : "\"full\": {");
            expect(wanted || line.starts_with("\"quick\": {") || line.starts_with("\"full\": {"),
                   "\"quick\", \"full\" or }");
            const bool empty =
                line.ends_with("\"measured\": {}}") || line.ends_with("\"measured\": {}},");
            expect(empty || line.ends_with("\"measured\": {"), "\"measured\": { at its end");
            if (!empty) state = in_claims;
        } else {
            expect(state == in_claims, "nothing after }");
            const std::size_t name_ends = line.find("\": ["), list = name_ends + 4,
                              list_ends = line.find(']');
            expect(line.starts_with('"') && name_ends != std::string::npos &&
                       list_ends != std::string::npos && list_ends >= list,
                   "\"name-of-a-claim\": [numbers]");
            std::vector<double> numbers;
            expect(read_numbers(std::string_view(line).substr(list, list_ends - list), numbers),
                   "numbers or null between [ and ]");
            if (wanted) all[line.substr(1, name_ends - 1)] = numbers;
            const std::string rest = line.substr(list_ends + 1);
            expect(rest == "," || rest == "}}" || rest == "}},", "a comma or }} after ]");
            if (rest != ",") state = outside;
        }
    }
    check(state == end, "{}: line {}: expected }} at the end of the file", path, number);
    return all;
}

std::string kept_seeds_path(const std::string& lesson_name) {
    namespace fs = std::filesystem;
    for (const std::string& root : {home_folder(), std::string(HEED_ROOT)}) {
        std::error_code error;
        if (root.empty()) continue;
        for (const auto& entry : fs::directory_iterator(fs::path(root) / "lessons", error)) {
            const std::string folder = entry.path().filename().string();
            if (folder.size() > 3 && folder.substr(folder.find('_') + 1) == lesson_name)
                return (entry.path() / "spread.json").string();
        }
    }
    return "";
}

double median(std::vector<double> numbers) {
    std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
    if (numbers.empty()) return NAN;
    std::sort(numbers.begin(), numbers.end());
    return (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
}

}  // namespace heed::course
