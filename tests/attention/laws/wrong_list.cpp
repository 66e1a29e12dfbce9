#include "tests/attention/laws/wrong_list.h"

#include "attention/laws/laws_detail.h"

namespace heed::wrong {

const std::vector<Right>& right_versions() {
    static const std::vector<Right> all = [] {
        const laws::Sizes even{.value_width = 4};
        const laws::Sizes square{.queries = 5};
        const Projections& p = projections_of(4);
        return std::vector<Right>{
            {"one head", {.name = "one head", .f = one_head, .parameters = {{"W", W()}}}},
            {"two heads", {.name = "two heads", .f = two_heads, .sizes = even, .heads = 2}},
            {"projected",
             {.name = "projected",
              .f = projected(two_heads),
              .sizes = even,
              .heads = 2,
              .parameters =
                  {{"query", p.query}, {"key", p.key}, {"value", p.value}, {"output", p.output}}}},
            {"causal",
             {.name = "causal", .f = causal(), .sizes = square, .parameters = {{"W", W()}}}},
            {"windowed",
             {.name = "windowed",
              .f = windowed(2, 1),
              .sizes = square,
              .reach = {2, 1},
              .parameters = {{"W", W()}}}},
            {"grouped",
             {.name = "grouped",
              .f = grouped,
              .sizes = {.query_width = 8, .value_width = 4},
              .heads = 4}},
            {"state", {.name = "state", .f = state(), .sizes = square}},
            {"delta", {.name = "delta", .f = delta(), .sizes = square}}};
    }();
    return all;
}

const std::vector<Wrong>& wrong_list() {
    static const std::vector<Wrong> all{
        {"mean of the values", "one head", mean_of_the_values, "weighted_mean", "contributes"},
        {"context of sharper weights", "one head", context_of_sharper_weights, "weighted_mean",
         "contributes"},
        {"context doubled", "one head", context_doubled, "heads_apart", "context"},
        {"maximum instead of sum", "one head", maximum_instead_of_sum, "weighted_mean", "context"},
        {"query added to the context", "one head", query_added_to_the_context, "weighted_mean",
         "with all values 0"},
        {"contexts rolled", "one head", contexts_rolled, "weighted_mean", "contributes"},
        {"last value column lost", "one head", last_value_column_lost, "every_value_counts",
         "element 2 of value 0"},
        {"values in another order", "one head", values_in_another_order, "permutation", "context"},
        {"key and value exchanged", "one head", key_and_value_exchanged, "distribution", "matmul"},
        {"weights depend on the values", "one head", weights_depend_on_the_values, "weighted_mean",
         "values replaced by 0"},
        {"never reads its query", "one head", never_reads_its_query, "every_query_counts", "stays"},
        {"mean of the queries", "one head", mean_of_the_queries, "queries_apart",
         "when query 0 of sequence 0 does"},
        {"scores centred over the queries", "one head", scores_centred_over_the_queries,
         "queries_apart", "when query"},
        {"last query element ignored", "one head", last_query_element_ignored, "every_query_counts",
         "element 3 of query 0"},
        {"temperature by query index", "one head", temperature_by_query_index, "query_order",
         "queries in the opposite order"},
        {"never looks at the keys", "one head", never_looks_at_the_keys, "every_key_counts",
         "stays"},
        {"last key element ignored", "one head", last_key_element_ignored, "every_key_counts",
         "element 3 of key 0"},
        {"prefers the end", "one head", prefers_the_end, "permutation", "permuted"},
        {"temperature by number of keys", "one head", temperature_by_number_of_keys,
         "padding_is_absent", "with padding beside that without"},
        {"softmax over the queries", "one head", softmax_over_the_queries, "distribution",
         "sum to"},
        {"weight for nothing", "one head", weight_for_nothing, "distribution", "sum to"},
        {"softmax without the maximum", "one head", softmax_without_the_maximum, "sharp_limit",
         "nan"},
        {"relu instead of exp", "one head", relu_instead_of_exp, "masked_keys", "is allowed"},
        {"squashed scores", "one head", squashed_scores, "sharp_limit", "expected 1"},
        {"softmax twice", "one head", softmax_twice, "sharp_limit", "expected 1"},
        {"softmax in float32", "one head", softmax_in_float32, "gradient", "with respect to"},
        {"quantised weights", "one head", quantised_weights, "gradient", "with respect to"},
        {"detached normaliser", "one head", detached_normaliser, "gradient", "with respect to"},
        {"mask inverted", "one head", mask_inverted, "masked_keys", "is allowed"},
        {"mask forgotten", "one head", mask_forgotten, "masked_keys", "is masked"},
        {"mask too small", "one head", mask_too_small, "masked_keys", "is masked"},
        {"mask by -1e9", "one head", mask_by_minus_1e9, "empty_rows", "no key is allowed"},
        {"large keys outweigh the penalty", "one head", large_keys_outweigh_the_penalty,
         "masked_keys", "is allowed"},
        {"masks merged over the queries", "one head", masks_merged_over_the_queries,
         "each_query_mask", "masked for this query"},
        {"scores times mask", "one head", scores_times_mask, "masked_keys", "is masked"},
        {"nothing allowed is NaN", "one head", nothing_allowed_is_nan, "distribution",
         "no allowed key"},
        {"NaN hidden forward", "one head", nan_hidden_forward, "empty_rows", "nan"},
        {"nothing allowed is the mean", "one head", nothing_allowed_is_the_mean, "empty_rows",
         "when keys and values do"},
        {"not normalised after masking", "one head", not_normalised_after_masking, "distribution",
         "sum to"},
        {"masked after the softmax", "one head", masked_after_the_softmax, "masked_keys", ""},
        {"first key always allowed", "one head", first_key_always_allowed, "each_query_mask",
         "key 0 is masked for this query"},
        {"mask of the first query", "one head", mask_of_the_first_query, "each_query_mask",
         "this query"},
        {"mask of the first sequence", "one head", mask_of_the_first_sequence, "masked_keys",
         "key"},
        {"padding leaks by the value", "one head", padding_leaks_by_the_value, "masked_keys",
         "padding made huge"},
        {"gradient through padding", "one head", gradient_through_padding, "masked_keys",
         "gradient of the masked value"},
        {"query detached", "one head", query_detached, "gradient", "with respect to the query"},
        {"key detached", "one head", key_detached, "gradient", "with respect to the key"},
        {"value detached", "one head", value_detached, "gradient", "with respect to the value"},
        {"weights detached", "one head", weights_detached, "gradient", "with respect to"},
        {"matrix detached", "one head", matrix_detached, "every_parameter",
         "depends on no parameter"},
        {"keys centred over the batch", "one head", keys_centred_over_the_batch, "batch_rows",
         "alone"},
        {"temperature by batch size", "one head", temperature_by_batch_size, "batch_rows", "alone"},
        {"weights of another sequence", "one head", weights_of_another_sequence, "batch_rows",
         "alone"},
        {"dropout at evaluation", "one head", dropout_at_evaluation(), "repeatable", "second call"},
        {"keys of the call before", "one head", keys_of_the_call_before(), "permutation",
         "permuted"},
        {"query scaled in its memory", "one head", query_scaled_in_its_memory, "repeatable",
         "the call changed its input"},
        {"sums in any order", "one head", sums_in_any_order(), "repeatable", "second call"},
        {"weights transposed", "one head", weights_transposed, "distribution",
         "the weights have shape [2, 5, 3]"},

        {"joined without transposing", "two heads", joined_without_transposing, "weighted_mean",
         "contributes"},
        {"split without transposing", "two heads", split_without_transposing, "permutation", ""},
        {"values of the other head", "two heads", values_of_the_other_head, "heads_apart",
         "context"},
        {"keys of the other head", "two heads", keys_of_the_other_head, "scaled_dot", "head 0"},
        {"heads joined in the other order", "two heads", heads_joined_in_the_other_order,
         "heads_apart", "context"},
        {"scores of the first head for all", "two heads", scores_of_the_first_head_for_all,
         "heads_apart", "of head 1"},
        {"contexts of the mean weights", "two heads", contexts_of_the_mean_weights, "heads_apart",
         "context"},
        {"softmax over the heads", "two heads", softmax_over_the_heads, "distribution", "sum to"},
        {"mask of the first head only", "two heads", mask_of_the_first_head_only, "masked_keys",
         "is masked"},
        {"second head detached", "two heads", second_head_detached, "gradient", "with respect to"},
        {"scale missing", "two heads", scale_missing, "scaled", "variance"},
        {"scaled by the full width", "two heads", scaled_by_the_full_width, "scaled_dot",
         "weights of head 0"},
        {"divided by the width", "two heads", divided_by_the_width, "scaled", "variance"},
        {"sign flipped", "two heads", sign_flipped, "scaled_dot", "weights of head 0"},
        {"tempered", "two heads", tempered, "scaled_dot", "weights of head 0"},

        {"groups interleaved", "grouped", groups_interleaved, "scaled_dot", "weights of head 1"},
        {"one group for all", "grouped", one_group_for_all, "every_key_counts", "of key 0"},
        {"values of the next group", "grouped", values_of_the_next_group, "heads_apart", "context"},
        {"one query for a group", "grouped", one_query_for_a_group, "scaled_dot",
         "weights of head 0"},
        {"scaled by the width of the keys", "grouped", scaled_by_the_width_of_the_keys,
         "scaled_dot", "weights of head 0"},

        {"projected, joined without transposing", "projected",
         projected(joined_without_transposing), "weighted_mean", "contributes"},
        {"projected, scale missing", "projected", projected(scale_missing), "scaled", "variance"},
        {"projected, query matrix detached", "projected", projected(two_heads, true),
         "every_parameter", "query [4, 4]"},
        {"projected, key matrix unused", "projected", projected(two_heads, false, true),
         "every_parameter", "key [4, 4]"},
        {"projected, context of sharper weights", "projected", projected([](T q, T k, T v, T mask) {
             return Out{two_heads(q * 2, k, v, mask).context, two_heads(q, k, v, mask).weights};
         }),
         "weighted_mean", "contributes"},
        {"projected, last value column lost", "projected",
         [](T q, T k, T v, T mask) {
             const int64_t width = v.size(2);
             return projected(two_heads)(q, k, pad(slice(v, 2, 0, width - 1), 2, 0, 1), mask);
         },
         "every_value_counts", "of value 0"},
        {"projected, mean of the values", "projected", projected([](T q, T k, T v, T mask) {
             return Out{mean_of_the_values(q, k, v, mask).context,
                        two_heads(q, k, v, mask).weights};
         }),
         "weighted_mean", "contributes"},

        {"sees one ahead", "causal", causal_shifted_by(1), "causal", "later"},
        {"misses itself", "causal", causal_shifted_by(-1), "causal", "is allowed"},
        {"the future is not hidden", "causal", one_head, "causal", "later"},
        {"causal mask inverted", "causal", causal_inverted, "causal", "is later"},
        {"future in the denominator", "causal", future_in_the_denominator, "causal",
         "when the later position"},
        {"future in the queries", "causal", future_in_the_queries, "causal",
         "when the later position"},
        {"past in the queries", "causal", past_in_the_queries, "queries_apart", "when query"},
        {"future in the gradient", "causal", future_in_the_gradient, "causal", "gradient"},
        {"values of the next position", "causal", values_of_the_next_position, "causal",
         "does not change when"},

        {"window too wide on the left", "windowed", windowed(3, 1), "window", "excluded"},
        {"window too narrow on the left", "windowed", windowed(1, 1), "window", "is allowed"},
        {"window too wide on the right", "windowed", windowed(2, 2), "window", "excluded"},
        {"window without the query itself", "windowed",
         [](T q, T k, T v, T) {
             const int64_t n = k.size(1);
             const Tensor band = sliding_window_mask(n, n, 2, 1, q.dtype());
             return soft_attention(score(q, k), v, band - eye(n, q.dtype()));
         },
         "window", "is allowed"},

        {"read before written", "state", read_before_written(), "causal", "is allowed"},
        {"state of all sequences", "state", state_of_all_sequences(), "batch_rows", "alone"},
        {"state detached", "state", state_detached(), "gradient", "with respect to"},
        {"last state for all", "state", last_state_for_all, "queries_apart", "when query"},
        {"state emptied every second step", "state", state_emptied_every_second_step(), "causal",
         "is allowed"},
        {"difference read by the query", "delta", difference_read_by_the_query(), "queries_apart",
         "when query"},
        {"difference detached", "delta", difference_detached(), "gradient", "with respect to"},
        {"strength of the value", "delta", strength_of_the_value(), "weighted_mean", ""},
    };
    return all;
}

laws::Subject subject_of(const Wrong& wrong) {
    for (const Right& right : right_versions())
        if (right.name == wrong.of) {
            laws::Subject subject = right.subject;
            subject.name = wrong.name;
            subject.f = wrong.f;
            return subject;
        }
    fail("there is no right version '{}'", wrong.of);
}

}  // namespace heed::wrong
