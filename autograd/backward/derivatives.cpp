#include "autograd/backward/derivatives.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "autograd/backward/backward.h"
#include "autograd/backward/recompute.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"

namespace heed {

using namespace recompute_detail;

namespace {

// x as the variable to differentiate by: x itself if its graph is wanted, else a fresh leaf.
struct Variable {
    bool recorded;
    Tensor x;
    explicit Variable(const Tensor& given)
        : recorded(needs_record(given)), x(recorded ? given : detach(given).set_requires_grad()) {}
};

// The gradient of y by x with weights g; zeros if y does not depend on x.
Tensor gradient(const Tensor& y, const Tensor& x, bool create_graph, const Tensor& g) {
    return y.requires_grad() ? grad(y, {x}, create_graph, g)[0] : zeros_like(x);
}

void check_function(const char* operation, bool there) {
    check(there, "{}: there is no function f", operation);
}

void check_like(const Tensor& v, const Tensor& x, const char* operation, const char* what) {
    check(v.shape() == x.shape(), "{}: expected {} of shape {}, got {}", operation, what, x.shape(),
          v.shape());
    check_same_dtype(x, v, operation);
}

Shape joined(const Shape& a, const Shape& b) {
    Shape shape = a;
    for (int64_t size : b) shape.push(size);
    return shape;
}

// All rows of dy/dx, one pass backward each.
Tensor jacobian_of(const Tensor& y, const Tensor& x, bool create_graph) {
    if (y.numel() == 0) return zeros(joined(y.shape(), x.shape()), x.dtype());
    const Tensor unit = eye(y.numel(), y.dtype());
    std::vector<Tensor> rows;
    for (int64_t i = 0; i < y.numel(); ++i)
        rows.push_back(gradient(y, x, create_graph, reshape(select(unit, 0, i), y.shape())));
    return reshape(stack(rows), joined(y.shape(), x.shape()));
}

void check_one_element(const char* operation, const Tensor& y) {
    check(y.defined(), "{}: f must return one element, not a tensor that is not defined",
          operation);
    check(y.numel() == 1, "{}: f must return one element, not shape {}", operation, y.shape());
}

}  // namespace

Tensor vjp(const TensorFunction& f, const Tensor& x, const Tensor& g) {
    const UserCall named("vjp");
    check_function("vjp", bool(f));
    check_defined("vjp", x, g);
    const Variable variable(x);
    const GradMode recording(true);
    const Tensor y = f(variable.x);
    check_like(g, y, "vjp", "weights g");
    return gradient(y, variable.x, variable.recorded, g);
}

// The function u -> uᵀ J is linear, so its Jacobian is Jᵀ whatever u is; its vjp with v is J v.
Tensor jvp(const TensorFunction& f, const Tensor& x, const Tensor& v) {
    const UserCall named("jvp");
    check_function("jvp", bool(f));
    check_defined("jvp", x, v);
    check_like(v, x, "jvp", "a direction v");
    const Variable variable(x);
    const GradMode recording(true);
    const Tensor y = f(variable.x);
    const Tensor u = zeros_like(y).set_requires_grad();
    const Tensor backward_of_u = gradient(y, variable.x, true, u);
    if (!backward_of_u.requires_grad()) return zeros_like(y);
    return grad(backward_of_u, {u}, variable.recorded, v)[0];
}

Tensor jacobian(const TensorFunction& f, const Tensor& x) {
    const UserCall named("jacobian");
    check_function("jacobian", bool(f));
    check_defined("jacobian", x);
    const Variable variable(x);
    const GradMode recording(true);
    return jacobian_of(f(variable.x), variable.x, variable.recorded);
}

Tensor hvp(const TensorFunction& f, const Tensor& x, const Tensor& v) {
    const UserCall named("hvp");
    check_function("hvp", bool(f));
    check_defined("hvp", x, v);
    check_like(v, x, "hvp", "a direction v");
    const Variable variable(x);
    const GradMode recording(true);
    const Tensor y = f(variable.x);
    check_one_element("hvp", y);
    return gradient(gradient(y, variable.x, true, {}), variable.x, variable.recorded, v);
}

Tensor hessian(const TensorFunction& f, const Tensor& x) {
    const UserCall named("hessian");
    check_function("hessian", bool(f));
    check_defined("hessian", x);
    const Variable variable(x);
    const GradMode recording(true);
    const Tensor y = f(variable.x);
    check_one_element("hessian", y);
    return jacobian_of(gradient(y, variable.x, true, {}), variable.x, variable.recorded);
}

std::vector<Tensor> hvp(const Tensor& loss, const std::vector<Tensor>& xs,
                        const std::vector<Tensor>& vs, Flag create_graph) {
    const UserCall named("hvp");
    check_defined("hvp", loss);
    check(xs.size() == vs.size(), "hvp: {} tensors, but {} directions", xs.size(), vs.size());
    const std::vector<Tensor> gradients = grad(loss, xs, true);
    const GradMode recording(true);
    Tensor along = scalar(0, loss.dtype());  // Σ v dL/dx
    for (std::size_t i = 0; i < xs.size(); ++i) {
        check_like(vs[i], xs[i], "hvp", "a direction v");
        along = along + sum(gradients[i] * vs[i]);
    }
    std::vector<Tensor> products;
    if (along.requires_grad()) return grad(along, xs, create_graph);
    for (const Tensor& x : xs) products.push_back(zeros_like(x));
    return products;
}

// --- checkpoint ---------------------------------------------------------------------------------

namespace {

using ManyToOne = std::function<Tensor(const std::vector<Tensor>&)>;

// A number that depends on all bits of x, to notice that f gave another result.
uint64_t checksum(const Tensor& x) {
    const Tensor numbers = contiguous(detach(x));
    const std::size_t size = x.dtype() == Dtype::float32 ? 4 : 8;
    uint64_t sum = 0;
    for (int64_t i = 0; i < x.numel(); ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, numbers.body()->bytes + static_cast<std::size_t>(i) * size, size);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15 + 1;
    }
    return sum;
}

// The node of checkpoint(): its inputs are those of f, then the captured leaves.
struct Checkpoint final : Node {
    struct Kept {
        ManyToOne f;
        std::vector<Tensor> xs;
        int leaves = 0;    // how many of the xs, at the end, are stand-ins for leaves
        uint64_t sum = 0;  // checksum of the result
        FirstCall first;
    };
    std::vector<Input> input_list;
    std::optional<Kept> kept;

    Checkpoint(const char* name, const Tensor& value, Kept all)
        : Node(name, value), input_list(all.xs.size()), kept(std::move(all)) {
        inputs = input_list.data();
        input_count = static_cast<uint32_t>(input_list.size());
        for (std::size_t i = 0; i < input_list.size(); ++i)
            connect(input_list[i], kept->xs[i], true);
    }
    ~Checkpoint() override { disconnect(); }
    void drop_rules() override { kept.reset(); }
    std::size_t bytes() const override { return sizeof(Checkpoint); }

    void backward(BackwardPass& pass, const Tensor& g) override {
        const bool again = grad_enabled();
        const GradMode recording(true);
        const uint64_t start = next_order();
        std::vector<Tensor> own(kept->xs.begin(), kept->xs.end() - kept->leaves), targets;
        std::vector<Node*> targets_of_pass;  // the nodes behind the targets
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!input_list[i].node) continue;
            // If the gradient is to be differentiated again, it has to depend on x.
            own[i] = again ? same_numbers(own[i]) : detach(own[i]).set_requires_grad();
            targets.push_back(own[i]);
            targets_of_pass.push_back(input_list[i].node);
        }
        for (std::size_t i = own.size(); i < kept->xs.size(); ++i) {
            targets.push_back(kept->xs[i]);
            targets_of_pass.push_back(input_list[i].node);
        }
        CallAgain again_f(kept->first);
        const Tensor y = again_f("checkpoint", [&] { return kept->f(own); });
        check(y.shape() == shape && checksum(y) == kept->sum,
              "checkpoint: f gave another result when it was called again; no tensor that f uses "
              "may be changed before backward");
        const std::vector<Tensor> gradients = grad_since(start, y, targets, again, g);
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (pass.wants(*targets_of_pass[i]))
                pass.accumulate(*targets_of_pass[i], gradients[i], *this);
    }
};

}  // namespace

Tensor checkpoint(const ManyToOne& f, const std::vector<Tensor>& inputs) {
    const UserCall named("checkpoint");
    check_function("checkpoint", bool(f));
    if (!grad_enabled()) return f(inputs);
    std::vector<Tensor> own = inputs, xs = inputs;
    const uint64_t start = next_order();
    for (Tensor& x : own) {
        check(x.defined(), "checkpoint: an input is not defined");
        x = x.requires_grad() ? detach(x).set_requires_grad() : x;
    }
    // Recorded only to learn which leaves f uses; this graph is dropped at the end.
    FirstCall first;
    const Tensor y = first("checkpoint", [&] { return f(own); });
    if (!y.requires_grad()) return y;
    const std::vector<Leaf*> leaves = captured_leaves(y, start, "checkpoint");
    for (Leaf* leaf : leaves) xs.push_back(stand_in(leaf));
    return make_node<Checkpoint>("checkpoint", detach(y),
                                 Checkpoint::Kept{f, std::move(xs), static_cast<int>(leaves.size()),
                                                  checksum(y), std::move(first)});
}

}  // namespace heed
