// What the lesson's experiments need besides the ideas on its page: tables of counts, the curves of a
// training, and the reading of a matrix.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/31_circuits/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson31 {

inline constexpr int64_t width = 48;

// The loss on copied letters of a table that was counted on other strings: -ln of the share with which
// the letter followed the last `context` letters there, every count plus one.
double table_loss(int context, const Strings& counted, const Strings& test);

// What is measured while a model learns.
struct Seen {
    double loss = 0;                // on copied letters
    std::vector<double> without{};  // the same, with the output of one head replaced by zero
    std::vector<double> before{};   // of each head, layer after layer: weight on the letter before,
    std::vector<double> after{};    // and on the letters that followed an earlier occurrence

    template <class F>
    void visit_state(F&& f) {
        f("loss", loss), f("without", without), f("before", before), f("after", after);
    }
};
struct Curve {
    std::vector<double> steps;
    std::vector<Seen> seen;

    void add(int64_t step, Seen now);
    std::vector<double> line(const std::function<double(const Seen&)>& what) const;
    // The step at which this crosses the level for the first time, between two measurements; the
    // last step if it does not.
    double crosses(const std::function<double(const Seen&)>& what, double level) const;
    template <class F>
    void visit_state(F&& f) {
        f("steps", steps);
        seen.resize(steps.size());
        for (std::size_t i = 0; i < seen.size(); ++i) f(std::to_string(i), seen[i]);
    }
};

inline constexpr int training_steps = 2000;

// A head of a single layer: its mean weight on the token 0, 1, ... 15 positions back, and by how
// much it raises the logit of a letter that it looks at above the mean.
struct Reach {
    std::vector<double> weights{};
    double raises = 0;
};

// The heads of a model of two layers with two heads each, by what the loss is without them. They count
// through both layers.
struct Roles {
    int note = 0;       // in the first layer: the head without which the loss is larger
    int other = 0;      // the other one there
    int induction = 0;  // the same in the second layer
    int second = 0;
};
Roles roles_of(const Seen& trained);

// The share of the rows of a square matrix whose largest number is on the diagonal, or `below`
// cells below it.
double share_on_diagonal(const Tensor& matrix, int below = 0);

}  // namespace heed::lesson31
