// All that the course says, on screens of several widths, in colour: the text of the lessons with its tables
// and formulas, the tasks and hints of the exercises, their questions. Figures and results are held by the
// runs of tests/lessons/test_lessons.cpp, which go through a pseudo-terminal.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "lessons/course/exercise/exercise.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/story/telling.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "tests/catch.h"
#include "tests/course/on_screen.h"

using namespace heed::course;
namespace fs = std::filesystem;

namespace {

Screen screen_of(int width) {
    Screen screen;
    screen.width = width;
    screen.window = screen.live = screen.asks = screen.colour = true;
    return screen;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(without_colours(text));
    for (std::string word; in >> word;)
        if (word != "↩") words.push_back(word);  // the mark of a line that goes on
    return words;
}

// The same words on a narrow screen as on a wide one, in the same order: none is cut. A word that is wider
// than the screen by itself may be.
std::string first_cut(const std::string& wide, const std::string& narrow, int width) {
    const std::vector<std::string> whole = words_of(wide), parts = words_of(narrow);
    std::size_t at = 0;
    for (const std::string& word : whole) {
        std::string joined;
        int count = 0;
        while (at < parts.size() && joined.size() < word.size()) joined += parts[at++], ++count;
        if (joined != word) return word + " became " + joined;
        if (count > 1 && display_width(word) <= width - 12) return word + " was cut";
    }
    return "";
}

void check_prose(const std::string& markdown) {
    std::string wide;
    for (const std::string& block : prose_blocks(markdown, screen_of(100))) wide += block;
    for (const int width : {100, 80, 60, 40}) {
        for (const std::string& block : prose_blocks(markdown, screen_of(width)))
            CHECK(on_screen::fault(block, width) == "");
    }
    // Tables become lists on a narrow screen, where the names of their columns are repeated, and matrices that
    // are too wide go into the line.
    if (markdown.find("\n|") != std::string::npos || markdown.find("- ") != std::string::npos ||
        markdown.find("pmatrix") != std::string::npos)
        return;
    for (const int width : {60, 40}) {
        std::string narrow;
        for (const std::string& block : prose_blocks(markdown, screen_of(width))) narrow += block;
        CHECK(first_cut(wide, narrow, width) == "");
    }
}

std::vector<fs::path> files_called(const std::string& name) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/lessons"))
        if (entry.path().filename() == name) files.push_back(entry.path());
    return files;
}

// lessons/10_scores: scores.
std::string name_of_folder(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name.substr(name.find('_') + 1);
}

}  // namespace

TEST_CASE("screens: the text and the code of every lesson", "[lesson]") {
    int passages = 0;
    for (const fs::path& file : files_called("lesson.cpp")) {
        INFO(file.string());
        for (const Passage& passage :
             passages_of(read_file(file.string()), name_of_folder(file.parent_path()))) {
            INFO(passage.section << ", line " << passage.code_line);
            check_prose(passage.text);
            for (const int width : {100, 80, 60, 40})
                CHECK(on_screen::fault(code_lines(passage.code, screen_of(width)), width) == "");
            ++passages;
        }
    }
    CHECK(passages > 300);
}

TEST_CASE("screens: the tasks and the hints of every exercise", "[lesson]") {
    int texts = 0;
    for (const Exercise& exercise : exercises(HEED_SOURCE_DIR)) {
        INFO(exercise.id());
        check_prose(task_text(exercise));
        for (const std::string& hint : hints(exercise)) check_prose(hint), ++texts;
    }
    CHECK(texts > 200);
}

TEST_CASE("screens: a fault is found", "[lesson]") {
    CHECK(on_screen::fault("\x1b[3mw x\x1b[0m\n", 40) == "");
    CHECK(on_screen::fault("\xEF\xBF\xBD[3mw x\xEF\xBF\xBD[0m\n", 40) !=
          "");  // finding of a reader
    CHECK(on_screen::fault("\x1b[3Aup\n", 40) != "");
    CHECK(on_screen::fault("a\x07\n", 40) != "");
    CHECK(on_screen::fault("12345\n123456\n", 5) != "");
    CHECK(on_screen::fault("\x1b[3mopen\n\x1b[0m", 40) != "");
    CHECK(first_cut("one two", "one\ntwo", 40) == "");
    CHECK(first_cut("one two", "one\nt\nwo", 40) != "");
    CHECK(first_cut("one two", "one", 40) != "");
}

TEST_CASE("screens: cells are cleaned before they are coloured", "[lesson]") {
    Table table({"a `b`", "c"});
    table.row("*x* \x1b[2J", 1);
    const std::string text = table.to_text(screen_of(60));
    CHECK(on_screen::fault(text, 60) != "");  // the sign in place of a control character
    CHECK(text.find("\x1b[3mx\x1b[0m \xEF\xBF\xBD[2J") != std::string::npos);
    CHECK(text.find("`") == std::string::npos);
    const std::string prose =
        prose_blocks("| a | b |\n|---|---|\n| $w x$ | 2 |\n", screen_of(60))[0];
    CHECK(on_screen::fault(prose, 60) == "");
    CHECK(prose.find("\x1b[3mw x\x1b[0m") != std::string::npos);
}
