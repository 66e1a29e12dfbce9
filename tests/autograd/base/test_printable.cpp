// Names from anybody's file in messages: what reaches a terminal is visible and short.
#include <string>

#include "autograd/autograd.h"
#include "tests/catch.h"

using namespace heed;

TEST_CASE("control characters, direction marks and invalid bytes are escaped", "[errors]") {
    CHECK(escaped("plain, 학생, é, 🙂") == "plain, 학생, é, 🙂");
    CHECK(escaped("a\x1B[2Jb\a") == "a\\x1B[2Jb\\x07");
    CHECK(escaped("\x7F"
                  "ab") ==
          "\\x7F"
          "ab");  // also where plain text begins or goes on
    CHECK(escaped("a\x7F"
                  "b") ==
          "a\\x7F"
          "b");
    CHECK(escaped("a\nb\tc\rd") == "a\\nb\\tc\\rd");
    CHECK(escaped("a\nb", true) == "a\nb");
    CHECK(escaped("report\u202Egpj.exe") == "report\\u202Egpj.exe");
    CHECK(escaped("\u061C\u200E\u2066\uFEFF\u2028\u0085") ==
          "\\u061C\\u200E\\u2066\\uFEFF\\u2028\\u0085");
    CHECK(escaped("\U000E0041") == "\\U000E0041");
    CHECK(escaped("\xFF\xC3(\xED\xA0\x80") == "\\xFF\\xC3(\\xED\\xA0\\x80");
    CHECK(escaped(std::string_view("\0", 1)) == "\\x00");
    CHECK(escaped("\u200D") == "\u200D");  // joins the parts of a character, as in 👩‍🔬
}

TEST_CASE("long text is cut in the middle, between characters", "[errors]") {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "가";
    const std::string shown = escaped("start" + text + "end");
    CHECK(shown.size() < 21'000);
    CHECK(shown.starts_with("start가"));
    CHECK(shown.ends_with("가end"));
    CHECK(shown.find(" bytes left out) ... ") != shown.npos);
    CHECK(shown.find("\\x") == shown.npos);
    CHECK(excerpt(text).size() <= 63);
    CHECK(excerpt(text).ends_with("가..."));
}

TEST_CASE("every error is escaped, however it is made", "[errors]") {
    const std::string evil = "\x1B]0;title\a\u202E";
    const std::string visible = "\\x1B]0;title\\x07\\u202E";
    CHECK_THROWS_WITH(fail("name '{}'", evil), "name '" + visible + "'");
    CHECK_THROWS_WITH(check(false, "name '{}'", evil), "name '" + visible + "'");
    CHECK_THROWS_WITH(throw Error(evil), visible);
    CHECK_THROWS_WITH(fail("two\nlines"), "two\nlines");
    CHECK(std::string(Error(std::string(80'000'000, '[')).what()).size() < 21'000);
}
