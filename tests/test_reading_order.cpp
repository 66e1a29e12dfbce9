// The header of a library, or of a folder with a header of its own, lists its files in reading order.
// Beside each file stands the first sentence of its comment, so the list cannot say something else than
// the file, and no file is missing. This test makes the lists anew and compares. To write them:
// HEED_UPDATE=1 ./heed test '[reading-order]'. Where a file stands, and what is said about a folder, is
// kept; a file that is not in the list comes to the end of its folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path root = HEED_SOURCE_DIR;

// The headers with a list. What has a list of its own is not listed again above it.
const std::vector<std::string> lists{
    "autograd/autograd.h",   "autograd/ops/ops.h",    "nn/nn.h",
    "attention/attention.h", "attention/hard/hard.h", "attention/efficient/efficient.h"};

Lines lines_of(const fs::path& path) {
    Lines lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// The first sentence of the comment that a file begins with: to the first full stop or question mark
// behind which there is a space, or to the end of the paragraph. Without the papers, (Xu et al. 2015).
std::string first_sentence(const Lines& lines) {
    std::string paragraph;
    for (const std::string& line : lines) {
        if (line.rfind("// ", 0) != 0) break;
        paragraph += (paragraph.empty() ? "" : " ") + line.substr(3);
    }
    static const std::regex papers(R"( \([^()]*\b[12]\d{3}\b[^()]*\))"), end("[^.][.?](?= )");
    paragraph = std::regex_replace(paragraph, papers, "");
    if (std::smatch match; std::regex_search(paragraph, match, end))
        paragraph.resize(static_cast<std::size_t>(match.position()) + 2);
    if (!paragraph.empty() && (paragraph.back() == '.' || paragraph.back() == ':'))
        paragraph.pop_back();
    return paragraph;
}

// How many columns a text takes: the code points of UTF-8.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

// "//   name   text", broken before column 100; further lines begin below the text.
void put_entry(Lines& to, const std::string& indent, const std::string& name, std::size_t column,
               const std::string& text) {
    std::string line = "//" + indent + name;
    if (!text.empty()) line += std::string(std::max(column, line.size() + 2) - line.size(), ' ');
    const std::string hanging = "//" + std::string(column - 2, ' ');
    std::istringstream words(text);
    bool first = true;
    for (std::string word; words >> word; first = false) {
        if (!first && width(line) + 1 + width(word) > 100) {
            to.push_back(line);
            line = hanging + word;
        } else {
            line += (first ? "" : " ") + word;
        }
    }
    to.push_back(line);
}

// One folder of a list: what is said about it, and its files in reading order.
struct Folder {
    std::string name, text;  // "tensor/"; empty for the files of the header's own folder
    Lines files;
};

// The lines of the list in a header: the last paragraph of the comment that begins with a file or folder.
struct Range {
    std::size_t begin = 0, end = 0;
};
Range list_in(const Lines& lines) {
    static const std::regex entry(R"(^//   [\w/]+(\.h|/)( .*)?$)");
    Range found;
    for (std::size_t i = 1; i < lines.size() && lines[i].rfind("//", 0) == 0; ++i) {
        if (lines[i - 1] != "//" || !std::regex_match(lines[i], entry)) continue;
        found.begin = found.end = i;
        while (lines[found.end].rfind("//   ", 0) == 0) ++found.end;
    }
    return found;
}

std::vector<Folder> parse(const Lines& lines, Range range) {
    static const std::regex folder(R"(^//   (\w+/)(?: +(.*))?$)"),
        file(R"(^// (?:  |    )(\w+\.h)( .*)?$)");
    std::vector<Folder> rooms;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        std::smatch match;
        if (std::regex_match(lines[i], match, folder)) {
            rooms.push_back({match[1], match[2], {}});
        } else if (std::regex_match(lines[i], match, file)) {
            if (rooms.empty()) rooms.push_back({});
            rooms.back().files.push_back(match[1]);
        } else if (!rooms.empty() && rooms.back().files.empty()) {  // the text goes on
            const std::size_t word = lines[i].find_first_not_of("/ ");
            rooms.back().text += " " + lines[i].substr(word);
        }
    }
    return rooms;
}

// Adds what is there and not in the list, and removes what is not there.
void complete(std::vector<Folder>& rooms, const fs::path& header) {
    const fs::path own = header.parent_path();
    std::map<std::string, std::set<std::string>> there;
    for (const auto& entry : fs::recursive_directory_iterator(root / own)) {
        const fs::path path = fs::relative(entry.path(), root);
        if (path.extension() != ".h" || path == header) continue;
        const bool listed_below =
            std::any_of(lists.begin(), lists.end(), [&](const fs::path& list) {
                return list != header && list.parent_path() == path.parent_path();
            });
        const std::string folder = fs::relative(path.parent_path(), own).generic_string();
        const std::string top = folder.substr(0, folder.find('/'));
        if (listed_below || (own / top != path.parent_path() && folder != "."))
            there[top + "/"];  // the folder alone
        else
            there[folder == "." ? "" : folder + "/"].insert(path.filename().string());
    }
    for (const auto& [name, files] : there) {
        auto folder = std::find_if(rooms.begin(), rooms.end(),
                                   [&, n = name](const Folder& f) { return f.name == n; });
        if (folder == rooms.end()) folder = rooms.insert(rooms.end(), {name, "", {}});
        Lines& listed = folder->files;
        listed.erase(
            std::remove_if(listed.begin(), listed.end(),
                           [&, all = files](const std::string& f) { return !all.count(f); }),
            listed.end());
        for (const std::string& file : files)
            if (std::find(listed.begin(), listed.end(), file) == listed.end())
                listed.push_back(file);
    }
    rooms.erase(std::remove_if(rooms.begin(), rooms.end(),
                               [&](const Folder& f) { return !there.count(f.name); }),
                rooms.end());
}

Lines make_list(const std::vector<Folder>& rooms, const fs::path& own) {
    Lines list;
    std::size_t longest_folder = 0;
    for (const Folder& folder : rooms)
        longest_folder = std::max(longest_folder, folder.name.size());
    for (const Folder& folder : rooms) {
        const std::string indent = folder.name.empty() ? "   " : "     ";
        if (!folder.name.empty())
            put_entry(list, "   ", folder.name, 5 + longest_folder + 2, folder.text);
        std::size_t longest = 0;
        for (const std::string& file : folder.files) longest = std::max(longest, file.size());
        for (const std::string& file : folder.files)
            put_entry(list, indent, file, 2 + indent.size() + longest + 2,
                      first_sentence(lines_of(root / own / folder.name / file)));
    }
    return list;
}

TEST_CASE("the header of a library or chapter lists each file with its first sentence",
          "[house][reading-order]") {
    for (const std::string& header : lists) {
        Lines lines = lines_of(root / header);
        const Range range = list_in(lines);
        INFO(header << ": HEED_UPDATE=1 ./heed test '[reading-order]' writes its list anew");
        REQUIRE(range.end > range.begin);
        std::vector<Folder> rooms = parse(lines, range);
        complete(rooms, header);
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(range.begin);
        const auto end = lines.begin() + static_cast<std::ptrdiff_t>(range.end);
        const Lines kept(begin, end), made = make_list(rooms, fs::path(header).parent_path());
        if (std::getenv("HEED_UPDATE") && kept != made) {
            lines.insert(lines.erase(begin, end), made.begin(), made.end());
            std::ofstream file(root / header);
            for (const std::string& line : lines) file << line << '\n';
        }
        CHECK(made == kept);
        for (const Folder& folder : rooms) {
            INFO(folder.name);
            CHECK((folder.name.empty() || !folder.text.empty()));  // say what is in the folder
        }
    }
}

TEST_CASE("what a list of files is made of", "[house][reading-order]") {
    CHECK(first_sentence({"// One number. Two", "// more."}) == "One number");
    CHECK(first_sentence({"// By nn/nn.h, of 1.5", "// numbers.", "//", "// More."}) ==
          "By nn/nn.h, of 1.5 numbers");
    CHECK(first_sentence({"// Is it right? It is."}) == "Is it right?");
    CHECK(first_sentence({"// All of a .. z. More."}) == "All of a .. z");
    CHECK(first_sentence({"// Attention (Xu et al. 2015, section 4) is old. Yes."}) ==
          "Attention is old");
    CHECK(first_sentence({"// As here:", "//", "//     code();"}) == "As here");
    const Lines header{"// A library. In order:",
                       "//",
                       "//   one/   the first",
                       "//          of all",
                       "//     a.h   old words",
                       "//   two/",
                       "//",
                       "// More.",
                       "#pragma once"};
    const Range range = list_in(header);
    CHECK((range.begin == 2 && range.end == 6));
    const std::vector<Folder> rooms = parse(header, range);
    REQUIRE(rooms.size() == 2);
    CHECK(rooms[0].text == "the first of all");
    CHECK(rooms[0].files == Lines{"a.h"});
    Lines list;
    put_entry(list, "   ", "a.h", 10, std::string(60, 'x') + " " + std::string(60, 'y'));
    CHECK(list == Lines{"//   a.h  " + std::string(60, 'x'),
                        "//" + std::string(8, ' ') + std::string(60, 'y')});
}

}  // namespace
