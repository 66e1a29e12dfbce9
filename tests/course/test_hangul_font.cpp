// The font for Hangul in the pages: it holds every syllable of the course, and only pages that need it
// have it.
#include <filesystem>
#include <string>

#include "autograd/base/input_file.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/page.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
namespace fs = std::filesystem;

TEST_CASE("hangul font: it holds every syllable that the course writes", "[lesson]") {
    const std::string syllables = read_file(HEED_SOURCE_DIR "/lessons/course/pages/hangul.txt");
    int found = 0;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / "lessons")) {
        const std::string file = entry.path().string();
        if (!file.ends_with(".h") && !file.ends_with(".cpp")) continue;
        const std::string text = read_file(file);
        for (std::size_t i = 0; i + 2 < text.size(); ++i) {
            const std::string syllable = text.substr(i, 3);
            if (syllable < "가" || syllable > "힣") continue;
            INFO(file << ": " << syllable);
            CHECK(syllables.find(syllable) != std::string::npos);
            ++found;
        }
    }
    CHECK(found > 200);
}

TEST_CASE("hangul font: a page has it if it has Hangul, and every style names it", "[lesson]") {
    CHECK(hangul_font_style("I am a student \u2014 x\u00b2") == "");
    const std::string style = hangul_font_style("I am a 학생");
    CHECK(style.starts_with("@font-face { font-family: \"Heed Hangul\""));
    CHECK(style.find("unicode-range: U+AC00-D7A3") != std::string::npos);
    // A machine's own Korean font comes first.
    for (const std::string_view names : {page_file("page.css"), page_file("svg.css")}) {
        const std::size_t own = names.find(" KR\""), ours = names.find("\"Heed Hangul\"");
        CHECK(ours != std::string_view::npos);
        CHECK(own < ours);
    }
}
