#include "lessons/19_heads/example.h"

#include "autograd/autograd.h"

namespace heed::lesson19 {

using namespace course;

Tensor verb() { return tensor({4., 0., 0., 4.}, {1, 4}); }

Tensor keys(bool ada_helped_ben) {
    return ada_helped_ben ? tensor({1., 0., 1., 0., 0., 1., 0., 1.}, {2, 4})
                          : tensor({0., 1., 0., 1., 1., 0., 1., 0.}, {2, 4});
}

Tensor values() { return tensor({1., 0., 1., 0., 0., 1., 0., 1.}, {2, 4}); }

std::string in_brackets(const Tensor& x) {
    std::string text;
    for (double value : x.to_vector())
        text += (text.empty() ? "(" : ", ") + fmt::format("{:.3f}", value);
    return text + ")";
}

double largest_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

Diagram multi_head_diagram() {
    Diagram diagram{.title = "Split, attend, concatenate, project"};
    diagram.boxes = {{"tokens", {"width D"}, 0, 1, true},
                     {"queries", {"W_Q, width D"}, 1, 0},
                     {"keys", {"W_K, width D"}, 1, 1},
                     {"values", {"W_V, width D"}, 1, 2},
                     {"head 1", {"first halves", "its own weights", "C₁, width D/2"}, 2, 0.3},
                     {"head 2", {"second halves", "its own weights", "C₂, width D/2"}, 2, 1.7},
                     {"concatenate", {"width D"}, 3, 1},
                     {"output", {"W_O, width D"}, 4, 1}};
    diagram.arrows = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4},
                      {1, 5}, {2, 5}, {3, 5}, {4, 6}, {5, 6}, {6, 7}};
    return diagram;
}

}  // namespace heed::lesson19
