// The nodes of a graph: what an operation leaves behind so that gradients can flow back through it.
// Programs never meet them, and operations make them by record() in tape.h.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

bool grad_enabled();  // tape.h

class Walk;  // one run of backward: tape.cpp

// An input of a node: where its gradient goes. The version of a leaf's numbers must not have
// changed since.
struct Edge {
    Node* node = nullptr;  // null: a constant
    uint32_t version = 0;
};

struct Node {
    uint32_t references = 0;
    uint32_t edge_count = 0;
    uint64_t order;  // the place in the order of creation; inputs come before results
    const char* operation;
    Shape shape;
    Dtype dtype;
    Edge* edges = nullptr;
    Node* next_waiting = nullptr;
    Storage* watched = nullptr;  // of a leaf (which owns it) or a view of one: its numbers
    bool used_up = false;        // backward() has passed; the rules are gone
    bool on_path = false;        // in walk number `last_walk`: leads to an x of grad()
    uint64_t last_walk = 0;
    Tensor sum;   // the gradient gathered so far, while a walk is under way
    Tensor grad;  // of a leaf: where backward() leaves it
    Tensor remembered_value, remembered_grad;

    Node(const char* name, const Tensor& value);
    virtual ~Node();
    virtual void backward(Walk&, const Tensor& /*g*/) {}
    virtual void use_up() {}
    virtual std::size_t bytes() const { return sizeof(Node); }
    bool is_leaf() const { return edge_count == 0; }
    uint32_t version() const;  // how often the watched numbers were edited

  protected:
    static void connect(Edge& edge, const Tensor& input);
    void disconnect();  // by the destructor of whoever holds the edges
};

// Whether new nodes are to remember values: RememberValues in tape.h.
bool values_remembered();

void retain(Node* node);
void release(Node* node);  // never recurses: a chain of a million nodes is taken down in a loop

// Which inputs of a node want a gradient: bit i for input i.
using Wanted = uint32_t;

// The sum that an input's gradient is gathered in, handed to rules that can add to it in place.
struct GradientSum {
    Walk& walk;
    Node* node;
    bool empty() const { return !node->sum.defined(); }
    // Memory of the input's shape that nobody else sees; zeros when nothing was gathered yet, or
    // anything at all if `fresh` is given (it says whether nothing was).
    Tensor& open(bool* fresh = nullptr);
};

// A rule with a second form that adds to the gradient in place, used when no graph is wanted: for
// inputs of which each operation touches a part (slices, table rows), and for weights used many
// times.
template <class Rule, class AddTo>
struct InPlaceRule {
    Rule rule;     // (g) -> Tensor
    AddTo add_to;  // (g, GradientSum) -> void
};
template <class Rule, class AddTo>
InPlaceRule<Rule, AddTo> in_place(Rule rule, AddTo add_to) {
    return {std::move(rule), std::move(add_to)};
}

namespace tape {

// Services of the walk to the rules.
bool wants(Walk& walk, const Edge& edge);
void deposit(Walk& walk, const Edge& edge, Tensor gradient, const char* operation);

void* allocate_node(std::size_t bytes);
Tensor attach(Tensor value, Node* node);
Tensor result_again(Storage* storage, Node* node);  // y for a rule that needs it
Storage* keep_storage(const Tensor& value);
void drop_storage(Storage* storage);
bool should_record(const Tensor& x);

template <class Rule, class... Args>
inline constexpr bool takes = std::is_invocable_v<const Rule&, Args...>;
template <class Rule>
inline constexpr bool is_joint =
    takes<Rule, const Tensor&, Wanted> || takes<Rule, const Tensor&, const Tensor&, Wanted>;
template <class Rule>
inline constexpr bool needs_result =
    takes<Rule, const Tensor&, const Tensor&> || takes<Rule, const Tensor&, const Tensor&, Wanted>;

// The node of an operation with one rule per input, or with a single joint rule that computes the
// gradients of all inputs together.
template <int inputs, class... Rules>
struct Operation final : Node {
    Edge edge_array[inputs];
    Storage* result = nullptr;
    std::tuple<std::optional<Rules>...> rules;  // those of constants are gone, with what they kept

    static constexpr bool joint = (is_joint<Rules> || ...);

    Operation(const char* name, const Tensor& value, const Tensor* const (&xs)[inputs],
              Rules... all)
        : Node(name, value), rules(std::move(all)...) {
        edges = edge_array;
        edge_count = inputs;
        for (int i = 0; i < inputs; ++i) connect(edge_array[i], *xs[i]);
        if (drop_rules_of_constants(std::index_sequence_for<Rules...>()))
            result = keep_storage(value);
    }
    ~Operation() override {
        disconnect();
        if (result) drop_storage(result);
    }
    void use_up() override {
        std::apply([](auto&... rule) { (rule.reset(), ...); }, rules);
        if (result) drop_storage(result);
        result = nullptr;
    }
    std::size_t bytes() const override { return sizeof(Operation); }

    void backward(Walk& walk, const Tensor& g) override {
        Tensor y;
        if (result) y = result_again(result, this);
        if constexpr (joint)
            together(walk, g, y);
        else
            each(walk, g, y, std::make_index_sequence<inputs>());
    }

  private:
    // Returns whether one of the rules that are left needs the result.
    template <std::size_t... i>
    bool drop_rules_of_constants(std::index_sequence<i...>) {
        if constexpr (!joint) ((edge_array[i].node ? void() : std::get<i>(rules).reset()), ...);
        return ((needs_result<Rules> && std::get<i>(rules)) || ...);
    }
    template <std::size_t... i>
    void each(Walk& walk, const Tensor& g, const Tensor& y, std::index_sequence<i...>) {
        (one(walk, edge_array[i], std::get<i>(rules), g, y), ...);
    }
    template <class Rule>
    void one(Walk& walk, const Edge& edge, const std::optional<Rule>& kept, const Tensor& g,
             const Tensor& y) {
        if (!wants(walk, edge)) return;
        const Rule& rule = *kept;
        if constexpr (requires { rule.add_to; }) {
            if (grad_enabled())
                deposit(walk, edge, rule.rule(g), operation);
            else
                rule.add_to(g, GradientSum{walk, edge.node});
        } else if constexpr (needs_result<Rule>) {
            deposit(walk, edge, rule(g, y), operation);
        } else {
            deposit(walk, edge, rule(g), operation);
        }
    }
    template <class Rule>
    static auto gradients_of(const Rule& rule, const Tensor& g, const Tensor& y, Wanted wanted) {
        if constexpr (needs_result<Rule>)
            return rule(g, y, wanted);
        else
            return rule(g, wanted);
    }
    void together(Walk& walk, const Tensor& g, const Tensor& y) {
        Wanted wanted = 0;
        for (int i = 0; i < inputs; ++i) wanted |= Wanted{wants(walk, edge_array[i])} << i;
        auto gradients = gradients_of(*std::get<0>(rules), g, y, wanted);
        for (int i = 0; i < inputs; ++i)
            if (wanted >> i & 1) deposit(walk, edge_array[i], std::move(gradients[i]), operation);
    }
};

// The node of an operation on any number of inputs: rule(i, g) for input i.
template <class Rule>
struct ManyInputs final : Node {
    std::vector<Edge> edge_list;
    std::optional<Rule> rule;

    ManyInputs(const char* name, const Tensor& value, const std::vector<Tensor>& xs, Rule rule_of)
        : Node(name, value), edge_list(xs.size()), rule(std::move(rule_of)) {
        edges = edge_list.data();
        edge_count = static_cast<uint32_t>(xs.size());
        for (std::size_t i = 0; i < xs.size(); ++i) connect(edge_list[i], xs[i]);
    }
    ~ManyInputs() override { disconnect(); }
    void use_up() override { rule.reset(); }
    std::size_t bytes() const override { return sizeof(ManyInputs); }
    void backward(Walk& walk, const Tensor& g) override {
        for (std::size_t i = 0; i < edge_list.size(); ++i)
            if (wants(walk, edge_list[i])) deposit(walk, edge_list[i], (*rule)(i, g), operation);
    }
};

template <int inputs, class... Rules>
Tensor make_node(const char* name, Tensor value, const Tensor* const (&xs)[inputs],
                 Rules... rules) {
    using Op = Operation<inputs, Rules...>;
    Node* node = new (allocate_node(sizeof(Op))) Op(name, value, xs, std::move(rules)...);
    return attach(std::move(value), node);
}

}  // namespace tape

}  // namespace heed
