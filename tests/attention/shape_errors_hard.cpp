// Wrong shapes for hard attention; see shape_errors.h.
#include "attention/hard/hard.h"
#include "tests/attention/shape_errors.h"

namespace heed::shape_errors {

std::vector<Row> hard_rows() {
    static Rng rng(1);
    static const Tensor scores = z({2, 3, 4});
    return {
        {"log_weights", [] { log_weights(scores, z({5})); }, "log_weights: the mask [5] does not"},
        {"categorical_log_prob",
         [] {
             categorical_log_prob(scores, {0, 1});
         },
         "scores [2, 3, 4] and indices [2]; expected indices [2, 3], one for each row"},
        {"sample_categorical",
         [] {
             sample_categorical(scores, rng, z({2, 4}));
         },
         "sample_categorical: the mask [2, 4] does not"},
        {"most_likely",
         [] {
             most_likely(scores, z({2, 4}));
         },
         "mask [2, 4] does not broadcast"},
        {"categorical_entropy",
         [] {
             categorical_entropy(scores, z({2, 4}));
         },
         "categorical_entropy: the mask [2, 4] does not"},
        {"values_at",
         [] {
             values_at(z({2, 4, 5}), {0, 1, 2});
         },
         "value [2, 4, 5] and indices [3]; expected [B, K, D] and [B] or [B, Q] with the same B"},
        {"hard_attention",
         [] {
             hard_attention(scores, z({2, 5, 3}), rng);
         },
         "scores [2, 3, 4] and value [2, 5, 3]; expected [B, Q, K] and [B, K, D] with the same B"},
        {"sample_location",
         [] {
             sample_location(z({2, 2}), 0, rng);
         },
         "must be positive, got 0"},
        {"gaussian_log_prob",
         [] {
             gaussian_log_prob(z({2, 2}), 1, z({2, 3}));
         },
         "mean [2, 2] and location [2, 3] must have the same shape [..., D]"},
        {"reinforce",
         [] {
             reinforce(z({4}), z({3, 2}));
         },
         "loss [4] and log_prob [3, 2]; expected one loss a sample, [...], and log_prob [...] or"},
        {"score_function_term",
         [] {
             score_function_term(z({4}), z({4, 2}), z({2}));
         },
         "baseline [2] with loss [4] and log_prob [4, 2]; expected a number [], the shape of"},
        {"LearnedBaseline",
         [] {
             LearnedBaseline(3, rng).loss(z({4, 2}), z({5}));
         },
         "predictions [4, 2] and loss [5]; expected one loss a sample, [...], and predictions"},
        {"leave_one_out",
         [] {
             leave_one_out(z({1, 4}));
         },
         "loss [1, 4]; expected [S, ...] with at least 2 samples"},
        {"optimal_baseline",
         [] {
             optimal_baseline(z({4}), z({3, 2}));
         },
         "loss [4], products [3, 2], probability []; expected [N], [N, T] and [N]"},
        {"log_prob_gradient_square",
         [] {
             log_prob_gradient_square(scores, {0, 1});
         },
         "scores [2, 3, 4] and indices [2]; expected indices [2, 3], one for each row"},
        {"variational_bound",
         [] {
             variational_bound(z({4}), z({3, 2}));
         },
         "variational_bound: log_likelihood [4] and log_prob [3, 2]; expected one likelihood a"},
        {"several_sample_bound",
         [] {
             several_sample_bound(z({2, 4}), z({2, 3}));
         },
         "several_sample_bound: log_likelihood [2, 4] and log_prob [2, 3]; expected"},
        {"bound_of", [] { bound_of(z({})); }, "log_likelihood []; expected [M, ...]"},
        {"marginal_log_likelihood",
         [] {
             marginal_log_likelihood(scores, z({2, 3, 5}));
         },
         "scores [2, 3, 4] and log_likelihood [2, 3, 5] must have the same shape [..., K]: one"},
        {"posterior",
         [] {
             posterior(scores, z({2, 4}));
         },
         "posterior: scores [2, 3, 4] and log_likelihood [2, 4] must have the same shape"},
        {"expected_loss",
         [] {
             expected_loss(scores, z({2, 4}));
         },
         "expected_loss: scores [2, 3, 4] and loss [2, 4] must have the same shape"},
        {"all_paths", [] { all_paths(10, 7); }, "10 indices and 7 steps make more than a million"},
        {"gumbel_softmax", [] { gumbel_softmax(scores, 1, rng, z({5})); },
         "the mask [5] does not broadcast to the scores [2, 3, 4]"},
        {"straight_through",
         [] {
             straight_through(scores, {0, 1});
         },
         "weights [2, 3, 4] and indices [2]; expected [..., K] and [...]"},
        {"straight_through_sample", [] { straight_through_sample(scores, rng, z({5})); },
         "the mask [5] does not broadcast to the scores [2, 3, 4]"},
        {"straight_through_gumbel", [] { straight_through_gumbel(scores, 1, rng, z({4})); },
         "the mask [4] allows nothing in a row of the scores [2, 3, 4]"},
        {"glimpse",
         [] {
             glimpse(z({1, 4, 4}), z({2, 2}));
         },
         "image [1, 4, 4] and location [2, 2]; expected [B, Y, X] and [B, 2] with the same B"},
        {"patches",
         [] {
             patches(z({6, 8}), 2);
         },
         "image [6, 8]; expected a batch [B, Y, X] or"},
        {"patch_centres", [] { patch_centres(0, 2); }, "0 rows and 2 columns; expected at least 1"},
    };
}

}  // namespace heed::shape_errors
