#include "attention/efficient/reversible.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "autograd/backward/backward.h"
#include "autograd/backward/recompute.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/shape/shape_ops.h"

namespace heed {

using namespace recompute_detail;

namespace {

using OneToOne = std::function<Tensor(const Tensor&)>;

struct Halves {
    Tensor first, second;

    explicit Halves(const Tensor& x)
        : first(slice(x, -1, 0, x.size(-1) / 2)),
          second(slice(x, -1, x.size(-1) / 2, x.size(-1))) {}
    Tensor joined() const { return concat({first, second}, -1); }
};

// f(x), which must have the shape of x.
Tensor called(const OneToOne& f, const Tensor& x) {
    check(bool(f), "reversible: a block has no function f or g");
    const Tensor y = f(x);
    check_defined("reversible", y);
    check(y.shape() == x.shape(), "reversible: a block gave {} for {}; it must keep the shape",
          y.shape(), x.shape());
    return y;
}

// About 64 elements of x, spread over it: enough to notice that backward did not find x again.
std::vector<double> sample_of(const Tensor& x) {
    const Tensor flat = reshape(detach(x), {-1});
    const int64_t step = std::max<int64_t>(1, flat.numel() / 64);
    return flat.numel() == 0 ? std::vector<double>()
                             : slice(flat, 0, 0, flat.numel(), step).to_vector();
}

struct Reversible final : Node {
    struct Kept {
        std::vector<ReversibleBlock> blocks;
        std::vector<Tensor> leaves;  // stand-ins for the parameters that f and g use
        // Of f and g of each block, one after the other: which leaves it uses, and its first call.
        std::vector<std::vector<std::size_t>> uses;
        std::vector<FirstCall> first;
        FirstCall together;          // of all of them
        std::vector<double> sample;  // of x
    };
    std::vector<Input> input_list;  // x, then the leaves
    KeptResult result;
    std::optional<Kept> kept;

    Reversible(const char* name, const Tensor& value, const Tensor& x, Kept all)
        : Node(name, value), input_list(1 + all.leaves.size()), kept(std::move(all)) {
        inputs = input_list.data();
        input_count = static_cast<uint32_t>(input_list.size());
        connect(input_list[0], x, false);
        for (std::size_t i = 0; i < kept->leaves.size(); ++i)
            connect(input_list[1 + i], kept->leaves[i], true);
        result.keep(value);
    }
    ~Reversible() override { disconnect(); }
    void drop_rules() override {
        kept.reset();
        result.drop();
    }
    bool result_unchanged() const override { return result.unchanged(); }
    std::size_t bytes() const override { return sizeof(Reversible); }

    void backward(BackwardPass& pass, const Tensor& g) override {
        if (grad_enabled()) return differentiate_again(pass, g);
        Halves y(detach(result.tensor(this))), dy(g);
        for (std::size_t b = kept->blocks.size(); b-- > 0;) {
            // y₂ = x₂ + g(y₁): what reaches y₁ through g is added to its gradient.
            undo(pass, kept->blocks[b].g, 2 * b + 1, y.first, y.second, dy.second, dy.first);
            undo(pass, kept->blocks[b].f, 2 * b, y.second, y.first, dy.first, dy.second);
        }
        const Tensor x = y.joined();
        check_found(x);
        if (Node* input = input_list[0].node; input && pass.wants(*input))
            pass.accumulate(*input, dy.joined(), *this);
    }

  private:
    // The step to = to + f(from), backwards: replaces `to` by what it was before, adds the gradient
    // that passes through f to that of `from`, and accumulates those of the parameters of f.
    void undo(BackwardPass& pass, const OneToOne& f, std::size_t number, const Tensor& from,
              Tensor& to, const Tensor& d_to, Tensor& d_from) {
        const GradMode recording(true);
        const uint64_t start = next_order();
        std::vector<Tensor> targets{detach(from).set_requires_grad()};
        for (std::size_t leaf : kept->uses[number]) targets.push_back(kept->leaves[leaf]);
        CallAgain again(kept->first[number]);
        const Tensor step = again("reversible", [&] { return called(f, targets[0]); });
        if (step.requires_grad()) {
            const std::vector<Tensor> gradients = grad_since(start, step, targets, false, d_to);
            for (std::size_t i = 0; i < kept->uses[number].size(); ++i)
                if (Node* leaf = input_list[1 + kept->uses[number][i]].node; pass.wants(*leaf))
                    pass.accumulate(*leaf, gradients[1 + i], *this);
            d_from = d_from + gradients[0];
        }
        to = to - detach(step);
    }

    void check_found(const Tensor& x) const {
        const std::vector<double> found = sample_of(x);
        double largest = 1;
        for (double each : kept->sample) largest = std::max(largest, std::abs(each));
        for (std::size_t i = 0; i < found.size(); ++i)
            check(!(std::abs(found[i] - kept->sample[i]) > 1e-2 * largest),
                  "reversible: going back from the result does not lead to x; f and g must compute "
                  "the same at each call, and what they use may not be changed before backward");
    }

    // The gradient as a recorded function: of the ordinary composition, at x computed from y.
    void differentiate_again(BackwardPass& pass, const Tensor& g) {
        Tensor x;
        {
            const NoGrad no_grad;
            Halves y(detach(result.tensor(this)));
            const auto step = [&](const OneToOne& f, std::size_t number, const Tensor& from) {
                CallAgain once_more(kept->first[number]);
                return once_more("reversible", [&] { return called(f, from); });
            };
            for (std::size_t b = kept->blocks.size(); b-- > 0;) {
                y.second = y.second - step(kept->blocks[b].g, 2 * b + 1, y.first);
                y.first = y.first - step(kept->blocks[b].f, 2 * b, y.second);
            }
            x = y.joined();
            check_found(x);
        }
        const uint64_t start = next_order();
        std::vector<Tensor> targets;
        if (Node* input = input_list[0].node) {
            x = same_numbers(x, stand_in(input));
            targets.push_back(x);
        }
        for (const Tensor& leaf : kept->leaves) targets.push_back(leaf);
        CallAgain again(kept->together);
        const Tensor y =
            again("reversible", [&] { return reversible_definition(kept->blocks, x); });
        const std::vector<Tensor> gradients = grad_since(start, y, targets, true, g);
        const std::size_t first = input_list[0].node ? 0 : 1;  // of the inputs that are targets
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (Node* input = input_list[first + i].node; pass.wants(*input))
                pass.accumulate(*input, gradients[i], *this);
    }
};

void check_width(const Tensor& x, const char* operation) {
    check(x.defined() && x.dim() >= 1 && x.size(-1) % 2 == 0,
          "{}: x {}; expected [..., 2 D], a last axis of two equal halves", operation, ShapeOf{x});
}

}  // namespace

Tensor reversible_definition(const std::vector<ReversibleBlock>& blocks, const Tensor& x) {
    check_width(x, "reversible_definition");
    Halves y(x);
    for (const ReversibleBlock& block : blocks) {
        y.first = y.first + called(block.f, y.second);
        y.second = y.second + called(block.g, y.first);
    }
    return y.joined();
}

Tensor reversible(const std::vector<ReversibleBlock>& blocks, const Tensor& x) {
    if (!grad_enabled()) return reversible_definition(blocks, x);
    check_width(x, "reversible");
    Reversible::Kept kept{blocks, {}, {}, {}, {}, sample_of(x)};
    std::vector<Leaf*> leaves;
    // Each f is recorded only to learn which leaves it uses; that graph is dropped at once.
    const auto step = [&](const OneToOne& f, const Tensor& from) {
        const uint64_t start = next_order();
        const Tensor y = kept.first.emplace_back()(
            "reversible", [&] { return called(f, detach(from).set_requires_grad()); });
        kept.uses.emplace_back();
        if (y.requires_grad())
            for (Leaf* leaf : captured_leaves(y, start, "reversible")) {
                const auto found = std::find(leaves.begin(), leaves.end(), leaf);
                kept.uses.back().push_back(found - leaves.begin());
                if (found != leaves.end()) continue;
                leaves.push_back(leaf);
                kept.leaves.push_back(stand_in(leaf));
            }
        return detach(y);
    };
    const Tensor value = kept.together("reversible", [&] {
        Halves y(detach(x));
        for (const ReversibleBlock& block : blocks) {
            y.first = y.first + step(block.f, y.second);
            y.second = y.second + step(block.g, y.first);
        }
        return y.joined();
    });
    if (!x.requires_grad() && leaves.empty()) return value;
    return make_node<Reversible>("reversible", value, x, std::move(kept));
}

}  // namespace heed
