// The prose of a lesson: Markdown with formulas for the terminal and for pages, and C++ in colours.
#include <sstream>
#include <string>
#include <vector>

#include "lessons/course/story/highlight.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;

namespace {

Screen screen(int width) {
    Screen screen;
    screen.width = width;
    return screen;
}

}  // namespace

TEST_CASE("prose: as HTML", "[lesson]") {
    CHECK(prose_html("One *two* **three** `a<b`.\n") ==
          "<p>One <em>two</em> <strong>three</strong> <code>a&lt;b</code>.</p>\n");
    CHECK(prose_html("A width of $D$ & more.") ==
          "<p>A width of <math><mrow><mi>D</mi></mrow></math> &amp; more.</p>\n");
    CHECK(prose_html("So\n\n$$ x $$\n").find("<span class=\"display\"><span class=\"part\">") !=
          std::string::npos);
    CHECK(prose_html("1. a\n2. b\n") == "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n");
    const std::string table = prose_html("| a | $b_j$ |\n| --- | --- |\n| 1 | 2 |\n");
    CHECK(table.find("<th>a</th>") != std::string::npos);
    CHECK(table.find("<td>2</td>") != std::string::npos);
    CHECK(well_formed::fault(table).empty());
    // Nothing of a lesson is taken for HTML.
    CHECK(prose_html("x <b>y</b>") == "<p>x &lt;b&gt;y&lt;/b&gt;</p>\n");
}

TEST_CASE("prose: a line does not part a formula from its punctuation", "[lesson]") {
    const std::string x = "<math><mrow><mi>x</mi></mrow></math>";
    CHECK(prose_html("Let ($x$), $x$-th, $x$s and $x$ be.") ==
          "<p>Let <span class=\"tied\">(" + x + "),</span> <span class=\"tied\">" + x +
              "-th</span>, <span class=\"tied\">" + x + "s</span> and " + x + " be.</p>\n");
    CHECK(prose_html("$x$-dimensional").find(x + "-</span>dimensional") != std::string::npos);
    // Of a long formula only the last piece.
    const std::string chain = prose_html("So ($a = 1111111111 = 2222222222 = 3333333333$).");
    CHECK(chain.find("<p>So <span class=\"tied\">(<math>") == 0);
    CHECK(
        chain.find(
            "<wbr/><span class=\"tied\"><math><mrow><mn>3333333333</mn></mrow></math>).</span>") !=
        std::string::npos);
    CHECK(well_formed::fault(chain) == "");
}

TEST_CASE("prose: curly quotes in HTML, but not in code", "[lesson]") {
    CHECK(prose_html("Say \"old\", \"*old*\" and (\"old\"): it's the others' 'own'.") ==
          "<p>Say “old”, “<em>old</em>” and (“old”): it’s the others’ ‘own’.</p>\n");
    CHECK(
        prose_html("A \"`x`\" and `\"x\"`\nor\n\"$x$\".\n")
            .find(
                "<p>A “<code>x</code>” and <code>&quot;x&quot;</code>\nor\n<span class=\"tied\">“<math>") ==
        0);
    CHECK(prose_html("| \"a\" |\n| --- |\n| \"b\" |\n").find("<td>“b”</td>") != std::string::npos);
    CHECK(prose_html("```cpp\n\"x\"\n```\n").find("&quot;x&quot;") != std::string::npos);
    CHECK(markup_to_html("the word \"old\" in `\"x\"`") ==
          "the word “old” in <code>&quot;x&quot;</code>");
}

TEST_CASE("prose: on the terminal", "[lesson]") {
    const std::string text =
        "A paragraph with `code`, *emphasis* and $q \\cdot k$, which is longer than one line of a "
        "narrow window.\n\n$$ a = b \\qquad c = d $$\n\n1. First.\n2. Second item, which is so "
        "long "
        "that it goes on in another line.\n\n| a | b |\n| - | - |\n| x | y |\n\n```\nraw  "
        "lines\n```\n";
    const std::vector<std::string> blocks = prose_blocks(text, screen(40));
    REQUIRE(blocks.size() == 6);
    CHECK(blocks[0] ==
          "A paragraph with code, emphasis and\nq·k, which is longer than one line of\na narrow "
          "window.\n");
    CHECK(blocks[1] == "    a = b    c = d\n");
    CHECK(blocks[2] == "1. First.\n");
    CHECK(blocks[3] == "2. Second item, which is so long that\n   it goes on in another line.\n");
    CHECK(blocks[4].find("x") != std::string::npos);
    CHECK(blocks[5] == "    raw  lines\n");

    // A formula in the middle of a paragraph has lines of its own; a wide one is broken at its gaps.
    CHECK(prose_blocks("So $$ x $$ follows.", screen(40))[0] == "So\n\n    x\n\nfollows.\n");
    CHECK(prose_blocks("$$ aaaa = bbbb \\qquad cccc = dddd \\qquad eeee = ffff $$",
                       screen(30))[0] == "    aaaa = bbbb\n    cccc = dddd\n    eeee = ffff\n");
    // A short formula is not broken at its spaces.
    CHECK(prose_blocks("12345678901234567890 $a + b$", screen(27))[0] ==
          "12345678901234567890\na + b\n");
    // Nor is a number parted from its %.
    CHECK(prose_blocks("1234567890123456789012 41 %", screen(27))[0] ==
          "1234567890123456789012\n41 %\n");
    for (int width : {20, 33, 60, 200})
        for (const std::string& block : prose_blocks(text, screen(width)))
            for (std::size_t at = 0; at < block.size(); at = block.find('\n', at) + 1)
                CHECK(display_width(block.substr(at, block.find('\n', at) - at)) <= width);
}

TEST_CASE("prose: formulas and words", "[lesson]") {
    const std::string text = "Two words, $x_1$ and $$ y $$ and `code_x`; don't $z$.";
    CHECK(formulas_in(text) == std::vector<std::string>{"x_1", " y ", "z"});
    CHECK(words_in(text) == 5);
    CHECK(error_of([] { prose_html("A $\\foo$."); }) ==
          "formula '\\foo': the command \\foo is not known");
}

TEST_CASE("prose: code in a narrow window goes on further to the right", "[lesson]") {
    CHECK(code_lines("int x;\n    call(first_argument, second_argument);\n", screen(32)) ==
          "int x;\n    call(first_argument,  ↩\n      second_argument);\n");
    // Every blank of a string is kept, and a deep indentation does not leave a column of words.
    const std::string deep = "                              say(\"one  two  three  four\");";
    const std::string folded = code_lines(deep + "\n", screen(40));
    std::string joined;
    std::istringstream lines(folded);
    for (std::string line; std::getline(lines, line);) {
        CHECK(display_width(line) < 40);
        const std::size_t end =
            line.ends_with(" ↩") ? line.size() - std::string(" ↩").size() : line.size();
        const std::size_t begin = line.find_first_not_of(' ');
        CHECK(begin <= 15);
        joined += line.substr(begin, end - begin);
    }
    CHECK(joined == "say(\"one  two  three  four\");");
}

TEST_CASE("highlight: C++ in colours, with every character kept", "[lesson]") {
    CHECK(highlighted("return f(1, \"a\\\"b\");  // done <\n") ==
          "<i class=\"k\">return</i> <i class=\"f\">f</i>(<i class=\"n\">1</i>, "
          "<i class=\"s\">&quot;a\\&quot;b&quot;</i>);  <i class=\"c\">// done &lt;</i>\n");
    CHECK(highlighted("#include <x>") == "<i class=\"k\">#include</i> &lt;x&gt;");
    CHECK(highlighted("a / b") == "a / b");
    CHECK(well_formed::fault("<pre>" + highlighted("\"never ends\n'x") + "</pre>").empty());
}
