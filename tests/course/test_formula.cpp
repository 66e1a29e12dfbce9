// Formulas: the tree of LaTeX as Unicode and as MathML. tests/course/test_lesson_text.cpp converts all
// formulas of all lessons.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/input_file.h"
#include "autograd/base/utf8.h"
#include "lessons/course/story/formula.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using heed::course::formula_mathml;
using heed::course::formula_text;
using heed::course::formulas_in;

TEST_CASE("formula: as Unicode", "[lesson]") {
    const std::vector<std::pair<std::string, std::string>> table = {
        {R"(q \cdot k_j / \sqrt{D})", "q·kⱼ/√D"},
        {R"(\frac{q_i \cdot k_j}{\sqrt{D}})", "qᵢ·kⱼ/√D"},
        {R"(\frac{a + b}{c d})", "(a + b)/(c d)"},
        {R"(\tfrac12 x + \frac{1}{n} \sum_i x_i)", "(1/2) x + (1/n) ∑ᵢ xᵢ"},
        {R"(\sum_{i=1}^{D} \operatorname{var}(q_i k_i) = D .)", "∑ᵢ₌₁ᴰ var(qᵢ kᵢ) = D."},
        {R"(\sum_{j \in N(i)} w_{ij})", "∑_(j∈N(i)) wᵢⱼ"},
        {R"(-\sum_j \alpha_j \ln \alpha_j)", "−∑ⱼ αⱼ ln αⱼ"},
        {R"(\frac{\partial L}{\partial e_j} = \alpha_j \Big( g_j - \sum_k \alpha_k g_k \Big))",
         "∂L/∂eⱼ = αⱼ (gⱼ − ∑ₖ αₖ gₖ)"},
        {R"(v^\top \tanh(W q + U k_j))", "vᵀ tanh(W q + U kⱼ)"},
        {R"(q^\top W k_j)", "qᵀ W kⱼ"},
        {R"(h_{t-1} - 1)", "hₜ₋₁ − 1"},
        {R"(L'(x) + \frac{h^2}{6} L'''(x))", "L′(x) + (h²/6) L′′′(x)"},
        {R"(e^{-(q - k)^2 / 2})", "e^(−(q−k)²/2)"},
        {R"(W_Q x)", "W_Q x"},
        {R"(\hat y, \tilde s_t)", "y\u0302, s\u0303ₜ"},
        {R"(2 \cdot 10^{-8} \approx 0)", "2·10⁻⁸ ≈ 0"},
        {R"(655{,}360 = 10 \times 65,536)", "655,360 = 10×65,536"},
        {R"(a = 1 \qquad b = 2)", "a = 1    b = 2"},
        {R"(p(y \mid s), \; s \in \{0, 1\})", "p(y | s), s ∈ {0, 1}"},
        {R"(\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix})", "(1  0;  0  1)"},
        {R"(\max_j s_j + \beta \cos(q, k_j))", "maxⱼ sⱼ + β cos(q, kⱼ)"},
        {R"(\sqrt{3 \cdot 2} (x))", "√(3·2) (x)"},
        {R"(\text{error} \ge 0)", "error ≥ 0"},
        {R"(p(a) \, \frac{\nabla p(a)}{p(a)})", "p(a) ∇p(a)/p(a)"},
        {R"(\frac{f(x) g(x)}{(a)(b)})", "(f(x) g(x))/((a)(b))"},
    };
    for (const auto& [latex, text] : table) {
        INFO(latex);
        CHECK(formula_text(latex) == text);
    }
}

TEST_CASE("formula: matrices as blocks", "[lesson]") {
    using heed::course::formula_blocks;
    const std::vector<std::string> blocks = formula_blocks(
        R"(W = \begin{pmatrix} 2 & 0 \\ 0 & -10 \\ 1 & 1 \end{pmatrix}, \quad x = \begin{pmatrix} 1 & 2 \end{pmatrix} .)");
    REQUIRE(blocks.size() == 2);
    CHECK(blocks[0] == "    ⎛2    0⎞\nW = ⎜0  −10⎟,\n    ⎝1    1⎠\n");
    CHECK(blocks[1] == "x = (1  2).\n");
    CHECK(formula_blocks("a = b") == std::vector<std::string>{"a = b\n"});
}

TEST_CASE("formula: as MathML", "[lesson]") {
    CHECK(formula_mathml(R"(\frac{q}{\sqrt D})") ==
          R"(<math><mrow><mfrac><mi>q</mi><msqrt><mpadded height="0.8em" depth="0.1em"><mi>D</mi>)"
          "</mpadded></msqrt></mfrac></mrow></math>");
    CHECK(formula_mathml(R"(\sqrt{x^2})").find("mpadded") == std::string::npos);
    CHECK(
        formula_mathml(R"(2 d \text{ numbers or } x)")
            .find(R"(<mspace width="0.25em"/><mtext>numbers or</mtext><mspace width="0.25em"/>)") !=
        std::string::npos);
    CHECK(formula_mathml(R"(\big( W \big)^2)").find("<msup><mrow><mo stretchy=\"true\"") !=
          std::string::npos);
    CHECK(formula_mathml("x_i^2") ==
          "<math><mrow><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></mrow></math>");
    CHECK(
        formula_mathml(R"(\sum_{i=1}^D a)", true) ==
        "<span class=\"part\"><math displaystyle=\"true\"><mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn>"
        "</mrow><mi>D</mi></munderover><mi>a</mi></mrow></math></span>");
    CHECK(formula_mathml("a < b").find("<mo>&lt;</mo>") != std::string::npos);
    // A sign belongs to its number: there is no space between them as around an operator.
    CHECK(formula_mathml("-1").find("form=\"prefix\"") != std::string::npos);
    CHECK(formula_mathml("2 - 1").find("form=\"prefix\"") == std::string::npos);
}

TEST_CASE("formula: where a line may end", "[lesson]") {
    using well_formed::occurrences;
    // Inside a sentence a formula is kept together unless it is long, and then broken behind relations.
    CHECK(occurrences(formula_mathml(R"(1 - \frac{1 + 1}{3 + 3} = 0.667)"), "<wbr/>") == 0);
    const std::string sum =
        formula_mathml("0.1 + 0.2 = 0.30 + 0.4 = (0.5 = 0.6) + 0.7 = 0.8 + 0.9");
    CHECK(occurrences(sum, "<wbr/>") == 3);  // not inside the brackets, and not at +
    CHECK(occurrences(sum, "<mo form=\"infix\">=</mo></mrow></math><wbr/>") == 3);
    CHECK(occurrences(formula_mathml("a = 111111111 + 222222222 + 333333333 + 444444444"),
                      "<mo form=\"infix\">+</mo></mrow></math><wbr/>") == 3);
    // On lines of its own it has parts, which begin behind commas and wide spaces.
    const std::string two = formula_mathml(R"(q = W x, \quad k = f(a, b), i = 1)", true);
    CHECK(occurrences(two, "<span class=\"part") == 3);
    CHECK(occurrences(two, "<span class=\"part apart\">") == 1);
    CHECK(occurrences(two, "<wbr/>") == 0);
    // A long part may be broken before a relation.
    const std::string chain = formula_mathml("a = 1111111111 = 2222222222 = 3333333333", true);
    CHECK(occurrences(chain, "<wbr/><math displaystyle=\"true\"><mrow><mo form=\"infix\">=") == 3);
    CHECK(well_formed::fault(chain) == "");
}

TEST_CASE("formula: the font of the pages has every character", "[lesson]") {
    const std::string font = heed::read_file(HEED_SOURCE_DIR "/lessons/course/pages/math.txt");
    int found = 0;
    const auto check_characters = [&](const std::string& markdown) {
        for (const std::string& latex : formulas_in(markdown)) {
            std::string text;
            bool tag = false;
            for (const char c : formula_mathml(latex)) {
                tag = (tag || c == '<') && c != '>';
                if (!tag && c != '>' && c != ' ') text += c;
            }
            for (std::string_view rest = text; !rest.empty();) {
                const auto bytes = static_cast<std::size_t>(heed::utf8_first(rest).bytes);
                INFO(latex << ": " << rest.substr(0, bytes));
                CHECK(font.find(rest.substr(0, bytes)) != std::string::npos);
                rest.remove_prefix(bytes);
                ++found;
            }
        }
    };
    namespace fs = std::filesystem;
    for (const auto& entry : fs::recursive_directory_iterator(HEED_SOURCE_DIR "/lessons")) {
        const std::string file = entry.path().string();
        if (file.ends_with("lesson.cpp"))
            for (const auto& passage : heed::course::passages_of(heed::read_file(file), ""))
                check_characters(passage.text);
        if (file.ends_with("hints.md")) check_characters(heed::read_file(file));
    }
    CHECK(found > 10000);
}

TEST_CASE("formula: what is not known is refused with the formula", "[lesson][errors]") {
    const std::vector<std::pair<std::string, std::string>> table = {
        {R"(\foo x)", R"(formula '\foo x': the command \foo is not known)"},
        {R"(\frac{a}{b)", R"(formula '\frac{a}{b': { without its partner)"},
        {R"(a})", R"(formula 'a}': } without its partner)"},
        {R"(\frac{a})", R"(formula '\frac{a}': something is missing at the end)"},
        {R"(x_)", R"(formula 'x_': something is missing at the end)"},
        {R"(x_1_2)", R"(formula 'x_1_2': two _ in a row)"},
        {R"(\begin{array} 1 \end{array})",
         R"(formula '\begin{array} 1 \end{array}': \begin{array} is not known)"},
        {R"(\text{a \b})", R"(formula '\text{a \b}': a command inside of text)"},
        {R"(a # b)", R"(formula 'a # b': the character # is not allowed)"},
        {R"(\left( a)", R"(formula '\left( a': \left without \right)"},
    };
    for (const auto& [latex, message] : table) {
        CHECK(error_of([&latex = latex] { formula_text(latex); }) == message);
        CHECK(error_of([&latex = latex] { formula_mathml(latex); }) == message);
    }
}
