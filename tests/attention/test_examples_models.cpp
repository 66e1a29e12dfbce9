// The examples of the headers about models and their layers; see test_examples.cpp.
#include <filesystem>

#include "attention/attention.h"
#include "nn/layers/losses.h"
#include "tests/attention/random.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {

const Indices sentences({3, 4, 5, 6, 7, 0}, {2, 3}), source_lengths{3, 2};
const Indices target_in({1, 8, 1, 9}, {2, 2}), target_out({8, 2, 9, 2}, {2, 2});

}  // namespace

TEST_CASE("the example of positions.h", "[attention]") {
    Rng rng(1);
    const Tensor embedded = random({2, 5, 64}), queries = random({2, 4, 5, 16}), keys = queries;
    Tensor x = AbsolutePositions({.kind = PositionKind::learned, .width = 64}, rng)(embedded);
    Tensor q = rotary(queries, 0), k = rotary(keys, 0);
    CHECK(x.shape() == embedded.shape());
    CHECK(largest_difference(q, k) == 0);
}

TEST_CASE("the example of self_attention.h", "[attention]") {
    Rng rng(1);
    const Tensor x = random({1, 3, 64});
    const std::vector<Tensor> tokens{slice(x, 1, 0, 1), slice(x, 1, 1, 2), slice(x, 1, 2, 3)};
    SelfAttention attention({.width = 64, .heads = 4}, {.kind = PositionKind::rotary}, rng);
    Tensor y = attention(x, {.causal = true});
    KeyValueCache cache;
    for (const Tensor& token : tokens) attention(token, {.causal = true, .cache = &cache});
    CHECK(y.shape() == x.shape());
    CHECK(cache[0].key.shape() == Shape{1, 4, 3, 16});
}

TEST_CASE("the example of latent_attention.h", "[attention]") {
    Rng rng(1);
    const Tensor x = random({1, 3, 64});
    const std::vector<Tensor> tokens{slice(x, 1, 0, 1), slice(x, 1, 1, 2), slice(x, 1, 2, 3)};
    LatentAttention attention({.width = 64, .heads = 4, .latent = 24, .rotary_width = 8}, rng);
    Tensor y = attention(x, {.causal = true});
    KeyValueCache cache;
    for (const Tensor& token : tokens) attention(token, {.causal = true, .cache = &cache});
    CHECK(y.shape() == x.shape());
    CHECK(cache[0].key.shape() == Shape{1, 1, 3, 24});
}

TEST_CASE("the example of speculative.h", "[attention]") {
    Rng rng(1);
    const GptSize size{.width = 16, .heads = 2, .layers = 1, .max_positions = 128};
    const LanguageModel target({.vocabulary = 9, .stack = gpt(size)}, rng),
        draft({.vocabulary = 9, .stack = gpt(size)}, rng);
    const Indices prompt({3, 4, 5}, {1, 3});
    Speculation s = speculative_decode(target.decodable(prompt), draft.decodable(prompt),
                                       {.draft = 4}, rng, {.end = -1, .max_length = 100});
    const std::vector<int> text = s.hypothesis.tokens;
    const double share = double(s.accepted) / double(s.judged);
    CHECK(text.size() == 100);
    CHECK(share > 0.1);
    CHECK(share <= 1);
}

TEST_CASE("the example of published.h", "[attention]") {
    const std::string families = HEED_SOURCE_DIR "/tests/parity/families/";
    const std::string file = families + "llama", folder = families + "bert";
    const PublishedLanguageModel smol = load_language_model(file);
    const std::vector<int> ids = smol.tokenizer.encode("Attention is");
    Hypothesis more = greedy_decode(smol.model.decodable(Indices(ids, {1, std::ssize(ids)})),
                                    {.end = smol.end})[0];
    const PublishedEncoder mini = load_encoder(folder);
    Tensor x = sentence_vectors(mini, {"a dog", "a puppy"});
    CHECK(more.possible());
    CHECK(x.size(0) == 2);
    CHECK(largest_difference(sum(x * x, -1), ones({2})) < 1e-5);
}

TEST_CASE("the example of encoder.h", "[attention]") {
    Rng rng(1);
    const Indices ids = sentences, lengths = source_lengths;
    RecurrentEncoder encoder(50, 64, CellKind::gru, 32, {.bidirectional = true}, rng);
    EncoderOutput source = encoder(ids, lengths);
    CHECK(source.states.shape() == Shape{2, 3, 64});
    CHECK(source.summary.shape() == Shape{2, 64});
}

TEST_CASE("the example of recurrent_decoder.h", "[attention]") {
    Rng rng(1);
    const Indices ids = sentences, lengths = source_lengths;
    const RecurrentEncoder encoder(50, 8, CellKind::gru, 16, {.bidirectional = true}, rng);
    const Attention attention{AttentionScore(ScoreKind::additive, {.query = 16, .key = 32}, rng),
                              {}};
    const Tensor embedded = random({2, 4, 8}), token = select(embedded, 1, 0);
    const DecoderSizes sizes{.embedding = 8, .hidden = 16, .context = 32};
    RecurrentDecoder decoder(DecoderKind::bahdanau, CellKind::gru, sizes, attention, false, rng);
    PreparedSource source = decoder.prepare(encoder(ids, lengths));
    DecoderOutput all = decoder.run(embedded, source);
    RecurrentDecoderState state = decoder.start(source);
    DecoderOutput one = decoder.step(token, source, state);
    CHECK(all.features.shape() == Shape{2, 4, 16});
    CHECK(all.weights.shape() == Shape{2, 4, 3});
    CHECK(largest_difference(one.features, select(all.features, 1, 0)) < 1e-6);
    CHECK(largest_difference(one.weights, select(all.weights, 1, 0)) < 1e-6);
}

TEST_CASE("the example of encoder_decoder.h", "[attention]") {
    const Indices& source = sentences;
    Rng rng(1);
    EncoderDecoder model({.source_vocabulary = 50, .target_vocabulary = 60, .hidden = 64}, rng);
    auto [logits, weights] = model(source, source_lengths, target_in);
    backward(sequence_cross_entropy(logits, target_out, Vocabulary::pad));
    Hypothesis translation = greedy_decode(model.decodable(source, source_lengths))[0];
    CHECK(logits.shape() == Shape{2, 2, 60});
    CHECK(weights.shape() == Shape{2, 2, 3});
    CHECK(translation.tokens.size() <= 100);
}

TEST_CASE("the example of decode.h", "[attention][decode]") {
    const Indices& source = sentences;
    Rng rng(1);
    const EncoderDecoder translator({.source_vocabulary = 50, .target_vocabulary = 60}, rng);
    const Indices lengths;
    Decodable model = translator.decodable(source, lengths);
    Hypothesis greedy = greedy_decode(model)[0];
    Hypothesis searched = beam_search(model, {.beam = 5, .length_penalty = 0.6})[0];
    Hypothesis sampled = sample_decode(model, {.temperature = 0.8, .top_k = 40}, rng)[0];
    for (const Hypothesis& h : {greedy, searched, sampled}) CHECK(h.tokens.size() <= 100);

    struct Bigrams {
        Tensor table;  // [V, V], log-probabilities of the next token
        DecodingStep step(const Indices& tokens) { return {embedding(table, tokens)}; }
        void select_rows(const std::vector<int>&) {}  // there is no state to rearrange
    };
    const Tensor table = log_softmax(tensor({0, 0, 9, 0, 0, 9, 9, 0, 0}, {3, 3}));
    const DecodeOptions options{.start = 1, .end = 0};
    CHECK(greedy_decode(Decodable(Bigrams{table}, 1), options)[0].tokens == std::vector<int>{2});
}

TEST_CASE("the example of beam.h", "[attention][decode]") {
    const Indices& source = sentences;
    Rng rng(1);
    const EncoderDecoder translator({.source_vocabulary = 50, .target_vocabulary = 60}, rng);
    const Decodable model = translator.decodable(source);
    Hypothesis best = beam_search(model, {.beam = 5, .length_penalty = 0.6})[0];
    auto five = beam_search_n_best(model, {.beam = 5})[0];
    CHECK(best.tokens.size() <= 100);
    CHECK(five.size() == 5);
    CHECK(ranking_score(five[0], 0) >= ranking_score(five[1], 0));
}

TEST_CASE("the example of layers.h", "[attention]") {
    Rng rng(1);
    const int64_t T = 5;
    const Tensor x = random({2, T, 64});
    const Indices lengths{5, 3};
    TransformerEncoderLayer layer({.width = 64, .heads = 4, .pre_norm = true}, rng);
    Tensor y = layer(x, {.mask = padding_mask(lengths, T)});
    CHECK(y.shape() == x.shape());
}

TEST_CASE("the example of experts.h", "[attention]") {
    Rng rng(1);
    const Tensor x = random({2, 3, 64});
    TransformerEncoder stack({.width = 64, .layers = 2, .experts = 8, .experts_for_each_token = 2},
                             rng);
    std::vector<Tensor> router;
    const Tensor y = stack(x, {.causal = true, .router = &router});
    backward(mean(y * y) + 0.01 * balance_loss(router, 2));
    CHECK(router[1].shape() == Shape{2, 3, 8});
    const TransformerOptions one{
        .experts = 8, .experts_for_each_token = 1, .renormalise_experts = false};
    CHECK(TransformerEncoder(one, rng)(x).shape() == x.shape());
}

TEST_CASE("the example of stacks.h", "[attention]") {
    Rng rng(1);
    const int64_t T = 5;
    const Tensor x = random({2, T, 64});
    const Indices lengths{5, 3};
    TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 6}, rng);
    Tensor memory = encoder(x, {.mask = padding_mask(lengths, T)});
    CHECK(memory.shape() == x.shape());
}

TEST_CASE("the example of transformer.h", "[attention]") {
    const Indices& source = sentences;
    Rng rng(1);
    Transformer model({.source_vocabulary = 50,
                       .target_vocabulary = 60,
                       .stack = {.width = 64, .heads = 4, .layers = 2, .dropout = 0.1}},
                      rng);
    auto [logits, weights] = model(source, source_lengths, target_in, Mode::training(rng));
    backward(sequence_cross_entropy(logits, target_out, Vocabulary::pad));
    Hypothesis translation = greedy_decode(model.decodable(source, source_lengths))[0];
    CHECK(logits.shape() == Shape{2, 2, 60});
    CHECK_FALSE(weights.defined());
    CHECK(translation.tokens.size() <= 100);
}

TEST_CASE("the example of set_transformer.h", "[attention]") {
    Rng rng(1);
    const Tensor items = random({2, 5, 32});
    const Indices lengths{5, 3};
    InducedSetAttentionBlock encoder({.width = 32, .heads = 4, .inducing_points = 8}, rng);
    AttentionPoolingBlock pool({.width = 32, .heads = 4, .seeds = 1}, rng);
    const Tensor mask = padding_mask(lengths, items.size(1));
    Tensor z = pool(encoder(items, mask), mask);
    CHECK(z.shape() == Shape{2, 1, 32});
}

TEST_CASE("the example of language_model.h", "[attention]") {
    Rng rng(1);
    const Indices ids = target_in, next_ids = target_out, prompt({5, 6, 7}, {1, 3});
    LanguageModel model(
        {.vocabulary = 65,
         .stack = gpt({.width = 128, .heads = 4, .layers = 4, .max_positions = 64})},
        rng);
    backward(sequence_cross_entropy(model(ids), next_ids, -1));
    Hypothesis text = sample_decode(model.decodable(prompt), {.temperature = 0.8}, rng,
                                    {.end = -1, .max_length = 30})[0];
    CHECK(text.tokens.size() == 30);
}

TEST_CASE("the example of pytorch.h", "[attention]") {
    Rng rng(1);
    const TransformerOptions options{.width = 64, .heads = 4, .layers = 2, .final_norm = true};
    const TransformerEncoder theirs(options, rng);
    save_pytorch(theirs, "encoder.safetensors");

    TransformerEncoder encoder({.width = 64, .heads = 4, .layers = 2, .final_norm = true}, rng);
    load_pytorch(encoder, "encoder.safetensors");
    save_pytorch(encoder, "ours.safetensors");

    TransformerEncoder again(options, rng);
    load_pytorch(again, "ours.safetensors");
    const Tensor x = random({2, 5, 64});
    CHECK(largest_difference(again(x), theirs(x)) == 0);
}

TEST_CASE("the example of bert.h", "[attention]") {
    Rng rng(1);
    const Indices ids({101, 7592, 2088, 102, 101, 2748, 102, 0}, {2, 4}), lengths{4, 3};
    const int64_t T = 4;
    const Linear classifier(64, 3, rng);
    Bert model({.vocabulary = 30522}, rng);
    BertOutput y = model(ids, {.mask = padding_mask(lengths, T), .mode = Mode::evaluation()});
    Tensor logits = classifier(y.pooled);
    CHECK(logits.shape() == Shape{2, 3});

    BertForPretraining pretraining({.bert = {.vocabulary = 30522}}, rng);
    const MaskedTokens hidden = mask_tokens(ids, {.vocabulary = 30522, .mask_id = 103}, rng);
    backward(cross_entropy(pretraining(hidden.ids, {.mode = Mode::training(rng)}).tokens,
                           hidden.labels));
    CHECK(parameters(pretraining)[0].tensor.grad().defined());
}

TEST_CASE("the example of masked_tokens.h", "[attention]") {
    Rng rng(1);
    std::vector<int> words{101};
    for (int i = 0; i < 60; ++i) words.push_back(2000 + i);  // so many that some are hidden
    const Indices ids(words, {1, 61});
    const Embedding table(30522, 8, rng);
    const auto model = [&](const Indices& tokens) { return linear(table(tokens), table.weight); };
    MaskedTokens batch =
        mask_tokens(ids, {.vocabulary = 30522, .mask_id = 103, .special = {0, 101, 102}}, rng);
    Tensor loss = cross_entropy(model(batch.ids), batch.labels);
    CHECK(loss.item() > 0);
}

TEST_CASE("the example of vision_transformer.h", "[attention]") {
    Rng rng(1);
    const Tensor pictures = normal({2, 1, 28, 28}, 0, 1, rng);
    VisionTransformer model({.image = 28,
                             .patch = 7,
                             .classes = 10,
                             .stack = vit({.width = 64, .heads = 4, .layers = 2})},
                            rng);
    Tensor logits = model(pictures, Mode::training(rng));
    model.resize(56);
    CHECK(logits.shape() == Shape{2, 10});
    CHECK(model(normal({1, 1, 56, 56}, 0, 1, rng)).shape() == Shape{1, 10});
}

TEST_CASE("the example of conformer.h", "[attention]") {
    Rng rng(1);
    const Tensor frames = normal({2, 9, 64}, 0, 1, rng);
    const Indices lengths{9, 5};
    const int64_t T = 9;
    ConformerEncoder encoder({.width = 64, .heads = 4, .layers = 2, .kernel = 15}, rng);
    Tensor y = encoder(frames, {.mask = padding_mask(lengths, T), .mode = Mode::training(rng)});
    CHECK(y.shape() == Shape{2, 9, 64});
}

TEST_CASE("the example of contrastive.h", "[attention]") {
    Rng rng(1);
    const Tensor pictures = normal({3, 64}, 0, 1, rng), captions = normal({3, 32}, 0, 1, rng),
                 unseen = normal({2, 64}, 0, 1, rng),
                 captions_of_classes = normal({5, 32}, 0, 1, rng);
    ContrastivePair pair({.first_width = 64, .second_width = 32, .width = 16}, rng);
    Adam optimiser(parameters(pair), {.lr = 1e-3});
    backward(pair.loss(pictures, captions));
    optimiser.step();
    pair.clip();
    Indices named = nearest(pair.first(unseen), pair.second(captions_of_classes));
    CHECK(named.count() == 2);
}
