// The recurrent encoder-decoder in all its arrangements.
#include "attention/decoding/beam.h"
#include "attention/recurrent/encoder_decoder.h"
#include "autograd/autograd.h"
#include "nn/layers/losses.h"
#include "nn/module/module.h"
#include "nn/optim/optimisers.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

EncoderDecoderOptions small() {
    EncoderDecoderOptions options;
    options.source_vocabulary = 7;
    options.target_vocabulary = 6;
    options.embedding = 3;
    options.hidden = 4;
    return options;
}

// Every decoder, cell, score and span at least once.
std::vector<EncoderDecoderOptions> arrangements() {
    std::vector<EncoderDecoderOptions> all;
    for (DecoderKind decoder : {DecoderKind::fixed, DecoderKind::bahdanau, DecoderKind::luong})
        for (CellKind cell : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm}) {
            all.push_back(small());
            all.back().decoder = decoder;
            all.back().cell = cell;
        }
    for (ScoreKind score : score_kinds()) {
        all.push_back(small());
        all.back().score = score;
    }
    for (DecoderKind decoder : {DecoderKind::bahdanau, DecoderKind::luong})
        for (SpanKind span : {SpanKind::local_m, SpanKind::local_p}) {
            all.push_back(small());
            all.back().decoder = decoder;
            all.back().span = span;
            all.back().half_window = 1;
        }
    all.push_back(small());
    all.back().decoder = DecoderKind::luong;
    all.back().input_feeding = true;
    all.push_back(small());
    all.back().bidirectional = false;
    all.back().encoder_layers = 2;
    return all;
}

std::string name_of(const EncoderDecoderOptions& o) {
    return fmt::format("{} {} {} {}{}", heed::name_of(o.decoder), heed::name_of(o.cell),
                       heed::name_of(o.score), heed::name_of(o.span),
                       o.input_feeding ? " input feeding" : "");
}

EncoderDecoder make(const EncoderDecoderOptions& options, uint64_t seed = 1) {
    Rng rng(seed);
    EncoderDecoder model(options, rng);
    to_dtype(model, Dtype::float64);
    return model;
}

double difference(const Tensor& a, const Tensor& b) {
    REQUIRE(a.shape() == b.shape());
    return max(abs(a - b)).item();
}

const Indices source({3, 4, 5, 6, 1, 2, 0, 0, 6, 3, 4, 0}, {3, 4});
const Indices lengths{4, 2, 3};
const Indices target({1, 3, 4, 5, 2, 1, 4, 4, 3, 2, 1, 5, 3, 0, 0}, {3, 5});

}  // namespace

TEST_CASE("one step at a time computes what all steps together do", "[attention]") {
    for (const EncoderDecoderOptions& options : arrangements()) {
        INFO(name_of(options));
        const EncoderDecoder model = make(options);
        const Seq2SeqOutput all = model(source, lengths, target);
        REQUIRE(all.logits.shape() == Shape{3, 5, 6});

        Decodable step_model = model.decodable(source, lengths);
        for (int64_t t = 0; t < 5; ++t) {
            std::vector<int> tokens;
            for (int64_t b = 0; b < 3; ++b) tokens.push_back(target.at({b, t}));
            const DecodingStep step = step_model.step(Indices(tokens));
            CHECK(difference(step.log_probabilities, log_softmax(select(all.logits, 1, t))) <
                  1e-12);
            REQUIRE(step.weights.defined() == all.weights.defined());
            if (all.weights.defined())
                CHECK(difference(step.weights, select(all.weights, 1, t)) < 1e-12);
        }
    }
}

TEST_CASE("a row of a batch is that row alone, without its padding", "[attention][laws]") {
    for (const EncoderDecoderOptions& options : arrangements()) {
        INFO(name_of(options));
        const EncoderDecoder model = make(options);
        const Seq2SeqOutput all = model(source, lengths, target);
        for (int64_t b = 0; b < 3; ++b) {
            std::vector<int> words, targets;
            for (int64_t k = 0; k < lengths[b]; ++k) words.push_back(source.at({b, k}));
            for (int64_t t = 0; t < 5; ++t) targets.push_back(target.at({b, t}));
            const Seq2SeqOutput alone =
                model(Indices(words, {1, lengths[b]}), {}, Indices(targets, {1, 5}));
            CHECK(difference(alone.logits, slice(all.logits, 0, b, b + 1)) < 1e-12);
            if (!all.weights.defined()) continue;
            const Tensor weights = slice(all.weights, 0, b, b + 1);
            CHECK(difference(alone.weights, slice(weights, 2, 0, lengths[b])) < 1e-12);
            CHECK(max(abs(weights)).item() > 0);
            if (lengths[b] < 4) CHECK(max(slice(weights, 2, lengths[b], 4)).item() == 0);
        }
    }
}

TEST_CASE("every parameter of every arrangement receives gradient", "[attention][laws]") {
    for (const EncoderDecoderOptions& options : arrangements()) {
        INFO(name_of(options));
        EncoderDecoder model = make(options);
        const Seq2SeqOutput y = model(source, lengths, target);
        Rng rng(2);
        backward(sum(y.logits * normal(y.logits.shape(), 0, 1, rng, Dtype::float64)));
        for (const Parameter& p : parameters(model)) {
            INFO(p.name);
            REQUIRE(p.tensor.grad().defined());
            CHECK(max(abs(p.tensor.grad())).item() > 1e-12);
        }
    }
}

TEST_CASE("teacher forcing at rate 1 is the fast path, at 0 the model's own words", "[attention]") {
    for (const EncoderDecoderOptions& options : arrangements()) {
        INFO(name_of(options));
        const EncoderDecoder model = make(options);
        Rng rng(1);
        const Seq2SeqOutput forced = model(source, lengths, target);
        const Seq2SeqOutput nearly = model(
            source, lengths, target, {.mode = Mode::training(rng), .teacher_forcing = 1 - 1e-12});
        CHECK(difference(forced.logits, nearly.logits) < 1e-12);

        // Fed its own tokens it generates those of greedy decoding.
        const Seq2SeqOutput free =
            model(source, lengths, target, {.mode = Mode::training(rng), .teacher_forcing = 0});
        const Indices words = argmax(free.logits);  // [B, T]
        const auto decoded =
            greedy_decode(model.decodable(source, lengths), {.end = -1, .max_length = 5});
        for (int64_t b = 0; b < 3; ++b)
            for (int64_t t = 0; t < 5; ++t) CHECK(decoded[b].tokens[t] == words.at({b, t}));
    }
}

TEST_CASE("batched decoding is decoding one by one", "[attention][decode]") {
    for (const EncoderDecoderOptions& options : arrangements()) {
        INFO(name_of(options));
        const EncoderDecoder model = make(options, 5);
        const DecodeOptions limits{.max_length = 8};
        const auto together = greedy_decode(model.decodable(source, lengths), limits);
        const auto beams =
            beam_search_n_best(model.decodable(source, lengths), {.beam = 3}, limits);
        for (int64_t b = 0; b < 3; ++b) {
            std::vector<int> words;
            for (int64_t k = 0; k < lengths[b]; ++k) words.push_back(source.at({b, k}));
            const Decodable one = model.decodable(Indices(words, {1, lengths[b]}));
            CHECK(greedy_decode(one, limits)[0].tokens == together[b].tokens);
            const auto beam = beam_search_n_best(one, {.beam = 3}, limits)[0];
            REQUIRE(beam.size() == beams[b].size());
            for (std::size_t i = 0; i < beam.size(); ++i) {
                CHECK(beam[i].tokens == beams[b][i].tokens);
                CHECK(beam[i].log_probability == Approx(beams[b][i].log_probability));
            }
        }
    }
}

TEST_CASE("with dropout the mode must be given, and training differs from evaluation",
          "[attention]") {
    EncoderDecoderOptions options = small();
    options.dropout = 0.5;
    const EncoderDecoder model = make(options);
    Rng rng(1);
    const auto logits = [&](Mode mode) {
        return model(source, lengths, target, {.mode = mode}).logits;
    };
    const Tensor still = logits(Mode::evaluation());
    CHECK(difference(still, logits(Mode::evaluation())) == 0);
    CHECK(difference(still, logits(Mode::training(rng))) > 1e-3);
    CHECK_THROWS_WITH(model(source, lengths, target),
                      ContainsSubstring("Dropout: training or evaluation?"));
    CHECK_NOTHROW(greedy_decode(model.decodable(source, lengths)));
}

TEST_CASE("with attention a model learns to reverse", "[attention]") {
    EncoderDecoderOptions options = small();
    options.source_vocabulary = options.target_vocabulary = 8;
    options.embedding = options.hidden = 24;
    Rng rng(3);
    EncoderDecoder model(options, rng);
    Adam optimiser(parameters(model), {.lr = 0.01});
    std::vector<int> in, fed, out;
    const auto draw_batch = [&](int rows, Rng& random) {
        in.clear(), fed.clear(), out.clear();
        for (int b = 0; b < rows; ++b) {
            std::vector<int> words;
            for (int k = 0; k < 5; ++k) words.push_back(static_cast<int>(3 + random.below(5)));
            in.insert(in.end(), words.begin(), words.end());
            fed.push_back(1);
            fed.insert(fed.end(), words.rbegin(), words.rend());
            out.insert(out.end(), words.rbegin(), words.rend());
            out.push_back(2);
        }
    };
    for (int step = 0; step < 250; ++step) {
        draw_batch(16, rng);
        const Seq2SeqOutput y = model(Indices(in, {16, 5}), {}, Indices(fed, {16, 6}));
        backward(sequence_cross_entropy(y.logits, Indices(out, {16, 6}), 0));
        optimiser.step();
        optimiser.zero_grad();
    }
    Rng fresh(99);  // sequences that were not in the last batches
    draw_batch(100, fresh);
    const auto decoded = greedy_decode(model.decodable(Indices(in, {100, 5})), {.max_length = 10});
    int right = 0;
    for (int b = 0; b < 100; ++b)
        right +=
            decoded[b].tokens == std::vector<int>(out.begin() + 6 * b, out.begin() + 6 * b + 5);
    CHECK(right >= 90);
}

TEST_CASE("the encoder-decoder refuses what does not fit", "[attention][errors]") {
    const EncoderDecoder model = make(small());
    CHECK_THROWS_WITH(model(source, lengths, Indices({1, 2}, {2, 1})),
                      ContainsSubstring("B is 3 in source [3, 4] and 2 in target_in [2, 1]"));
    CHECK_THROWS_WITH(model(source, Indices{4, 2}, target),
                      ContainsSubstring("B is 3 in source [3, 4] and 2 in lengths [2]"));
    CHECK_THROWS_WITH(model(source, Indices{4, 2, 5}, target), ContainsSubstring("5"));
    CHECK_THROWS_WITH(model(source, lengths, target, {.teacher_forcing = 0.5}),
                      ContainsSubstring("pass Mode::training(rng)"));
    EncoderDecoderOptions odd = small();
    odd.hidden = 5;
    CHECK_THROWS_WITH(make(odd), ContainsSubstring("hidden is 5"));
    odd = small();
    odd.target_vocabulary = 0;
    CHECK_THROWS_WITH(make(odd), ContainsSubstring("target_vocabulary is 0"));
    odd = small();
    odd.input_feeding = true;
    CHECK_THROWS_WITH(make(odd),
                      ContainsSubstring("input feeding is an option of the luong decoder"));
}
