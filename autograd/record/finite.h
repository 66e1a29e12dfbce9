// Numbers that go bad. Training that diverges ends in a loss of NaN, many operations after the one
// that went wrong. With the finite check on, the first operation that makes a NaN or an infinity
// throws NotFinite, with its name, the shapes, the element and the operations that led to it:
//
//     HEED_CHECK=finite ./heed run mine.cpp      // all operations of a program
//     const FiniteCheck on;                      // those of this thread while `on` lives
//     train(optimiser, {.steps = 100}, step);    // the training loop has it on: nn/train/train.h
//
// What is an error:
//
//   * A NaN in the result of an operation, unless a constant among the inputs holds one: data may, in
//     its padding or where a value is missing. A NaN in a leaf is an error; its message says that no
//     operation made it.
//   * An infinity in the result, unless an input holds one. A number counts as an input:
//     masked_fill(x, mask, -infinity) and pad(..., -infinity) are no errors, nor are sums with a mask
//     of minus infinity, nor softmax of them. log(0), 1 / 0 and exp(1000) are.
//   * A NaN or an infinity in a gradient, unless the gradient that the pass started with has one.
//     There is no reason to have an infinite gradient: it makes NaN in the next step.
//
// Where an infinity is wanted, const FiniteCheck off(false) leaves out the operations that follow,
// whatever HEED_CHECK says. Views are not looked at, nor what a rule or a fused kernel computes on
// the way to its result.
//
// Cost: each result and each gradient is read once more, while it is still in the cache.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/tensor/node.h"

namespace heed {

// What the finite check throws.
struct NotFinite : Error {
    using Error::Error;
};

// Switches the check on or off for this thread, until the end of its life.
class FiniteCheck {
  public:
    explicit FiniteCheck(bool on = true);
    ~FiniteCheck();
    FiniteCheck(const FiniteCheck&) = delete;

  private:
    signed char before_;
};

namespace finite_detail {
extern bool asked_for;                               // by HEED_CHECK=finite
extern constinit thread_local signed char switched;  // by FiniteCheck: 0 off, 1 on, -1 neither
}  // namespace finite_detail

inline bool finite_check_on() {
    const signed char here = finite_detail::switched;
    return here < 0 ? finite_detail::asked_for : here != 0;
}

// Whether x, in row-major order or not, holds neither NaN nor infinity.
bool all_finite(const Tensor& x);

// Throws if the operation made a NaN or an infinity of these inputs (undefined ones do not count).
void check_result_finite(const char* operation, const Tensor& result, const Tensor* const* inputs,
                         std::size_t count);

template <class... Inputs>
void check_finite(const char* operation, const Tensor& result, const Inputs&... inputs) {
    if (!finite_check_on()) [[likely]]
        return;
    const std::array<const Tensor*, sizeof...(Inputs)> all{&inputs...};
    check_result_finite(operation, result, all.data(), all.size());
}
template <class Tensors>  // a container of tensors
void check_finite_of_all(const char* operation, const Tensor& result, const Tensors& inputs) {
    if (!finite_check_on()) [[likely]]
        return;
    if (all_finite(result)) [[likely]]
        return;
    std::vector<const Tensor*> all;
    for (const Tensor& x : inputs) all.push_back(&x);
    check_result_finite(operation, result, all.data(), all.size());
}

// Throws because `gradient`, which the rule of `from` gave for its input `input`, or the sum of all
// that arrived there, is not finite. `consumers` are the operations that the gradient came through,
// from the loss on, as text.
[[noreturn]] void fail_gradient_not_finite(const Tensor& gradient, const Node& input,
                                           const Node& from, const std::string& consumers);

// "'exp' [3] <- 'mul' [3] <- leaf [3]": the operations behind a node, each time through its newest
// input.
std::string operations_behind(const Node* node);

}  // namespace heed
