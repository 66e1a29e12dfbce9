// BERT: its counts, its inputs, masking, and published files. The numbers themselves are held against
// PyTorch in tests/parity.
#include <algorithm>
#include <set>

#include "attention/scores/mask.h"
#include "attention/transformer/bert.h"
#include "attention/transformer/masked_tokens.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

BertOptions small() {
    BertOptions o{.vocabulary = 11, .max_positions = 6};
    o.stack.width = 8;
    o.stack.heads = 2;
    o.stack.layers = 2;
    o.stack.hidden = 12;
    return o;
}

template <class M>
M in_float64(M model) {
    to_dtype(model, f64);
    return model;
}

BertForPretraining make_bert(uint64_t seed, bool next_sentence = true) {
    Rng rng(seed);
    BertForPretraining model({.bert = small(), .next_sentence = next_sentence}, rng);
    for (const Parameter& p : parameters(model)) {
        Tensor x = p.tensor;
        x.assign(normal(x.shape(), 0, 0.5, rng));
    }
    return in_float64(model);
}

const Indices texts({1, 4, 7, 9, 2, 1, 5, 3, 0, 0}, {2, 5});
const Indices segments({0, 0, 1, 1, 1, 0, 0, 1, 1, 1}, {2, 5});

Tensor tokens_of(const BertForPretraining& model) {
    return model(texts, {.segments = segments}).tokens;
}

bool has(const Safetensors& file, const std::string& name) { return file.find(name) != nullptr; }

}  // namespace

TEST_CASE("BERT base has its published number of parameters", "[attention]") {
    CHECK(parameter_count(bert_base()) == 109'482'240);
    // BERT large (Devlin et al. 2019, section 3): 24 layers of width 1024 with 16 heads, "340M".
    BertOptions large = bert_base();
    large.stack.width = 1024;
    large.stack.heads = 16;
    large.stack.layers = 24;
    CHECK(parameter_count(large) == 335'141'888);
    Rng rng(1);
    for (bool pooler : {true, false}) {
        BertOptions o = small();
        o.pooler = pooler;
        CHECK(parameter_count(o) == parameter_count(Bert(o, rng)));
    }
    // The heads add a layer, a norm and a bias, and the next sentence's layer; the table is tied.
    CHECK(parameter_count(make_bert(1)) ==
          parameter_count(small()) + (8 * 8 + 8) + 2 * 8 + 11 + (2 * 8 + 2));
}

TEST_CASE("a layer of BERT base is made as it is counted", "[attention]") {
    // One of the twelve layers, and a small vocabulary: the widths are those of BERT base.
    BertOptions one = bert_base();
    one.stack.layers = 1;
    one.vocabulary = 10;
    Rng rng(1);
    const Bert model(one, rng);
    CHECK(parameter_count(model) == 109'482'240 - 11 * 7'087'872 - (30522 - 10) * 768);
    CHECK(stddev(model.encoder.layers[0].attention.multi_head.key.weight).item() ==
          Approx(0.02).epsilon(0.02));
    CHECK(max(abs(model.encoder.layers[0].feed_forward.hidden.bias)).item() == 0);
    CHECK(model.encoder.layers[0].feed_forward_residual.norm.eps == 1e-12);
    const BertOutput y = model(Indices({1, 2, 3}, {1, 3}), {.mode = Mode::evaluation()});
    CHECK(y.output.shape() == Shape{1, 3, 768});
    CHECK(y.pooled.shape() == Shape{1, 768});
}

TEST_CASE("BERT reads both directions, segments and positions, and no padding",
          "[attention][laws]") {
    const BertForPretraining model = make_bert(1);
    const Tensor tokens = tokens_of(model);
    REQUIRE(tokens.shape() == Shape{2, 5, 11});
    CHECK(model(texts).next_sentence.shape() == Shape{2, 2});
    CHECK(largest_difference(tokens, model(texts).tokens) > 1e-3);  // segments count
    std::vector<Tensor> weights;
    model.bert(texts, {.weights = &weights});
    CHECK(weights.size() == 2);
    CHECK(weights[0].shape() == Shape{2, 2, 5, 5});

    // Every token changes the vector of every other, before and after it; equal tokens differ by position.
    const auto output = [&](const Indices& some, const Tensor& mask = {}) {
        return model.bert(some, {.mask = mask}).output;
    };
    for (int changed = 0; changed < 5; ++changed) {
        std::vector<int> other = texts.values();
        other[changed] = 10;
        const Tensor before = output(texts), after = output(Indices(other, {2, 5}));
        for (int t = 0; t < 5; ++t)
            CHECK(largest_difference(select(select(before, 0, 0), 0, t),
                                     select(select(after, 0, 0), 0, t)) > 1e-4);
        CHECK(largest_difference(select(before, 0, 1), select(after, 0, 1)) == 0);
    }
    const Tensor same = output(Indices({3, 3, 3}, {1, 3}));
    CHECK(largest_difference(select(same, 1, 0), select(same, 1, 2)) > 1e-3);

    // What is padding cannot be seen.
    std::vector<int> other = texts.values();
    other[8] = 6;
    const Tensor mask = padding_mask({5, 3}, 5, f64);
    const Tensor a = slice(output(texts, mask), 1, 0, 3);
    const Tensor b = slice(output(Indices(other, {2, 5}), mask), 1, 0, 3);
    CHECK(largest_difference(a, b) == 0);
}

TEST_CASE("the head for hidden tokens is tied to the table, and every parameter gets gradient",
          "[attention]") {
    const BertForPretraining model = make_bert(1);
    CHECK(model.head.decoder.weight.body() == model.bert.embeddings.token.weight.body());
    const PretrainingOutput y = model(texts, {.segments = segments});
    backward(weighed(y.tokens) + weighed(y.next_sentence));
    for (const Parameter& p : parameters(model)) {
        INFO(p.name);
        REQUIRE(p.tensor.grad().defined());
        if (p.name.find("key.bias") == std::string::npos)
            CHECK(max(abs(p.tensor.grad())).item() > 1e-9);
    }
}

TEST_CASE("dropout of BERT", "[attention]") {
    BertOptions o = small();
    o.stack.dropout = 0.2;
    Rng rng(1), one(1), same(1);
    const Bert model = in_float64(Bert(o, rng));
    CHECK_THROWS_WITH(model(texts), ContainsSubstring("training or evaluation?"));
    const auto with = [&](Mode mode) { return model(texts, {.mode = mode}).output; };
    const Tensor y = with(Mode::training(one));
    CHECK(largest_difference(y, with(Mode::training(same))) == 0);
    CHECK(largest_difference(y, with(Mode::evaluation())) > 1e-2);
}

TEST_CASE("BERT refuses what it is not", "[attention][errors]") {
    Rng rng(1);
    BertOptions pre = small();
    pre.stack.pre_norm = true;
    CHECK_THROWS_WITH(Bert(pre, rng), ContainsSubstring("the layers are post-norm"));
    CHECK_THROWS_WITH(Bert({.vocabulary = 0}, rng), ContainsSubstring("vocabulary is 0"));
    BertOptions no_pooler = small();
    no_pooler.pooler = false;
    CHECK_THROWS_WITH(BertForPretraining({.bert = no_pooler}, rng),
                      ContainsSubstring("BertOptions::pooler"));
    CHECK_FALSE(Bert(no_pooler, rng)(texts).pooled.defined());
}

// --- published files ----------------------------------------------------------------------------

TEST_CASE("BERT is saved under the published names", "[attention][parity]") {
    const BertForPretraining model = make_bert(1);
    save_bert(model, "bert.safetensors");
    const Safetensors file = load_safetensors("bert.safetensors");
    CHECK(file.tensors.size() == parameters(model).size());
    for (const char* name :
         {"bert.embeddings.word_embeddings.weight", "bert.embeddings.position_embeddings.weight",
          "bert.embeddings.token_type_embeddings.weight", "bert.embeddings.LayerNorm.weight",
          "bert.encoder.layer.0.attention.self.query.weight",
          "bert.encoder.layer.0.attention.self.key.bias",
          "bert.encoder.layer.1.attention.self.value.weight",
          "bert.encoder.layer.1.attention.output.dense.weight",
          "bert.encoder.layer.1.attention.output.LayerNorm.bias",
          "bert.encoder.layer.0.intermediate.dense.weight",
          "bert.encoder.layer.0.output.dense.bias", "bert.encoder.layer.0.output.LayerNorm.weight",
          "bert.pooler.dense.weight", "cls.predictions.bias",
          "cls.predictions.transform.dense.weight", "cls.predictions.transform.LayerNorm.bias",
          "cls.seq_relationship.weight"}) {
        INFO(name);
        CHECK(has(file, name));
    }
    BertForPretraining other = make_bert(2);
    CHECK(largest_difference(tokens_of(other), tokens_of(model)) > 1e-2);
    load_bert(other, "bert.safetensors");
    CHECK(largest_difference(tokens_of(other), tokens_of(model)) == 0);
}

TEST_CASE("a published file in its older spelling is loaded, with heads and without",
          "[attention][parity]") {
    // As bert-base-uncased has it: gamma and beta, the computed position_ids, and the tied matrix.
    const BertForPretraining model = make_bert(1);
    save_bert(model, "new.safetensors");
    Safetensors old = load_safetensors("new.safetensors");
    for (Parameter& p : old.tensors)
        for (const auto& [now, then] :
             {std::pair<std::string, std::string>{"LayerNorm.weight", "LayerNorm.gamma"},
              {"LayerNorm.bias", "LayerNorm.beta"}})
            if (p.name.ends_with(now)) p.name.replace(p.name.size() - now.size(), now.size(), then);
    old.tensors.push_back({"bert.embeddings.position_ids", zeros({1, 6})});
    old.tensors.push_back(
        {"cls.predictions.decoder.weight", copy_of(model.bert.embeddings.token.weight)});
    old.tensors.push_back({"cls.predictions.decoder.bias", copy_of(model.head.decoder.bias)});
    CHECK(has(old, "bert.encoder.layer.0.attention.output.LayerNorm.gamma"));
    save_safetensors("old.safetensors", old);
    BertForPretraining other = make_bert(2);
    load_bert(other, "old.safetensors");
    CHECK(largest_difference(tokens_of(other), tokens_of(model)) == 0);

    // A model without heads passes over them, and reads names without the prefix as well.
    Rng rng(3);
    for (bool prefix : {true, false}) {
        Safetensors file = old;
        if (!prefix)
            for (Parameter& p : file.tensors)
                if (p.name.starts_with("bert.")) p.name = p.name.substr(5);
        save_safetensors("encoder.safetensors", file);
        Bert bert = in_float64(Bert(small(), rng));
        load_bert(bert, "encoder.safetensors");
        CHECK(largest_difference(bert(texts).pooled, model.bert(texts).pooled) == 0);
        save_bert(bert, "again.safetensors");
        CHECK(has(load_safetensors("again.safetensors"), "bert.pooler.dense.weight"));
        BertForPretraining lacks = make_bert(2);
        CHECK_THROWS_WITH(load_bert(lacks, "again.safetensors"),
                          ContainsSubstring("lacks 'cls.predictions.bias'"));
    }

    CHECK_THROWS_WITH(to_pytorch(parameters(model), {{"one"}}),
                      ContainsSubstring("to_pytorch: 1 names for"));
    CHECK_THROWS_WITH(from_pytorch(old, "old", parameters(model), {}),
                      ContainsSubstring("from_pytorch: 0 names for"));

    // Another model's file changes nothing.
    BertOptions wide = small();
    wide.stack.hidden = 16;
    Bert wider(wide, rng);
    const Tensor before = clone(wider.embeddings.token.weight);
    CHECK_THROWS_WITH(load_bert(wider, "old.safetensors"),
                      ContainsSubstring("'bert.encoder.layer.0.intermediate.dense.weight'") &&
                          ContainsSubstring("expected shape [16, 8], found [12, 8]"));
    CHECK(largest_difference(before, wider.embeddings.token.weight) == 0);
}

// --- hiding tokens ------------------------------------------------------------------------------

TEST_CASE("of the chosen tokens 80 % become [MASK], 10 % another token, 10 % stay", "[attention]") {
    // 50 ordinary tokens, 5 special ones at the front, [MASK] is 4.
    const MaskingOptions options{.vocabulary = 55, .mask_id = 4, .special = {0, 1, 2, 3}};
    Rng rng(1);
    std::vector<int> text;
    for (int i = 0; i < 200'000; ++i) text.push_back(i % 4 == 0 ? i / 4 % 5 : 5 + i % 50);
    const Indices all(text, {1000, 200});
    const MaskedTokens hidden = mask_tokens(all, options, rng);
    REQUIRE(hidden.ids.shape() == all.shape());
    double ordinary = 0, chosen = 0, masked = 0, random = 0, kept = 0;
    std::set<int> drawn;
    for (int64_t i = 0; i < all.count(); ++i) {
        const bool asked = hidden.labels[i] != MaskedTokens::not_asked;
        ordinary += all[i] >= 5;
        chosen += asked;
        if (!asked) {
            REQUIRE(hidden.ids[i] == all[i]);
            continue;
        }
        REQUIRE(all[i] >= 5);  // special tokens are never chosen
        REQUIRE(hidden.labels[i] == all[i]);
        masked += hidden.ids[i] == 4;
        kept += hidden.ids[i] == all[i];
        if (hidden.ids[i] != 4 && hidden.ids[i] != all[i]) ++random, drawn.insert(hidden.ids[i]);
    }
    // 22,500 are chosen of 150,000; the standard error of a share of them is below 0.003.
    CHECK(chosen / ordinary == Approx(0.15).margin(0.004));
    CHECK(masked / chosen == Approx(0.8).margin(0.01));
    // A random token is in one of fifty cases the token itself.
    CHECK(random / chosen == Approx(0.1 * 49 / 50).margin(0.008));
    CHECK(kept / chosen == Approx(0.1 + 0.1 / 50).margin(0.008));
    CHECK(drawn.size() == 50);
    CHECK(*drawn.begin() == 5);

    Rng same(1), other(2);
    CHECK(mask_tokens(all, options, same).ids == hidden.ids);
    CHECK_FALSE(mask_tokens(all, options, other).ids == hidden.ids);
}

TEST_CASE("hiding nothing, everything, and what cannot be", "[attention][errors]") {
    Rng rng(1);
    const Indices text({5, 6, 7, 0}, {2, 2});
    MaskingOptions options{.vocabulary = 8, .mask_id = 1, .special = {0}};
    options.share = 0;
    CHECK(mask_tokens(text, options, rng).ids == text);
    options.share = 1;
    options.masked = 1;
    options.random = 0;
    CHECK(mask_tokens(text, options, rng).ids == Indices({1, 1, 1, 0}, {2, 2}));
    CHECK(mask_tokens(text, options, rng).labels == Indices({5, 6, 7, -100}, {2, 2}));
    CHECK_THROWS_WITH(mask_tokens({8}, options, rng), ContainsSubstring("index 8"));
    CHECK_THROWS_WITH(mask_tokens(text, {.vocabulary = 8}, rng),
                      ContainsSubstring("mask_id is -1"));
    options.random = 0.1;
    CHECK_THROWS_WITH(mask_tokens(text, options, rng), ContainsSubstring("sum of at most 1"));
    CHECK_THROWS_WITH(mask_tokens({1}, {.vocabulary = 2, .mask_id = 1, .special = {0}}, rng),
                      ContainsSubstring("all 2 tokens of the vocabulary are special"));
    CHECK_THROWS_WITH(mask_tokens({1}, {.vocabulary = 2, .mask_id = 1, .special = {2}}, rng),
                      ContainsSubstring("for a special token"));
}
