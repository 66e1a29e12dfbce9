#include "lessons/course/book/chapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "lessons/course/contents/woven.h"

namespace heed::course {

namespace fs = std::filesystem;

namespace {

// The files of a folder. The umbrella header, named like the folder, comes first, and the others in
// the order in which it names them; a .cpp follows its header.
Chapter chapter(const fs::path& root, const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(root / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".h" || extension == ".cpp")
            files.push_back(entry.path().filename().string());
    }
    const std::string umbrella = fs::path(folder).filename().string() + ".h";
    const std::string order = contents((root / folder / umbrella).string());
    const auto place = [&](const std::string& name) {
        const std::string header = fs::path(name).stem().string() + ".h";
        const std::size_t named = header == umbrella ? 0 : order.find(header);
        return std::tuple(named, header, name.ends_with(".cpp"));
    };
    std::sort(files.begin(), files.end(),
              [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
    return {folder, files};
}

// A folder, and those in it in the order in which its own header names them.
std::vector<std::string> with_rooms(const std::string& root, const std::string& folder) {
    const std::string own = fs::path(folder).filename().string() + ".h";
    const std::string order = contents((fs::path(root) / folder / own).string());
    std::vector<std::pair<std::size_t, std::string>> rooms;
    for (const auto& entry : fs::directory_iterator(fs::path(root) / folder))
        if (entry.is_directory()) {
            const std::string name = entry.path().filename().string();
            rooms.emplace_back(order.find(name + "/"), folder + "/" + name);
        }
    std::sort(rooms.begin(), rooms.end());
    std::vector<std::string> all{folder};
    for (const auto& [place, room] : rooms) all.push_back(room);
    return all;
}

}  // namespace

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string Chapter::file() const {
    std::string name = folder;
    std::replace(name.begin(), name.end(), '/', '_');
    return "source_" + name + ".html";
}

std::vector<LessonPage> lessons_in(const std::string& root) {
    std::vector<LessonPage> pages;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(root) / "lessons", error)) {
        const std::string folder = entry.path().filename().string();
        const std::string source = contents((entry.path() / "lesson.cpp").string());
        constexpr std::string_view mark = "//! # ";
        if (!folder.starts_with(LessonNumber::from(folder).file() + "_")) continue;
        if (!source.starts_with(mark)) continue;
        pages.push_back(
            {folder, source.substr(mark.size(), source.find('\n') - mark.size()), source});
    }
    std::sort(pages.begin(), pages.end(),
              [](const LessonPage& a, const LessonPage& b) { return a.number() < b.number(); });
    return pages;
}

std::vector<Chapter> chapters_in(const std::string& root) {
    std::vector<Chapter> chapters;
    for (const char* library : {"autograd", "nn", "attention"}) {
        if (!fs::is_directory(fs::path(root) / library)) continue;
        // The library's own header names its folders in reading order.
        const std::string order = contents(fmt::format("{}/{}/{}.h", root, library, library));
        std::vector<std::pair<std::size_t, std::string>> folders;
        for (const auto& entry : fs::directory_iterator(fs::path(root) / library)) {
            if (!entry.is_directory()) continue;
            const std::string name = entry.path().filename().string();
            folders.emplace_back(order.find(name + "/"), std::string(library) + "/" + name);
        }
        std::sort(folders.begin(), folders.end());
        chapters.push_back(chapter(root, library));
        for (const auto& [place, folder] : folders)
            for (const std::string& each : with_rooms(root, folder))
                chapters.push_back(chapter(root, each));
    }
    std::erase_if(chapters, [](const Chapter& chapter) { return chapter.files.empty(); });
    return chapters;
}

std::string first_sentence(const std::string& source) {
    std::istringstream lines(source);
    std::string text;
    for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
        if (line.size() < 4) break;  // an empty line ends the paragraph
        text += (text.empty() ? "" : " ") + line.substr(3);
    }
    for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos; ++at)
        if (std::isupper(static_cast<unsigned char>(text[std::min(at + 2, text.size() - 1)])) &&
            !ends_with_abbreviation(std::string_view(text).substr(0, at + 1)))
            return text.substr(0, at + 1);
    return text;
}

}  // namespace heed::course
