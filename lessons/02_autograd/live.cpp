// The tape of an expression that the reader types: the graph that heed records, with values and slopes.
#include "lessons/course/live/live.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "autograd/autograd.h"
#include "lessons/02_autograd/pictures.h"

namespace heed::lesson02 {

using namespace course;

namespace {

struct Name {
    std::string name;
    Tensor (*function)(const Tensor&);
};
const std::vector<Name> functions{{"sin", sin},   {"cos", cos},        {"exp", exp},
                                  {"log", log},   {"tanh", tanh},      {"sqrt", sqrt},
                                  {"relu", relu}, {"sigmoid", sigmoid}};

// Computes the expression with heed's operations while it is read, so that heed records it.
//
//     sum     = product, + or - product, ...        power = atom, or atom ^ sign
//     product = sign, * or / sign, ...              atom  = number, name, name(sum), or (sum)
//     sign    = power, or - sign
class Reader {
  public:
    Reader(const std::string& text, const std::vector<std::pair<std::string, Tensor>>& names)
        : text_(text), names_(names) {}

    Tensor whole() {
        const Tensor y = sum();
        if (at_ < text_.size())
            fail("at character {}: expected an operation, found '{}'", at_ + 1,
                 text_.substr(at_, 8));
        return y;
    }

  private:
    static constexpr int most = 24;

    bool take(char c) {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return true;
    }
    Tensor counted(Tensor y) {
        check(++operations_ <= most, "the expression has more than {} parts", most);
        return y;
    }
    Tensor sum() {
        Tensor y = product();
        for (;;) {
            if (take('+'))
                y = counted(y + product());
            else if (take('-'))
                y = counted(y - product());
            else
                return y;
        }
    }
    Tensor product() {
        Tensor y = sign();
        for (;;) {
            if (take('*'))
                y = counted(y * sign());
            else if (take('/'))
                y = counted(y / sign());
            else
                return y;
        }
    }
    Tensor sign() {
        if (take('-')) return counted(-sign());
        return power();
    }
    Tensor power() {
        const Tensor base = atom();
        return take('^') ? counted(pow(base, sign())) : base;
    }
    Tensor atom() {
        check(++depth_ <= 4 * most, "the expression has more than {} parts", most);
        if (take('(')) return closed(sum());
        const std::size_t start = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
            ++at_;
        const std::string word = text_.substr(start, at_ - start);
        if (word.empty())
            fail("at character {}: expected a number or a name, found {}", start + 1,
                 start < text_.size() ? "'" + text_.substr(start, 1) + "'" : "the end");
        take(' ');
        if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.') {
            char* end = nullptr;
            const double value = std::strtod(word.c_str(), &end);
            check(*end == 0 && std::isfinite(value) &&
                      word.find_first_not_of("0123456789.") == std::string::npos,
                  "at character {}: '{}' is not a number", start + 1, word);
            return scalar(value, Dtype::float64);
        }
        for (const Name& known : functions)
            if (known.name == word) {
                check(take('('), "at character {}: expected ( after {}", at_ + 1, word);
                return counted(known.function(closed(sum())));
            }
        for (const auto& [name, value] : names_)
            if (name == word) return value;
        fail(
            "at character {}: '{}' is not known; there are x, w, b, sin, cos, exp, log, tanh, "
            "sqrt, relu and sigmoid",
            start + 1, word);
    }
    Tensor closed(Tensor y) {
        check(take(')'), "at character {}: a ) is missing", at_ + 1);
        return y;
    }

    const std::string& text_;
    const std::vector<std::pair<std::string, Tensor>>& names_;
    std::size_t at_ = 0;
    int operations_ = 0, depth_ = 0;
};

Drawn draw(const Inputs& inputs) {
    const std::string& text = inputs.text("expression");
    check(text.size() <= 200, "the expression has more than 200 characters");
    const RememberValues remember;
    std::vector<std::pair<std::string, Tensor>> names;
    for (const char* name : {"x", "w", "b"}) {
        names.emplace_back(name, scalar(inputs.number(name), Dtype::float64));
        names.back().second.set_requires_grad();
    }
    const Tensor result = Reader(text, names).whole();
    check(result.requires_grad(),
          "the expression has no x, w or b, so there is nothing to differentiate");
    backward(result);
    Diagram picture = picture_of(result, names);
    picture.least_width = 120;  // a value or a slope of four digits
    Drawn drawn{.svgs = {to_svg(picture)}, .numbers = {{"result", result.item(), 4}}};
    for (const auto& [name, value] : names)
        if (value.grad().defined())
            drawn.numbers.push_back({"slope of " + name, value.grad().item(), 4});
    return drawn;
}

const Registered figure({.name = "tape",
                         .controls = {text_box("expression", "Expression", "x * tanh(w * x + b)"),
                                      slider("x", "x", {-3, 3, 0.1, 0.8}),
                                      slider("w", "w", {-3, 3, 0.1, 1.5}),
                                      slider("b", "b", {-3, 3, 0.1, -0.4})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson02
