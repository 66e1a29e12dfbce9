// The decoder-only model: GPT-2's sizes, its initialisation, causality, and decoding with a cache.
#include "attention/decoding/beam.h"
#include "attention/scores/mask.h"
#include "attention/transformer/language_model.h"
#include "nn/layers/losses.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

LanguageModel make_language_model(PositionKind kind = PositionKind::learned) {
    Rng rng(1);
    TransformerOptions stack = gpt({.width = 8, .heads = 2, .layers = 2, .max_positions = 12});
    stack.positions.kind = kind;
    LanguageModel model({.vocabulary = 7, .stack = stack}, rng);
    to_dtype(model, Dtype::float64);
    // Larger than N(0, 0.02), so that tokens tell apart.
    for (const Parameter& p : parameters(model)) {
        Tensor x = p.tensor;
        if (x.dim() >= 2) x.assign(normal(x.shape(), 0, 0.5, rng, Dtype::float64));
    }
    return model;
}

// A model with another attention or other networks than that of GPT, and the positions of Llama.
TransformerOptions llama_with(const char* what) {
    TransformerOptions stack = llama({.width = 8, .heads = 2, .layers = 2});
    if (what == std::string("grouped queries")) stack.key_value_heads = 1;
    if (what == std::string("experts")) stack.experts = 3;
    if (what == std::string("latent attention")) stack.latent = 5, stack.rotary_width = 2;
    return stack;
}
const char* const llamas[] = {"plain", "grouped queries", "experts", "latent attention"};

LanguageModel make_llama(const char* what) {
    Rng rng(1);
    LanguageModel model({.vocabulary = 7, .stack = llama_with(what)}, rng);
    to_dtype(model, Dtype::float64);
    for (const Parameter& p : parameters(model)) {
        Tensor x = p.tensor;
        if (x.dim() >= 2) x.assign(normal(x.shape(), 0, 0.5, rng, Dtype::float64));
    }
    return model;
}

}  // namespace

TEST_CASE("language models have their published number of parameters", "[attention]") {
    Rng rng(1);
    for (bool bias : {false, true})
        for (bool tied : {false, true})
            for (PositionKind kind : position_kinds()) {
                LanguageModelOptions o{.vocabulary = 11, .stack = gpt({}), .tied_output = tied};
                o.stack.bias = bias;
                o.stack.positions.kind = kind;
                CHECK(parameter_count(o) == parameter_count(LanguageModel(o, rng)));
            }

    const auto gpt2 = [](int64_t width, int64_t heads, int64_t layers) {
        const TransformerOptions stack =
            gpt({.width = width, .heads = heads, .layers = layers, .max_positions = 1024});
        return parameter_count(LanguageModelOptions{.vocabulary = 50257, .stack = stack});
    };
    CHECK(gpt2(768, 12, 12) == 124'439'808);
    CHECK(gpt2(1024, 16, 24) == 354'823'168);
    CHECK(gpt2(1280, 20, 36) == 774'030'080);
    CHECK(gpt2(1600, 25, 48) == 1'557'611'200);

    // The small character model of nanoGPT, without biases: this one is made.
    LanguageModelOptions nano{
        .vocabulary = 65,
        .stack = gpt({.width = 128, .heads = 4, .layers = 4, .max_positions = 64})};
    nano.stack.bias = false;
    CHECK(parameter_count(LanguageModel(nano, rng)) == 804'096);
}

TEST_CASE("models of the family of Llama have their published number of parameters",
          "[attention]") {
    const auto llama_of = [](int64_t vocabulary, const LlamaSize& size) {
        return LanguageModelOptions{
            .vocabulary = vocabulary, .stack = llama(size), .tied_output = false};
    };
    Rng rng(1);
    for (int64_t groups : {0, 1, 2, 4})
        for (int64_t hidden : {0, 5}) {
            const auto o = llama_of(
                11,
                {.width = 8, .heads = 4, .layers = 3, .key_value_heads = groups, .hidden = hidden});
            CHECK(parameter_count(o) == parameter_count(LanguageModel(o, rng)));
        }
    const auto count = [&](int64_t vocabulary, const LlamaSize& size) {
        return parameter_count(llama_of(vocabulary, size));
    };
    // Llama 2 7B and 70B, Llama 3 8B, Mistral 7B: as their published files have them.
    CHECK(count(32000, {.width = 4096, .heads = 32, .layers = 32, .hidden = 11008}) ==
          6'738'415'616);
    CHECK(
        count(32000,
              {.width = 8192, .heads = 64, .layers = 80, .key_value_heads = 8, .hidden = 28672}) ==
        68'976'648'192);
    CHECK(
        count(128256,
              {.width = 4096, .heads = 32, .layers = 32, .key_value_heads = 8, .hidden = 14336}) ==
        8'030'261'248);
    CHECK(
        count(32000,
              {.width = 4096, .heads = 32, .layers = 32, .key_value_heads = 8, .hidden = 14336}) ==
        7'241'732'096);
}

TEST_CASE("a model like Llama decodes with a cache of few heads, also rearranged", "[attention]") {
    Rng rng(1);
    TransformerOptions stack =
        llama({.width = 8, .heads = 4, .layers = 2, .key_value_heads = 2, .rotary_base = 100});
    stack.positions.interpolation = 2;
    LanguageModel model({.vocabulary = 7, .stack = stack}, rng);
    to_dtype(model, Dtype::float64);
    for (const Parameter& p : parameters(model)) {
        Tensor x = p.tensor;
        if (x.dim() >= 2) x.assign(normal(x.shape(), 0, 0.5, rng, Dtype::float64));
    }
    const Indices ids({1, 2, 3, 4, 5, 6, 0, 1, 6, 5}, {2, 5});
    const Tensor whole = model.run(ids);
    KeyValueCache cache;
    const auto columns = [&](int from, int to, bool exchanged) {
        std::vector<int> part;
        for (int row = 0; row < 2; ++row)
            for (int t = from; t < to; ++t) part.push_back(ids.at({exchanged ? 1 - row : row, t}));
        return Indices(std::move(part), {2, to - from});
    };
    const Tensor first = model.run(columns(0, 3, false), {.cache = &cache});
    CHECK(largest_difference(first, slice(whole, 1, 0, 3)) < 1e-12);
    CHECK(cache[1].key.shape() == Shape{2, 2, 3, 2});
    decoding::select_rows(cache, {1, 0});
    for (int t = 3; t < 5; ++t) {
        const Tensor next = model.run(columns(t, t + 1, true), {.cache = &cache});
        CHECK(largest_difference(index_select(next, 0, {1, 0}), slice(whole, 1, t, t + 1)) < 1e-12);
    }
    CHECK(cache[1].value.shape() == Shape{2, 2, 5, 2});

    // And through the decoder of the library.
    const std::vector<Hypothesis> texts =
        greedy_decode(model.decodable(columns(0, 3, false)), {.end = -1, .max_length = 4});
    for (int row = 0; row < 2; ++row) {
        std::vector<int> so_far{ids.at({row, 0}), ids.at({row, 1}), ids.at({row, 2})};
        for (int token : texts[row].tokens) {
            const int64_t steps = std::ssize(so_far);
            const Tensor logits = select(model(Indices(so_far, {1, steps})), 1, steps - 1);
            CHECK(argmax(logits)[0] == token);
            so_far.push_back(token);
        }
    }
}

TEST_CASE("a language model is initialised as GPT-2 is", "[attention]") {
    Rng rng(1);
    const LanguageModel model(
        {.vocabulary = 65, .stack = gpt({.width = 64, .heads = 4, .layers = 8})}, rng);
    const auto deviation = [](const Tensor& x) { return std::sqrt(var(x).item()); };
    const TransformerEncoderLayer& layer = model.stack.layers[3];
    CHECK(std::abs(deviation(model.embedding.weight) - 0.02) < 0.001);
    CHECK(std::abs(deviation(layer.attention.multi_head.query.weight) - 0.02) < 0.001);
    CHECK(std::abs(deviation(layer.attention.multi_head.output.weight) - 0.02 / 4) < 0.0003);
    CHECK(std::abs(deviation(layer.feed_forward.hidden.weight) - 0.02) < 0.001);
    CHECK(std::abs(deviation(layer.feed_forward.output.weight) - 0.02 / 4) < 0.0003);
    CHECK(max(abs(layer.feed_forward.hidden.bias)).item() == 0);
    const auto random_ids = [&] {
        std::vector<int> ids(2 * 64);
        for (int& id : ids) id = static_cast<int>(rng.below(65));
        return Indices(ids, {2, 64});
    };
    const Indices read = random_ids(), next = random_ids();
    CHECK(std::abs(sequence_cross_entropy(model(read), next, -1).item() - std::log(65.0)) < 0.1);
}

TEST_CASE("a language model sees no later token, and every earlier one", "[laws][attention]") {
    for (PositionKind kind : position_kinds()) {
        const LanguageModel model = make_language_model(kind);
        const Indices ids({1, 2, 3, 4, 5}, {1, 5});
        const Tensor logits = model(ids);
        for (int position = 0; position < 5; ++position) {
            INFO(name_of(kind) << position);
            std::vector<int> other = ids.values();
            other[position] = 6;
            const Tensor changed = model(Indices(other, {1, 5}));
            for (int t = 0; t < 5; ++t) {
                const double moved =
                    largest_difference(select(changed, 1, t), select(logits, 1, t));
                CHECK((t < position ? moved == 0 : moved > 1e-9));
            }
        }
    }
}

TEST_CASE("decoding with a cache gives the same tokens as without", "[attention]") {
    const Indices prompt({1, 2, 3, 4, 5, 6}, {2, 3});
    for (PositionKind kind : position_kinds()) {
        INFO(name_of(kind));
        const LanguageModel model = make_language_model(kind);
        const DecodeOptions options{.end = -1, .max_length = 8};  // no token ends it
        const std::vector<Hypothesis> cached = greedy_decode(model.decodable(prompt), options);
        for (int row = 0; row < 2; ++row) {
            std::vector<int> ids{prompt.at({row, 0}), prompt.at({row, 1}), prompt.at({row, 2})};
            double log_probability = 0;
            for (int t = 0; t < 8; ++t) {
                const int64_t steps = static_cast<int64_t>(ids.size());
                const Tensor logs =
                    log_softmax(select(model(Indices(ids, {1, steps})), 1, steps - 1));
                ids.push_back(argmax(logs)[0]);
                log_probability += logs.at({0, ids.back()});
            }
            CHECK(cached[row].tokens == std::vector<int>(ids.begin() + 3, ids.end()));
            CHECK(std::abs(cached[row].log_probability - log_probability) < 1e-10);
        }
    }
}

namespace {

// Law: a row of a batch is the row alone. Prompts of 3, 1, 4 and 2 tokens, padded on the left; what stands
// in front of them does not matter.
void each_row_is_the_row_alone(const LanguageModel& model) {
    const Indices prompts({6, 1, 2, 3, 0, 6, 0, 5, 4, 3, 2, 1, 5, 5, 6, 4}, {4, 4});
    const Indices lengths({3, 1, 4, 2});
    const DecodeOptions options{.end = -1, .max_length = 8};
    const auto together = greedy_decode(model.decodable(prompts, lengths), options);
    const auto beams = beam_search(model.decodable(prompts, lengths), {.beam = 3}, options);
    const Tensor mask = left_padding_mask(lengths, 4, Dtype::float64);
    const Tensor padded = model.run(prompts, {.mask = mask});
    for (int row = 0; row < 4; ++row) {
        std::vector<int> alone;
        for (int t = 4 - lengths[row]; t < 4; ++t) alone.push_back(prompts.at({row, t}));
        const Indices prompt(alone, {1, lengths[row]});
        const Hypothesis one = greedy_decode(model.decodable(prompt), options)[0],
                         best = beam_search(model.decodable(prompt), {.beam = 3}, options)[0];
        CHECK(together[row].tokens == one.tokens);
        CHECK(std::abs(together[row].log_probability - one.log_probability) < 1e-10);
        CHECK(beams[row].tokens == best.tokens);
        CHECK(std::abs(beams[row].log_probability - best.log_probability) < 1e-10);

        // Without a cache, by the mask alone: the logits of each token are those without padding.
        const Tensor read = slice(slice(padded, 0, row, row + 1), 1, 4 - lengths[row], 4);
        CHECK(largest_difference(read, model.run(prompt)) < 1e-10);
    }
}

}  // namespace

TEST_CASE("prompts of unequal length are continued as each alone", "[laws][attention][decode]") {
    for (PositionKind kind : position_kinds())
        for (RotaryLayout layout : {RotaryLayout::pairs, RotaryLayout::halves}) {
            if (layout == RotaryLayout::halves && kind != PositionKind::rotary) continue;
            INFO(name_of(kind));
            LanguageModel model = make_language_model(kind);
            for (TransformerEncoderLayer& layer : model.stack.layers)
                layer.attention.positions.layout = layout;
            each_row_is_the_row_alone(model);
        }
    for (const char* what : llamas) {
        INFO(what);
        each_row_is_the_row_alone(make_llama(what));
    }
}

TEST_CASE("grouped queries, experts and latents: decoding with a cache gives the same numbers",
          "[attention][decode]") {
    const Indices ids({1, 2, 3, 4, 5, 6, 0, 3, 6, 5, 1, 0}, {2, 6});
    for (const char* what : llamas) {
        INFO(what);
        const LanguageModel model = make_llama(what);
        const Tensor all = log_softmax(model(ids));  // [2, 6, 7]
        // A prompt of two tokens, one more, two at once that are then taken back, and the rest.
        Decodable decodable = model.decodable(Indices({1, 2, 0, 3}, {2, 2}));
        const auto next = [&](int t) { return Indices({ids.at({0, t}), ids.at({1, t})}); };
        const auto agrees = [&](const Tensor& step, int t) {
            CHECK(largest_difference(step, select(all, 1, t)) < 1e-12);
        };
        agrees(decodable.step(next(1)).log_probabilities, 1);
        agrees(decodable.step(next(2)).log_probabilities, 2);
        decodable.mark();
        decodable.steps(Indices({3, 3, 1, 1}, {2, 2}));
        decodable.keep(0);
        const Tensor two = decodable.steps(Indices({4, 5, 5, 1}, {2, 2}));
        agrees(select(two, 1, 0), 3);
        agrees(select(two, 1, 1), 4);
        decodable.select_rows({1, 0});
        const Tensor last = decodable.step(Indices({0, 6})).log_probabilities;
        agrees(index_select(last, 0, {1, 0}), 5);
    }
}

TEST_CASE("the bytes of a cache: keys and values of the heads, of groups, or latents",
          "[attention][decode]") {
    constexpr int64_t layers = 2, tokens = 9, rows = 3;
    const auto bytes_of = [&](const char* what) {
        Rng rng(1);
        const LanguageModel model({.vocabulary = 7, .stack = llama_with(what)}, rng);
        KeyValueCache cache;
        const NoGrad no_grad;
        for (int64_t t = 0; t < tokens; ++t)
            model.run(Indices({1, 2, 3}, {3, 1}), {.cache = &cache});
        int64_t bytes = 0;
        for (const KeyValue& layer : cache)
            bytes += (layer.key.numel() + layer.value.numel()) * int64_t{sizeof(float)};
        return bytes;
    };
    const int64_t one = layers * tokens * rows * int64_t{sizeof(float)};  // a number of each token
    CHECK(bytes_of("plain") == one * 2 * 8);            // keys and values of the whole width
    CHECK(bytes_of("grouped queries") == one * 2 * 4);  // of one of two heads
    CHECK(bytes_of("latent attention") == one * (5 + 2));
}

TEST_CASE("stacks with latent attention have the parameters that are counted", "[attention]") {
    Rng rng(1);
    for (int64_t rotary_width : {0, 4})
        for (bool bias : {false, true}) {
            TransformerOptions o = llama({.width = 16, .heads = 2, .layers = 3});
            o.latent = 6, o.rotary_width = rotary_width, o.bias = bias;
            CHECK(encoder_parameter_count(o) == parameter_count(TransformerEncoder(o, rng)));
            CHECK(decoder_parameter_count(o) == parameter_count(TransformerDecoder(o, rng)));
        }
}

TEST_CASE("beam search and sampling continue prompts of one token too", "[attention]") {
    const LanguageModel model = make_language_model();
    const Indices prompt({3, 5}, {2, 1});
    const DecodeOptions options{.end = 0, .max_length = 4};
    const auto beams = beam_search_n_best(model.decodable(prompt), {.beam = 7 * 7 * 7}, options);
    const auto one = greedy_decode(model.decodable(prompt), options);
    for (int row = 0; row < 2; ++row) {
        CHECK(beams[row][0].finished);
        // A greedy one that was cut off has no end to pay for.
        if (one[row].finished)
            CHECK(beams[row][0].log_probability >= one[row].log_probability - 1e-10);
        // What the beam says of its best is what the model says of it.
        std::vector<int> ids{prompt[row]};
        ids.insert(ids.end(), beams[row][0].tokens.begin(), beams[row][0].tokens.end());
        const int64_t steps = static_cast<int64_t>(ids.size());
        const Tensor logs = log_softmax(model(Indices(ids, {1, steps})));
        double sum_of_logs = 0;
        for (int64_t t = 0; t < steps; ++t)
            sum_of_logs += logs.at({0, t, t + 1 < steps ? ids[t + 1] : 0});
        CHECK(std::abs(sum_of_logs - beams[row][0].log_probability) < 1e-10);
    }
    Rng rng(1);
    const auto sampled = sample_decode(model.decodable(prompt), {.temperature = 0}, rng, options);
    CHECK(sampled[1].tokens == one[1].tokens);
}

TEST_CASE("a model of 11 positions continues a prompt of 6 by 6", "[attention]") {
    Rng rng(1);
    const LanguageModel model(
        {.vocabulary = 7, .stack = gpt({.width = 8, .heads = 2, .layers = 1, .max_positions = 11})},
        rng);
    const Indices prompt({1, 2, 3, 4, 5, 6}, {1, 6});
    const DecodeOptions endless{.end = -1, .max_length = 6};
    CHECK(greedy_decode(model.decodable(prompt), endless)[0].tokens.size() == 6);
    CHECK(sample_decode(model.decodable(prompt), {}, rng, endless)[0].tokens.size() == 6);
    CHECK(beam_search(model.decodable(prompt), {.beam = 2}, endless)[0].tokens.size() == 6);
}

TEST_CASE("each row continues its own prompt, also after rows are rearranged", "[attention]") {
    const LanguageModel model = make_language_model();
    const Indices prompts({1, 2, 3, 4, 5, 6}, {2, 3});
    Decodable both = model.decodable(prompts);
    CHECK(both.first() == Indices{3, 6});
    both.select_rows({1, 0, 1});
    CHECK(both.first() == Indices{6, 3, 6});
    const DecodeOptions endless{.end = -1, .max_length = 4};
    const auto three = greedy_decode(both, endless);
    const auto second = greedy_decode(model.decodable(Indices({4, 5, 6}, {1, 3})), endless);
    CHECK(three[0].tokens == second[0].tokens);
    CHECK(three[2].tokens == second[0].tokens);
}

TEST_CASE("a head with a bias", "[attention]") {
    Rng rng(1);
    const LanguageModel model({.vocabulary = 7, .head_bias = true}, rng);
    REQUIRE(model.head.bias.shape() == Shape{7});
    CHECK(max(abs(model.head.bias)).item() == 0);
    CHECK_FALSE(LanguageModel({.vocabulary = 7}, rng).head.bias.defined());
    CHECK(parameter_count(model) ==
          parameter_count(LanguageModelOptions{.vocabulary = 7, .head_bias = true}));
}

TEST_CASE("language models refuse what does not fit", "[attention][errors]") {
    Rng rng(1);
    CHECK_THROWS_WITH(LanguageModel({}, rng), ContainsSubstring("vocabulary is 0"));
    const LanguageModel model = make_language_model();
    CHECK_THROWS_WITH(model(Indices{1, 2}), ContainsSubstring("ids is [2]; expected ids [B, T]"));
    CHECK_THROWS_WITH(model.decodable(Indices({}, {1, 0})), ContainsSubstring("prompts [1, 0]"));
    CHECK_THROWS_WITH(model(Indices(std::vector<int>(13, 1), {1, 13})),
                      ContainsSubstring("position 12, but only 12 positions were learned"));
    CHECK_THROWS_WITH(model(Indices({9}, {1, 1})), ContainsSubstring("9"));
}

// Several tokens in one pass, and back, for every kind of position; copies are independent.
TEST_CASE("a language model takes several tokens at once and goes back", "[attention][decode]") {
    for (PositionKind kind : position_kinds())
        for (bool padded : {false, true}) {
            INFO("positions " << static_cast<int>(kind) << ", padded " << padded);
            const LanguageModel model = make_language_model(kind);
            const Indices prompt({1, 2, 3, 4, 5, 6}, {2, 3});
            const Indices lengths = padded ? Indices({2, 3}) : Indices();
            const Decodable fresh = model.decodable(prompt, lengths);
            const Indices tokens({2, 0, 6, 1, 5, 3, 3, 4}, {2, 4});

            Decodable one = fresh, many = fresh;
            std::vector<Tensor> alone;
            for (int t = 0; t < 4; ++t)
                alone.push_back(one.step(decoding::column(tokens, t)).log_probabilities);
            many.mark();
            CHECK(largest_difference(many.steps(tokens), stack(alone, 1)) < 1e-12);
            Decodable copy = many;
            many.keep(2);
            many.step(Indices({0, 0}));  // overwrites nothing of the copy
            CHECK(largest_difference(copy.step(Indices({1, 2})).log_probabilities,
                                     one.step(Indices({1, 2})).log_probabilities) < 1e-12);
            many.keep(2);
            for (int t = 2; t < 4; ++t)
                CHECK(largest_difference(many.step(decoding::column(tokens, t)).log_probabilities,
                                         alone[t]) < 1e-12);
        }
}
