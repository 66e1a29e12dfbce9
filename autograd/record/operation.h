// The nodes that record() makes: rules of any type, kept in the node itself. Below the page in
// record.h lies what makes recording cheap:
//
//   * a node is one block of memory: no std::function, no vector, no shared_ptr;
//   * the rule of an input that needs no gradient is destroyed at once, with the tensors it kept;
//   * the result is kept only if a rule asks for it, and as memory, not as a tensor: a tensor would
//     own the node that owns it;
//   * inputs are watched for changes only if a rule keeps tensors (keeps_tensors);
//   * a rule may have a second form that adds to a gradient in place: see in_place().
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/base/pool.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/node.h"

namespace heed {

// The gradient gathered at an input so far, for rules that add to it in place.
struct GradientSum {
    BackwardPass& pass;
    Node& input;
    // The sum as memory of the input's shape that nobody else sees. If nothing has arrived yet it
    // holds zeros; or, if `fresh` is given, any numbers at all, and *fresh is true.
    Tensor& open(bool* fresh = nullptr) const { return pass.gathered(input, fresh); }
};

// A rule in two forms: rule(g) gives the gradient; add_to(g, GradientSum) adds it to the sum in
// place, which is used when the gradient is not to be differentiated again. It pays for inputs of
// which each operation reads a part (slices, rows of a table) and for weights used many times.
template <class Rule, class AddTo>
struct InPlaceRule {
    Rule rule{};
    AddTo add_to;
};
template <class Rule, class AddTo>
InPlaceRule<Rule, AddTo> in_place(Rule rule, AddTo add_to) {
    return {std::move(rule), std::move(add_to)};
}

// The memory of a result, for rules that need the result again.
class KeptResult {
  public:
    KeptResult() = default;
    KeptResult(const KeptResult&) = delete;
    ~KeptResult() { drop(); }
    void keep(const Tensor& value);  // a fresh, row-major tensor
    void drop() {
        if (storage_) release();
    }
    // The result as a tensor again, the value of `node`; not defined if none was kept.
    Tensor tensor(Node* node) const { return storage_ ? restored(node) : Tensor(); }
    bool unchanged() const;  // since it was kept, or nothing was kept

  private:
    void release();
    Tensor restored(Node* node) const;

    Storage* storage_ = nullptr;
    uint32_t version_ = 0;
};

// Whether a rule reads tensors besides those it is given: a lambda that has captured one has work to
// do when it is destroyed. What it reads is watched for changes: all inputs of its operation.
template <class Rule>
inline constexpr bool keeps_tensors = !std::is_trivially_destructible_v<Rule>;

// The rule of an input that gets no gradient, but that other rules read: a mask. The input is given
// as a constant, detach(mask).
struct NoGradient {
    Tensor operator()(const Tensor&) const { return {}; }
};

template <class Rule>
inline constexpr bool takes_result = std::is_invocable_v<const Rule&, const Tensor&, const Tensor&>;

// The node of an operation with one rule for each input.
template <class... Rules>
struct Operation final : Node {
    static constexpr std::size_t count = sizeof...(Rules);
    Input input_array[count];
    KeptResult result;
    std::tuple<std::optional<Rules>...> rules;  // of the inputs that need a gradient

    Operation(const char* name, const Tensor& value, const std::array<const Tensor*, count>& xs,
              Rules... all)
        : Node(name, value), rules(std::move(all)...) {
        inputs = input_array;
        input_count = count;

        bool read_again = false, result_wanted = false;
        for_each_input([&]<class Rule>(std::size_t i, const std::optional<Rule>&) {
            read_again |= keeps_tensors<Rule> && xs[i]->defined() && xs[i]->requires_grad();
        });
        for_each_input([&]<class Rule>(std::size_t i, std::optional<Rule>& rule) {
            connect(input_array[i], *xs[i], read_again);
            if (input_array[i].node)
                result_wanted |= takes_result<Rule>;
            else
                rule.reset();
        });
        if (result_wanted) result.keep(value);
    }
    ~Operation() override { disconnect(); }
    void drop_rules() override {
        for_each_input([](std::size_t, auto& rule) { rule.reset(); });
        result.drop();
    }
    bool result_unchanged() const override { return result.unchanged(); }
    std::size_t bytes() const override { return sizeof(Operation); }

    void backward(BackwardPass& pass, const Tensor& g) override {
        const Tensor y = result.tensor(this);
        for_each_input([&](std::size_t i, const auto& rule) {
            if (Node* input = input_array[i].node; input && pass.wants(*input))
                apply(*rule, pass, *input, g, y);
        });
    }

  private:
    // f(i, the rule of input i)
    template <class F>
    void for_each_input(const F& f) {
        std::size_t i = 0;
        std::apply([&](auto&... rule) { (f(i++, rule), ...); }, rules);
    }
    template <class Rule>
    void apply(const Rule& rule, BackwardPass& pass, Node& input, const Tensor& g,
               const Tensor& y) {
        if constexpr (requires { rule.add_to; }) {
            if (grad_enabled())
                pass.accumulate(input, rule.rule(g), *this);
            else
                rule.add_to(g, GradientSum{pass, input});
        } else if constexpr (takes_result<Rule>) {
            pass.accumulate(input, rule(g, y), *this);
        } else {
            pass.accumulate(input, rule(g), *this);
        }
    }
};

// The node of an operation on any number of inputs: rule(i, g) for input i.
template <class Rule>
struct ManyInputs final : Node {
    std::vector<Input> input_list;
    std::optional<Rule> rule;

    ManyInputs(const char* name, const Tensor& value, const std::vector<Tensor>& xs, Rule rule_of)
        : Node(name, value), input_list(xs.size()), rule(std::move(rule_of)) {
        inputs = input_list.data();
        input_count = static_cast<uint32_t>(xs.size());
        for (std::size_t i = 0; i < xs.size(); ++i)
            connect(input_list[i], xs[i], keeps_tensors<Rule>);
    }
    ~ManyInputs() override { disconnect(); }
    void drop_rules() override { rule.reset(); }
    std::size_t bytes() const override { return sizeof(ManyInputs); }
    void backward(BackwardPass& pass, const Tensor& g) override {
        for (std::size_t i = 0; i < input_list.size(); ++i)
            if (Node* input = input_list[i].node; input && pass.wants(*input))
                pass.accumulate(*input, (*rule)(i, g), *this);
    }
};

// The node of a fused kernel: one function for all gradients, and its definition.
template <std::size_t count, class Definition, class Backward>
struct FusedOperation final : Node {
    struct Kept {
        std::array<Tensor, count> xs;
        Definition definition;
        Backward backward;
    };
    Input input_array[count];
    KeptResult result;
    std::optional<Kept> kept;

    FusedOperation(const char* name, const Tensor& value, const std::array<Tensor, count>& xs,
                   Definition definition, Backward backward)
        : Node(name, value), kept{{xs, std::move(definition), std::move(backward)}} {
        inputs = input_array;
        input_count = count;
        for (std::size_t i = 0; i < count; ++i) connect(input_array[i], xs[i], true);
        if (takes_result<Backward>) result.keep(value);
    }
    ~FusedOperation() override { disconnect(); }
    void drop_rules() override {
        kept.reset();
        result.drop();
    }
    bool result_unchanged() const override { return result.unchanged(); }
    std::size_t bytes() const override { return sizeof(FusedOperation); }

    void backward(BackwardPass& pass, const Tensor& g) override {
        auto gradients = grad_enabled() ? through_definition(pass, g) : through_kernel(g);
        for (std::size_t i = 0; i < count; ++i)
            if (Node* input = input_array[i].node; input && pass.wants(*input))
                pass.accumulate(*input, std::move(gradients[i]), *this);
    }

  private:
    std::array<Tensor, count> through_kernel(const Tensor& g) {
        if constexpr (takes_result<Backward>)
            return kept->backward(g, result.tensor(this));
        else
            return kept->backward(g);
    }
    std::array<Tensor, count> through_definition(BackwardPass& pass, const Tensor& g) {
        const auto definition = [this](const std::vector<Tensor>& xs) {
            return [&]<std::size_t... i>(std::index_sequence<i...>) {
                return kept->definition(xs[i]...);
            }
            (std::make_index_sequence<count>());
        };
        std::vector<Tensor> all =
            pass.differentiate(definition, {kept->xs.begin(), kept->xs.end()}, g);
        std::array<Tensor, count> gradients;
        std::move(all.begin(), all.end(), gradients.begin());
        return gradients;
    }
};

template <class AnyNode, class... Arguments>
Tensor make_node(const char* name, Tensor value, Arguments&&... arguments) {
    Node* node = new (pool_allocate(sizeof(AnyNode)))
        AnyNode(name, value, std::forward<Arguments>(arguments)...);
    return attach(std::move(value), node);
}

}  // namespace heed
