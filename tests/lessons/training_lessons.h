// Which lessons train, and which save what they train, as their sources say.
#pragma once

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "lessons/material/read/text_data.h"

struct LessonSources {
    std::string number;  // "04"
    bool trains;         // offers --resume: it does not say `.trains = false`
    bool saves;          // calls next_checkpoint(), itself or in a file of the course that it uses
};

// Adds the source and the files of lessons/ that it includes, each header with its .cpp.
inline void add_used_sources(const std::filesystem::path& file,
                             std::set<std::filesystem::path>& all) {
    namespace fs = std::filesystem;
    static const std::regex include("#include \"(lessons/[^\"]+)\\.h\"");
    if (file.filename().stem() == "checkpoints" || !fs::exists(file) || !all.insert(file).second)
        return;
    const std::string text = heed::course::read_file(file.string());
    for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
        for (const char* extension : {".h", ".cpp"})
            add_used_sources(fs::path(HEED_SOURCE_DIR) / ((*match)[1].str() + extension), all);
}

inline std::vector<LessonSources> sources_of_lessons() {
    namespace fs = std::filesystem;
    std::vector<LessonSources> lessons;
    for (const auto& folder : fs::directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        if (!fs::exists(folder.path() / "lesson.cpp")) continue;
        std::set<fs::path> sources;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.is_regular_file()) add_used_sources(entry.path(), sources);
        LessonSources lesson{
            heed::course::LessonNumber::from(folder.path().filename().string()).file(), true,
            false};
        for (const fs::path& file : sources) {
            const std::string text = heed::course::read_file(file.string());
            if (text.find(".trains = false") != std::string::npos) lesson.trains = false;
            if (text.find("next_checkpoint(") != std::string::npos) lesson.saves = true;
        }
        lessons.push_back(lesson);
    }
    std::sort(lessons.begin(), lessons.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return lessons;
}
