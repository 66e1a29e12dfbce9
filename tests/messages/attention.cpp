// Misuse of attention/.
#include "attention/attention.h"

#include "attention/hard/hard.h"
#include "tests/messages/messages.h"

namespace heed::messages {

std::vector<Chapter> attention_chapters() {
    static Rng rng(1);
    static const Tensor none, q = zeros({2, 3, 4}), wide = zeros({2, 3, 4}, Dtype::float64);
    static const Tensor heads4 = zeros({2, 2, 3, 4}), scores = zeros({2, 3, 4});
    static const Attention general{AttentionScore(ScoreKind::general, {.query = 4, .key = 3}, rng),
                                   {}};
    static const AttentionSpan local(SpanKind::local_p, {.half_window = 1, .query = 4}, rng);
    static const MultiHead heads({.width = 4, .heads = 2}, rng);
    static const SelfAttention self({.width = 4, .heads = 2}, {.kind = PositionKind::relative},
                                    rng);
    static const RelativePositions relative(
        {.kind = PositionKind::relative, .width = 4, .heads = 2}, rng);
    static const TransformerOptions small{.width = 4, .heads = 2, .layers = 1};
    static const RecurrentEncoder encoder(5, 3, CellKind::gru, 4, {}, rng);
    static const EncoderDecoder recurrent(
        {.source_vocabulary = 5, .target_vocabulary = 5, .embedding = 3, .hidden = 4}, rng);
    static const Transformer transformer(
        {.source_vocabulary = 5, .target_vocabulary = 5, .stack = small}, rng);
    static const LanguageModel gpt_model({.vocabulary = 5, .stack = small}, rng);
    static const Indices two({1, 2, 1, 2}, {2, 2}), one({1, 2}, {1, 2});
    static const auto source = [] { return recurrent.decoder.prepare(recurrent.encoder(two)); };
    static const auto wrong_step = [] {
        struct TwoRows {
            DecodingStep step(const Indices&) { return {zeros({2, 4})}; }
            void select_rows(const std::vector<int>&) {}
        };
        return Decodable(TwoRows{}, 1);
    };
    const std::string setting =
        "Rng rng(1);\n"
        "const Tensor none, q = zeros({2, 3, 4}), wide = zeros({2, 3, 4}, Dtype::float64);\n"
        "const Tensor heads4 = zeros({2, 2, 3, 4}), scores = zeros({2, 3, 4});\n"
        "// layers and models of width 4 with 2 heads, vocabularies of 5 (tests/messages/attention.cpp)";
    return {
        {"Soft attention", setting,
         {
             CALL(AttentionScore(ScoreKind::additive, {.query = 4, .key = 4}, rng).of(zeros({2, 3, 4}), zeros({2, 5, 6}))),
             CALL(AttentionScore(ScoreKind::general, {.query = 4, .key = 4}, rng).of(zeros({2, 3, 5}), zeros({2, 5, 4}))),
             CALL(AttentionScore(ScoreKind::dot, {.query = 4, .key = 4}, rng).of(zeros({2, 3, 4}), zeros({2, 5, 6}))),
             CALL(AttentionScore(ScoreKind::scaled_dot, {.query = 4, .key = 4}, rng).of(zeros({2, 3, 4}), zeros({1, 5, 4}))),
             CALL(AttentionScore(ScoreKind::content, {.query = 4, .key = 4}, rng).of(zeros({3, 4}), zeros({2, 5, 4}))),
             CALL(AttentionScore(ScoreKind::location, {.query = 4, .key = 4}, rng).of(zeros({2, 3, 4}), zeros({2, 101, 4}))),
             CALL(AttentionScore(ScoreKind::dot, {.query = 4, .key = 3}, rng)),
             CALL(score_kind("cosine")),
             CALL(padding_mask(Indices({1, 2}, {2, 1}), 3)),
             CALL(causal_mask(4, 3)),
             CALL(sliding_window_mask(3, 3, -1, 0)),
             CALL(combine({zeros({2, 1, 5}), zeros({4, 4})})),
             CALL_OF("f", check_mask(zeros({3, 4}), {2, 3, 5}, "f")),
             CALL(additive_scores(zeros({2, 3, 4}), zeros({2, 5, 6}), zeros({4}))),
             CALL(additive_scores_definition(zeros({2, 3, 4}), zeros({1, 5, 4}), zeros({4}))),
             CALL(attention_weights(zeros({2, 3, 5}), zeros({2, 5}))),
             CALL(soft_attention(zeros({2, 3, 5}), zeros({2, 4, 6}))),
             CALL_OF("AttentionSpan", local.weights(zeros({2, 3, 5}), zeros({2, 3, 6}))),
             CALL_OF("Attention", general.prepare(zeros({2, 5, 3}), zeros({2, 4, 3}))),
             CALL(scaled_dot_product_attention(zeros({2, 2, 3, 4}), zeros({2, 2, 5, 3}), zeros({2, 2, 5, 4}))),
             CALL(scaled_dot_product_definition(zeros({2, 3, 4}), zeros({2, 5, 4}), zeros({2, 5, 4}))),
             CALL_OF("MultiHead", heads(zeros({2, 3, 4}), zeros({2, 5, 4}), zeros({2, 6, 4}))),
             CALL_OF("MultiHead", heads(zeros({2, 3, 6}), zeros({2, 5, 4}), zeros({2, 5, 4}))),
             CALL_OF("MultiHead", heads.split_heads(zeros({2, 3, 5}))),
             CALL_OF("MultiHead", heads.join_heads(zeros({2, 3, 4, 2}))),
             CALL_OF("SelfAttention", self(zeros({2, 3, 4}), {.mask = zeros({3, 1, 3})})),
             CALL(attention_dropout_mask({2, 3, 4}, 0.5, 1)),
             CALL(keys_and_values(heads, zeros({3, 4}))),
             CALL(AttentionPooling({.width = 3}, rng)(zeros({2, 4, 5}))),
             CALL(MultiHeadPooling({.width = 4}, rng)(zeros({4, 4}))),
             CALL(gaussian_scores(zeros({1, 2, 3}), zeros({1, 2, 4}), 1)),
             CALL(nadaraya_watson(zeros({1, 2, 3}), zeros({1, 5, 3}), zeros({1, 4, 2}), 1)),
             CALL(sinusoidal_positions(0, 3, 5)),
             CALL(rotary(zeros({2, 3}), 0)),
             CALL(alibi_bias(2, 4, 3)),
             CALL(alibi_slopes(0)),
             CALL(AbsolutePositions({.width = 4}, rng)(zeros({3, 4}))),
             CALL_OF("RelativePositions", relative.bias(zeros({2, 2, 3, 4}), 3)),
             CALL_OF("RelativePositions", relative.context(zeros({2, 3, 3}))),
             CALL(AttentionScore(ScoreKind::additive, {.query = 4, .key = 4}, rng).of(none, q)),
             CALL(AttentionScore(ScoreKind::dot, {.query = 4, .key = 4}, rng).of(q, none)),
             CALL(AttentionScore(ScoreKind::scaled_dot, {.query = 4, .key = 4}, rng).of(q, wide)),
             CALL(additive_scores(none, q, zeros({4}))),
             CALL(additive_scores(q, wide, zeros({4}))),
             CALL(attention_weights(none)),
             CALL(attention_weights(scalar(1))),
             CALL(soft_attention(none, q)),
             CALL(soft_attention(zeros({2, 3, 5}), none)),
             CALL(soft_attention(zeros({2, 3, 3}), wide)),
             CALL_OF("Attention", general.prepare(none, q)),
             CALL_OF("Attention", general(q, {})),
             CALL_OF("AttentionSpan", local.weights(none, q)),
             CALL(scaled_dot_product_attention(none, q, q)),
             CALL(scaled_dot_product_attention(heads4, heads4, zeros({2, 2, 3, 4}, Dtype::float64))),
             CALL(scaled_dot_product_attention(heads4, heads4, heads4, {.mask = zeros({2, 5})})),
             CALL(scaled_dot_product_attention(heads4, heads4, heads4, {.bias = zeros({2, 5})})),
             CALL(scaled_dot_product_attention(heads4, heads4, heads4, {.dropout = 1})),
             CALL(scaled_dot_product_attention(zeros({1, 1, 4, 4}), zeros({1, 1, 3, 4}), zeros({1, 1, 3, 4}), {.causal = true})),
             CALL_OF("MultiHead", heads(none, q, q)),
             CALL_OF("MultiHead", heads(q, wide, wide)),
             CALL(MultiHead({.width = 5, .heads = 2}, rng)),
             CALL_OF("MultiHead", heads(q, q, q, {.mask = zeros({2, 5})})),
             CALL_OF("SelfAttention", self(none)),
             CALL_OF("SelfAttention", self(zeros({3, 4}))),
             CALL(keys_and_values(heads, none)),
             CALL(AttentionPooling({.width = 3}, rng)(none)),
             CALL(MultiHeadPooling({.width = 4}, rng)(none)),
             CALL(gaussian_scores(none, q, 1)),
             CALL(gaussian_scores(q, q, 0)),
             CALL(nadaraya_watson(q, q, none, 1)),
             CALL(rotary(none, 0)),
             CALL(AbsolutePositions({.width = 4}, rng)(none)),
             CALL_OF("RelativePositions", relative.bias(none, 3)),
             CALL_OF("RelativePositions", relative.context(none)),
             CALL(padding_mask({2, 4}, 3)),
             CALL(padding_mask({-1}, 3)),
         }},
        {"Hard attention", setting,
         {
             CALL(log_weights(scores, zeros({5}))),
             CALL(categorical_log_prob(scores, {0, 1})),
             CALL(sample_categorical(scores, rng, zeros({2, 4}))),
             CALL(most_likely(scores, zeros({2, 4}))),
             CALL(categorical_entropy(scores, zeros({2, 4}))),
             CALL(values_at(zeros({2, 4, 5}), {0, 1, 2})),
             CALL(hard_attention(scores, zeros({2, 5, 3}), rng)),
             CALL(sample_location(zeros({2, 2}), 0, rng)),
             CALL(gaussian_log_prob(zeros({2, 2}), 1, zeros({2, 3}))),
             CALL(reinforce(zeros({4}), zeros({3, 2}))),
             CALL(score_function_term(zeros({4}), zeros({4, 2}), zeros({2}))),
             CALL(LearnedBaseline(3, rng).loss(zeros({4, 2}), zeros({5}))),
             CALL(leave_one_out(zeros({1, 4}))),
             CALL(optimal_baseline(zeros({4}), zeros({3, 2}))),
             CALL(log_prob_gradient_square(scores, {0, 1})),
             CALL(variational_bound(zeros({4}), zeros({3, 2}))),
             CALL(several_sample_bound(zeros({2, 4}), zeros({2, 3}))),
             CALL(bound_of(zeros({}))),
             CALL(marginal_log_likelihood(scores, zeros({2, 3, 5}))),
             CALL(posterior(scores, zeros({2, 4}))),
             CALL(expected_loss(scores, zeros({2, 4}))),
             CALL(all_paths(10, 7)),
             CALL(gumbel_softmax(scores, 1, rng, zeros({5}))),
             CALL(straight_through(scores, {0, 1})),
             CALL(straight_through_sample(scores, rng, zeros({5}))),
             CALL(straight_through_gumbel(scores, 1, rng, zeros({4}))),
             CALL(glimpse(zeros({1, 4, 4}), zeros({2, 2}))),
             CALL(patches(zeros({6, 8}), 2)),
             CALL(patch_centres(0, 2)),
             CALL(log_weights(none)),
             CALL(categorical_log_prob(scores, Indices({0, 1, 2, 3, 4, 0}, {2, 3}))),
             CALL(categorical_log_prob(none, {0})),
             CALL(sample_categorical(none, rng)),
             CALL(most_likely(none)),
             CALL(categorical_entropy(none)),
             CALL(values_at(none, {0, 1})),
             CALL(values_at(zeros({2, 4, 5}), {0, 4})),
             CALL(hard_attention(none, scores, rng)),
             CALL(sample_location(none, 1, rng)),
             CALL(gaussian_log_prob(none, 1, zeros({2, 2}))),
             CALL(reinforce(none, zeros({3}))),
             CALL(score_function_term(none, zeros({3}))),
             CALL(leave_one_out(none)),
             CALL(optimal_baseline(none, zeros({3}))),
             CALL(variational_bound(none, zeros({3}))),
             CALL(bound_of(none)),
             CALL(marginal_log_likelihood(none, scores)),
             CALL(posterior(none, scores)),
             CALL(expected_loss(none, scores)),
             CALL(gumbel_softmax(none, 1, rng)),
             CALL(gumbel_softmax(scores, 0, rng)),
             CALL(straight_through(none, {0})),
             CALL(glimpse(none, zeros({2, 2}))),
             CALL(patches(none, 2)),
             CALL(patches(zeros({1, 6, 8}), 4)),
         }},
        {"Models and decoding", setting,
         {
             CALL_OF("RecurrentEncoder", encoder(two, {1})),
             CALL_OF("RecurrentDecoder", recurrent.decoder.run(zeros({2, 3, 4}), source())),
             CALL_OF("RecurrentDecoder", recurrent.decoder.run(zeros({3, 3, 3}), source())),
             STATEMENTS("RecurrentDecoder", RecurrentDecoderState state = recurrent.decoder.start(source()); recurrent.decoder.step(zeros({2, 1, 3}), source(), state)),
             CALL_OF("RecurrentDecoder", recurrent.decoder.prepare({zeros({2, 3, 5}), zeros({2, 5}), {}})),
             CALL_OF("EncoderDecoder", recurrent(two, {}, one)),
             CALL(greedy_decode(wrong_step())),
             CALL(sample_decode(wrong_step(), {}, rng)),
             CALL(beam_search(wrong_step(), {.beam = 3})),
             CALL(beam_search_n_best(wrong_step(), {.beam = 3})),
             CALL(sampling_distribution({}, {})),
             CALL_OF("Decodable", Decodable(wrong_step()).select_rows({0, 2})),
             CALL(MultiHeadAttentionBlock({.width = 4}, rng)(zeros({2, 3, 4}), zeros({1, 3, 4}))),
             CALL(SetAttentionBlock({.width = 4}, rng)(zeros({2, 3, 5}))),
             CALL(InducedSetAttentionBlock({.width = 4}, rng)(zeros({2, 3, 5}))),
             CALL(AttentionPoolingBlock({.width = 4}, rng)(zeros({2, 3, 5}))),
             CALL(FeedForward(small, rng)(zeros({2, 3, 5}))),
             CALL_OF("TransformerEncoderLayer", transformer.encoder.layers[0](zeros({3, 4}))),
             CALL_OF("TransformerDecoderLayer", transformer.decoder.layers[0](zeros({2, 3, 4}), zeros({1, 5, 4}))),
             STATEMENTS("TransformerEncoder", KeyValueCache two_layers(2); transformer.encoder(zeros({2, 3, 4}), {}, &two_layers)),
             CALL_OF("TransformerDecoder", transformer.decoder(zeros({2, 3, 4}), zeros({1, 5, 4}), {})),
             CALL_OF("Transformer", transformer(two, {}, one)),
             CALL_OF("LanguageModel", gpt_model({1, 2})),
             CALL_OF("RecurrentEncoder", encoder({1, 2}, {})),
             CALL_OF("RecurrentEncoder", encoder(two, {1, 3})),
             CALL_OF("RecurrentEncoder", encoder(Indices({1, 7}, {1, 2}), {})),
             CALL_OF("EncoderDecoder", recurrent(two, {1, 5}, two)),
             CALL_OF("RecurrentDecoder", recurrent.decoder.run(none, source())),
             CALL(FeedForward(small, rng)(none)),
             CALL_OF("TransformerEncoderLayer", transformer.encoder.layers[0](none)),
             CALL_OF("TransformerDecoderLayer", transformer.decoder.layers[0](none, q)),
             CALL_OF("TransformerEncoder", transformer.encoder(none)),
             CALL_OF("TransformerEncoder", transformer.encoder(zeros({2, 3, 5}))),
             CALL_OF("TransformerDecoder", transformer.decoder(q, none, {})),
             CALL_OF("Transformer", transformer(two, {1, 5}, two)),
             CALL_OF("Transformer", transformer(Indices({1, 9}, {1, 2}), {}, one)),
             CALL_OF("LanguageModel", gpt_model(Indices({1, 9}, {1, 2}))),
             CALL_OF("LanguageModel", LanguageModel({.vocabulary = 0}, rng)),
             CALL(SetAttentionBlock({.width = 4}, rng)(none)),
             CALL(InducedSetAttentionBlock({.width = 4}, rng)(none)),
             CALL(AttentionPoolingBlock({.width = 4}, rng)(none)),
             CALL(MultiHeadAttentionBlock({.width = 4}, rng)(none, q)),
         }},
    };
}

}  // namespace heed::messages
