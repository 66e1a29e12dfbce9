// Wrong shapes for whole models and their layers; see shape_errors.h.
#include "attention/attention.h"
#include "tests/attention/shape_errors.h"

namespace heed::shape_errors {

std::vector<Row> model_rows() {
    static Rng rng(1);
    static const TransformerOptions small{.width = 4, .heads = 2, .layers = 1};
    static const RecurrentEncoder encoder(5, 3, CellKind::gru, 4, {}, rng);
    static const EncoderDecoder recurrent(
        {.source_vocabulary = 5, .target_vocabulary = 5, .embedding = 3, .hidden = 4}, rng);
    static const Transformer transformer(
        {.source_vocabulary = 5, .target_vocabulary = 5, .stack = small}, rng);
    static const LanguageModel gpt_model({.vocabulary = 5}, rng);
    static const BertForPretraining bert(
        {.bert = {.vocabulary = 5, .max_positions = 3, .stack = small}}, rng);
    static const SparseGraph graph(3, {0, 1}, {1, 2}), bipartite(3, 2, {0}, {1});
    static const Indices two({1, 2, 1, 2}, {2, 2}), one({1, 2}, {1, 2});
    static const auto source = [] { return recurrent.decoder.prepare(recurrent.encoder(two)); };
    static const auto wrong_step = [] {
        struct TwoRows {
            DecodingStep step(const Indices&) { return {z({2, 4})}; }
            void select_rows(const std::vector<int>&) {}
        };
        return Decodable(TwoRows{}, 1);
    };
    return {
        {"RecurrentEncoder", [] { encoder(two, {1}); },
         "1 lengths for ids [2, 2]; there is one for each row"},
        {"RecurrentDecoder",
         [] {
             recurrent.decoder.run(z({2, 3, 4}), source());
         },
         "embedded targets [2, 3, 4]; expected [..., 3], the width this decoder was made for"},
        {"RecurrentDecoder",
         [] {
             recurrent.decoder.run(z({3, 3, 3}), source());
         },
         "embedded targets [3, 3, 3] for a source of 2 sentences; expected [B, T, E]"},
        {"RecurrentDecoder",
         [] {
             RecurrentDecoderState state = recurrent.decoder.start(source());
             recurrent.decoder.step(z({2, 1, 3}), source(), state);
         },
         "an embedded token [2, 1, 3] for a source of 2 sentences; expected [B, E]"},
        {"RecurrentDecoder",
         [] {
             recurrent.decoder.prepare({z({2, 3, 5}), z({2, 5}), {}});
         },
         "a source with summary [2, 5]; expected [B, 4], the context this decoder was made for"},
        {"EncoderDecoder", [] { recurrent(two, {}, one); },
         "source [2, 2] and target [1, 2]; expected ids [B, K] and [B, T] with the same B"},
        {"greedy_decode", [] { greedy_decode(wrong_step()); },
         "the step gave log-probabilities [2, 4] for 1 rows; expected [N, V]"},
        {"sample_decode", [] { sample_decode(wrong_step(), {}, rng); },
         "the step gave log-probabilities [2, 4] for 1 rows; expected [N, V]"},
        {"beam_search", [] { beam_search(wrong_step(), {.beam = 3}); },
         "the step gave log-probabilities [2, 4] for 3 rows; expected [N, V]"},
        {"beam_search_n_best", [] { beam_search_n_best(wrong_step(), {.beam = 3}); },
         "the step gave log-probabilities [2, 4] for 3 rows; expected [N, V]"},
        {"sampling_distribution", [] { sampling_distribution({}, {}); }, "no log-probabilities"},
        {"select_rows",
         [] {
             Decodable(wrong_step()).select_rows({0, 2});
         },
         "row 2 of a model with 1 rows"},
        {"MultiHeadAttentionBlock",
         [] {
             MultiHeadAttentionBlock({.width = 4}, rng)(z({2, 3, 4}), z({1, 3, 4}));
         },
         "query [2, 3, 4], key [1, 3, 4], value [1, 3, 4]"},
        {"SetAttentionBlock",
         [] {
             SetAttentionBlock({.width = 4}, rng)(z({2, 3, 5}));
         },
         "[2, 3, 5]"},
        {"InducedSetAttentionBlock",
         [] {
             InducedSetAttentionBlock({.width = 4}, rng)(z({2, 3, 5}));
         },
         "x [2, 3, 5]; expected [B, K, 4]"},
        {"AttentionPoolingBlock",
         [] {
             AttentionPoolingBlock({.width = 4}, rng)(z({2, 3, 5}));
         },
         "x [2, 3, 5]; expected [B, K, 4]"},
        {"FeedForward",
         [] {
             FeedForward(small, rng)(z({2, 3, 5}));
         },
         "expected [..., 4], the width this layer was made for, got [2, 3, 5]"},
        {"TransformerEncoderLayer",
         [] {
             transformer.encoder.layers[0](z({3, 4}));
         },
         "x [3, 4]; expected [B, T, D]"},
        {"TransformerDecoderLayer",
         [] {
             transformer.decoder.layers[0](z({2, 3, 4}), z({1, 5, 4}));
         },
         "x [2, 3, 4] and memory [1, 5, 4]; expected [B, T, D] and [B, K, D] with the same B"},
        {"TransformerEncoder",
         [] {
             KeyValueCache two_layers(2);
             transformer.encoder(z({2, 3, 4}), {}, &two_layers);
         },
         "a cache of 2 layers for a stack of 1; a cache belongs to its model"},
        {"TransformerDecoder",
         [] {
             transformer.decoder(z({2, 3, 4}), z({1, 5, 4}), {});
         },
         "x [2, 3, 4] and memory [1, 5, 4]; expected [B, T, D] and [B, K, D] with the same B"},
        {"Transformer", [] { transformer(two, {}, one); },
         "source [2, 2] and target [1, 2]; expected ids [B, K] and [B, T] with the same B"},
        {"LanguageModel",
         [] {
             gpt_model({1, 2});
         },
         "ids [2]; expected [B, T]"},
        {"BertEmbeddings", [] { bert.bert.embeddings(two, one); },
         "ids [2, 2] and segments [1, 2]; expected [B, T] for both"},
        {"Bert",
         [] {
             bert.bert({1, 2});
         },
         "ids [2] and segments [2]; expected [B, T] for both"},
        {"BertForPretraining", [] { bert(Indices({1, 2, 3, 4}, {1, 4})); },
         "position 3, but only 3 positions were learned"},
        {"MaskedTokenHead", [] { bert.head(z({2, 3})); }, "expected [..., 4]"},
        {"mask_tokens",
         [] {
             mask_tokens({1, 5}, {.vocabulary = 5, .mask_id = 4}, rng);
         },
         "index 5 at [1] is outside [0, 5), the vocabulary"},
        {"graph_of_mask", [] { graph_of_mask(z({2, 3, 3})); },
         "expected a mask [Q, K] or [1, Q, K], got [2, 3, 3]"},
        {"graph_attention", [] { graph_attention(z({3, 1}), z({3, 1, 2}), graph); },
         "scores [3, 1] for a graph of 2 edges; expected [2, H]"},
        {"GraphAttention",
         [] {
             GraphAttention({.width = 4, .head_width = 2}, rng)(z({3, 5}), graph);
         },
         "x [3, 5] for a graph of 3 nodes; expected [3, 4]"},
        {"GraphAttentionV2",
         [] {
             GraphAttentionV2({.width = 4, .head_width = 2}, rng)(z({2, 4}), graph);
         },
         "x [2, 4] for a graph of 3 nodes; expected [3, 4]"},
        {"GraphConvolution", [] { GraphConvolution(4, 2, rng)(z({3, 5}), graph); },
         "x [3, 5] for a graph of 3 nodes; expected [3, 4]"},
        {"convolution_weights", [] { convolution_weights(bipartite); },
         "a graph from 3 sources to 2 targets; expected edges between the same nodes"},
    };
}

}  // namespace heed::shape_errors
