// The blocks of the Set Transformer: equations of the paper, and the laws of functions of sets.
#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "attention/transformer/set_transformer.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const SetTransformerOptions options{.width = 6, .heads = 2, .inducing_points = 3, .seeds = 2};
const Indices order{3, 0, 4, 2, 1};

template <class Block>
Block make_block(const SetTransformerOptions& o = options) {
    Rng rng(1);
    Block block(o, rng);
    to_dtype(block, f64);
    return block;
}

Tensor items(uint64_t seed = 2) {
    Rng rng(seed);
    return normal({2, 5, 6}, 0, 1, rng, f64);
}

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

// x with the elements that the mask of lengths 5 and 3 excludes replaced by large numbers.
const Tensor mask = padding_mask({5, 3}, 5, f64);
Tensor with_other_padding(const Tensor& x) {
    return where(expand(transpose(mask), x.shape()), x, full({}, 1e3, f64));
}

}  // namespace

TEST_CASE("MAB is its equations", "[attention]") {
    const auto block = make_block<MultiHeadAttentionBlock>();
    const Tensor x = items(2), y = items(3);
    const Tensor h = block.attention_norm(x + block.attention(x, y, y));
    CHECK(difference(block(x, y), block.feed_forward_norm(h + block.feed_forward(h))) < 1e-12);

    SetTransformerOptions plain = options;
    plain.layer_norm = false;
    const auto without = make_block<MultiHeadAttentionBlock>(plain);
    CHECK_FALSE(without.attention_norm.weight.defined());
    const Tensor sum = x + without.attention(x, y, y);
    CHECK(difference(without(x, y), sum + without.feed_forward(sum)) < 1e-12);
}

TEST_CASE("SAB, ISAB and PMA are their equations", "[attention]") {
    const Tensor x = items();
    const auto sab = make_block<SetAttentionBlock>();
    CHECK(difference(sab(x), sab.block(x, x)) == 0);
    const auto isab = make_block<InducedSetAttentionBlock>();
    const Tensor points = expand(isab.inducing_points, {2, 3, 6});
    CHECK(difference(isab(x), isab.to_elements(x, isab.to_points(points, x))) == 0);
    const auto pma = make_block<AttentionPoolingBlock>();
    const Tensor seeds = expand(pma.seeds, {2, 2, 6});
    CHECK(difference(pma(x), pma.block(seeds, pma.feed_forward(x))) == 0);
    CHECK(pma(x).shape() == Shape{2, 2, 6});
}

TEST_CASE("permuting a set permutes SAB and ISAB, and leaves PMA as it is", "[laws][attention]") {
    const Tensor x = items(), permuted = index_select(x, 1, order);
    const auto sab = make_block<SetAttentionBlock>();
    CHECK(difference(sab(permuted), index_select(sab(x), 1, order)) < 1e-12);
    const auto isab = make_block<InducedSetAttentionBlock>();
    CHECK(difference(isab(permuted), index_select(isab(x), 1, order)) < 1e-12);
    const auto pma = make_block<AttentionPoolingBlock>();
    CHECK(difference(pma(permuted), pma(x)) < 1e-12);
}

TEST_CASE("excluded elements change no output but their own", "[laws][attention]") {
    const Tensor x = items(), other = with_other_padding(x);
    CHECK(difference(x, other) > 100);
    const auto kept = [](const Tensor& y) { return y * transpose(mask); };
    const auto sab = make_block<SetAttentionBlock>();
    CHECK(difference(kept(sab(x, mask)), kept(sab(other, mask))) == 0);
    const auto isab = make_block<InducedSetAttentionBlock>();
    CHECK(difference(kept(isab(x, mask)), kept(isab(other, mask))) == 0);
    const auto pma = make_block<AttentionPoolingBlock>();
    CHECK(difference(pma(x, mask), pma(other, mask)) == 0);
    CHECK(difference(pma(x, mask), pma(x)) > 1e-3);
    // A set of three is the same as a set of five of which two are excluded.
    const Tensor alone = slice(slice(x, 0, 1, 2), 1, 0, 3);
    CHECK(difference(slice(pma(x, mask), 0, 1, 2), pma(alone)) < 1e-12);
}

TEST_CASE("every parameter of the blocks for sets receives gradient", "[laws][attention]") {
    const auto check_all = [](const auto& block) {
        const Tensor x = items();
        Rng rng(4);
        const Tensor y = block(x, mask);
        backward(y, normal(y.shape(), 0, 1, rng, f64));
        for (const Parameter& p : parameters(block)) {
            INFO(p.name);
            REQUIRE(p.tensor.grad().defined());
            // A bias of the keys shifts all scores of a query alike.
            if (p.name.find("key.bias") == std::string::npos)
                CHECK(max(abs(p.tensor.grad())).item() > 1e-9);
        }
    };
    check_all(make_block<SetAttentionBlock>());
    check_all(make_block<InducedSetAttentionBlock>());
    check_all(make_block<AttentionPoolingBlock>());
}

TEST_CASE("dropout of the blocks for sets", "[attention]") {
    SetTransformerOptions dropping = options;
    dropping.dropout = 0.3;
    const auto block = make_block<InducedSetAttentionBlock>(dropping);
    const Tensor x = items();
    Rng one(1), same(1), other(2);
    const Tensor y = block(x, mask, Mode::training(one));
    CHECK(difference(y, block(x, mask, Mode::training(same))) == 0);
    CHECK(difference(y, block(x, mask, Mode::training(other))) > 1e-3);
    CHECK(difference(y, block(x, mask, Mode::evaluation())) > 1e-3);
}

TEST_CASE("the blocks for sets refuse what does not fit", "[attention][errors]") {
    Rng rng(1);
    CHECK_THROWS_WITH(AttentionPoolingBlock({.width = 4, .seeds = 0}, rng),
                      ContainsSubstring("seeds is 0"));
    CHECK_THROWS_WITH(InducedSetAttentionBlock({.width = 4, .inducing_points = 0}, rng),
                      ContainsSubstring("inducing_points is 0"));
}
