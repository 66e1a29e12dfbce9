// Judges what a reader has written for an exercise. judge.cpp of an exercise includes the answer, and
// states what must hold:
//
//     #include "lessons/course/exercise/judge.h"
//
//     #include HEED_ANSWER
//
//     void judge(course::Judge& judge) {
//         const Tensor x = tensor({2., 1., 0.});
//         judge.given({{"x", x}});
//         judge.equal("softmax of 2, 1, 0", [&] { return my_softmax(x); }, softmax(x),
//                     {.formula = "y_i = exp(x_i) / sum_j exp(x_j)",
//                      .mistakes = {{"the exponentials are not divided by their sum", exp(x)}}});
//         judge.gradient("its gradient", [](const auto& x) { return my_softmax(x[0]); }, {x});
//     }
//
// The first thing that does not hold is shown and ends the judgement: what was expected, what was
// found and where; and if it is a mistake that people often make, which one. The values expected here
// are computed by the library. The reader's file is refused if it calls the library's function for
// the same thing: judge.own({"softmax"}).
//
// HEED_ANSWER is the reader's file for ./heed exercise, one answer after another for the tests, and
// solution.h for an editor (heed_judges of CMakeLists.txt). Judges include no headers of heed but
// this one, curve.h and those of the libraries: all of them are compiled beforehand.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/course/exercise/function_ref.h"
#include "lessons/course/exercise/write.h"

namespace heed::course {

// Something that people often write instead, and what it gives.
struct Mistake {
    std::string words;  // "the scores are divided by D, not by its root"
    Tensor result;
};
struct WrongNumber {
    std::string words;
    double result = 0;
};

struct WrongChoice {
    std::string words, result;
};

// A tensor that the reader's function gets, by the name of the parameter.
struct Given {
    std::string name;
    Tensor tensor;
};

struct Comparison {
    // Relative to the largest number that is expected, absolute below 1. By itself it fits the dtype that is expected:
    // 1e-6 for float32, and for float64 1e-9, which a result computed in float does not reach.
    std::optional<double> tolerance{};
    std::string formula{};  // shown when the results differ
    std::vector<Mistake> mistakes{};
};

struct NumberComparison {
    double tolerance = 1e-3;  // relative, or absolute for numbers below 1
    std::string formula{};
    std::vector<WrongNumber> mistakes{};
};

class Judge {
  public:
    // The text of the reader's file, without comments, is searched by own().
    explicit Judge(std::string source) : source_(std::move(source)) {}

    // Refuses a file that calls one of these functions of the library.
    void own(const std::vector<std::string>& functions);

    // From here on each check also fails if one of these tensors is not what it was.
    void given(const std::vector<Given>& inputs);

    // The tensors have the same shape and the same numbers up to the tolerance.
    void equal(const std::string& what, FunctionRef<Tensor()> found, const Tensor& expected,
               const Comparison& comparison = {});
    void equal(const std::string& what, FunctionRef<std::string()> found,
               const std::string& expected, const std::vector<WrongChoice>& mistakes = {});
    void number(const std::string& what, FunctionRef<double()> found, double expected,
                const NumberComparison& comparison = {});

    // A word that the reader has to find, so it is not told: the name of a law, a line or a curve.
    // Capital letters and blanks around it do not count. The mistakes are all other words that it takes, but
    // for a curve, which rises, falls, is flat or a valley.
    void choice(const std::string& what, FunctionRef<std::string()> found,
                const std::string& expected, const std::vector<WrongChoice>& mistakes = {});

    // The call throws heed::Error. `why` is shown if it does not.
    void refuses(const std::string& what, FunctionRef<void()> call, const std::string& why);

    // The gradient agrees with finite differences, and the inputs, which are converted to float64, stay as they are.
    void gradient(const std::string& what, FunctionRef<Tensor(const std::vector<Tensor>&)> f,
                  const std::vector<Tensor>& inputs, const std::vector<Mistake>& mistakes = {});

    // The call needs at most so many bytes of tensors at one time, beyond those in use before. `why`
    // is shown if it needs more.
    void bytes(const std::string& what, FunctionRef<void()> call, double most,
               const std::string& why);

    // Anything else. `why` is shown if it is false.
    void holds(const std::string& what, FunctionRef<bool()> found, const std::string& why);

    // --- The result.
    enum class Verdict { solved, not_yet, not_written };
    Verdict verdict() const;
    std::string text() const;  // a line for each thing that holds, and what does not hold

  private:
    struct Kept {
        std::string name;
        Tensor tensor, before;
    };

    void examine(const std::string& what, FunctionRef<std::string()> complaint);
    std::string changed_input() const;

    std::string source_;
    std::vector<Kept> given_;
    std::vector<std::string> held_;
    std::string failed_, complaint_;
    bool not_written_ = false;
};

// The main() of the program that judges a file. What it finds goes into the journal (journal.h).
int run_judge(void (*judge)(Judge&), const std::string& answer_file,
              const std::string& journal_file);

}  // namespace heed::course
