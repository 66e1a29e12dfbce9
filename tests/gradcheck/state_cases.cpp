// Attention whose past is a state of fixed size.
#include "attention/states/linear_attention.h"
#include "attention/states/selective_scan.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

const Xs qkv{sample({2, 2, 5, 3}, -1, 1, 1), sample({2, 2, 5, 3}, -1, 1, 2),
             sample({2, 2, 5, 4}, -1, 1, 3)};
const Tensor gates_of_head = sample({2, 2, 5, 1}, -1, -0.1, 4),
             gates_of_row = sample({2, 2, 5, 3}, -1, -0.1, 5),
             betas = sample({2, 2, 5, 1}, 0.2, 1.5, 6),
             first_state = sample({2, 2, 3, 4}, -1, 1, 7);

Xs with(Xs xs, std::initializer_list<Tensor> more) {
    xs.insert(xs.end(), more);
    return xs;
}

// The context and the state after the last step.
Tensor context_and_state(const Xs& x, StateOptions options, const Tensor& state = {}) {
    Tensor after = state;
    options.state = &after;
    options.chunk = 2;
    const Tensor context = linear_attention(x[0], x[1], x[2], options);
    return concat({reshape(context, {-1}), reshape(after, {-1})}, 0);
}

std::vector<Case> states() {
    const auto joined_weights = [](const AttentionOutput& y) {
        return concat({reshape(y.context, {-1}), reshape(y.weights, {-1})}, 0);
    };
    const Xs positive{sample({2, 2, 5, 3}, 0.2, 1, 1), sample({2, 2, 5, 3}, 0.2, 1, 2), qkv[2]};
    return {
        {"linear_attention, the sum, from a state",
         [](const Xs& x) { return context_and_state(x, {}, x[3]); }, with(qkv, {first_state})},
        {"linear_attention, normalised, decay",
         [](const Xs& x) { return context_and_state(x, {.log_gate = x[3], .normalise = true}); },
         with(positive, {sample({2, 1, 1}, -1, -0.1, 4)})},
        {"linear_attention, gates of a head",
         [](const Xs& x) { return context_and_state(x, {.log_gate = x[3]}, x[4]); },
         with(qkv, {gates_of_head, first_state})},
        {"linear_attention, gates of each row",
         [](const Xs& x) { return context_and_state(x, {.log_gate = x[3]}, x[4]); },
         with(qkv, {gates_of_row, first_state})},
        {"linear_attention, the delta rule",
         [](const Xs& x) { return context_and_state(x, {.beta = x[3]}, x[4]); },
         with(qkv, {betas, first_state})},
        {"linear_attention, the delta rule with gates",
         [](const Xs& x) { return context_and_state(x, {.log_gate = x[3], .beta = x[4]}); },
         with(qkv, {gates_of_row, betas})},
        {"linear_attention_parallel with its weights, normalised",
         [=](const Xs& x) {
             return joined_weights(linear_attention_parallel(
                 x[0], x[1], x[2], {.log_gate = x[3], .normalise = true}));
         },
         with(positive, {gates_of_row})},
        {"linear_attention_parallel with its weights, the delta rule",
         [=](const Xs& x) {
             return joined_weights(
                 linear_attention_parallel(x[0], x[1], x[2], {.log_gate = x[3], .beta = x[4]}));
         },
         with(qkv, {gates_of_head, betas})},
        {"linear_attention_definition, the delta rule with gates",
         [](const Xs& x) {
             return linear_attention_definition(x[0], x[1], x[2], {.log_gate = x[3], .beta = x[4]});
         },
         with(qkv, {gates_of_row, betas})},
        {"elu_features", [](const Xs& x) { return elu_features(x[0]); }, {sample({2, 3})}},
        {"unit_lower_inverse",
         [](const Xs& x) { return unit_lower_inverse(x[0]); },
         {sample({2, 4, 4})}},
    };
}

std::vector<Case> scans() {
    const Xs inputs{sample({2, 4, 3}, -1, 1, 1), sample({2, 4, 3}, 0.1, 1, 2),
                    sample({3, 2}, -1.5, -0.2, 3), sample({2, 4, 2}, -1, 1, 4),
                    sample({2, 4, 2}, -1, 1, 5)};
    return {
        {"selective_scan", [](const Xs& x) { return selective_scan(x[0], x[1], x[2], x[3], x[4]); },
         inputs},
        {"selective_scan_definition from a state",
         [](const Xs& x) {
             Tensor state = x[5];
             const Tensor y = selective_scan_definition(x[0], x[1], x[2], x[3], x[4], &state);
             return concat({reshape(y, {-1}), reshape(state, {-1})}, 0);
         },
         with(inputs, {sample({2, 3, 2}, -1, 1, 6)})},
        {"selective_scan_definition",
         [](const Xs& x) { return selective_scan_definition(x[0], x[1], x[2], x[3], x[4]); },
         inputs},
    };
}

std::vector<Case> state_layers() {
    Rng rng(7);
    std::vector<Case> cases;
    for (StateRule rule : state_rules())
        cases.push_back(with_parameters(
            fmt::format("LinearAttention, {}", name_of(rule)),
            scattered(LinearAttention(
                {.width = 4, .heads = 2, .rule = rule, .most_beta = 2, .chunk = 2}, rng)),
            {sample({2, 3, 4})}, [](const LinearAttention& l, const Xs& x) { return l(x[0]); }));
    cases.push_back(with_parameters(
        "SelectiveStateSpace",
        scattered(SelectiveStateSpace({.width = 3, .numbers = 2, .rank = 2}, rng)),
        {sample({2, 3, 3})}, [](const SelectiveStateSpace& l, const Xs& x) { return l(x[0]); }));
    return cases;
}

const bool added_state = add_cases(states) && add_cases(scans) && add_cases(state_layers);

}  // namespace
}  // namespace heed
