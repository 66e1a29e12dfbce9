// The models of lesson 22: similar sizes, and decoding step by step gives the same as teacher
// forcing.
#include "lessons/material/translation/ladder.h"
#include "tests/autograd/compare.h"

using namespace heed;
using namespace heed::course;

namespace {

const ParallelText& small_text() {
    static const ParallelText text =
        from_corpus(korean_english(1, {.pairs = 400, .valid = 20, .test = 40, .longest = 6}));
    return text;
}

}  // namespace

TEST_CASE("lesson 22: the models have about the same number of parameters", "[data][lesson]") {
    const ParallelText text = from_corpus(korean_english(1));
    int64_t least = 1'000'000, most = 0;
    for (LadderModel kind : ladder) {
        const int64_t count = parameters_of(build_translator(kind, text, {}, 1));
        least = std::min(least, count);
        most = std::max(most, count);
    }
    CHECK(least > 165'000);
    CHECK(static_cast<double>(most) < 1.1 * static_cast<double>(least));
}

TEST_CASE("lesson 22: decoding agrees with teacher forcing for each model", "[data][lesson]") {
    const NoGrad no_grad;
    const ParallelText& text = small_text();
    const PaddedBatch source = pad_sequences(pick(text.test.source, {0, 1, 2}));
    const Indices fed({1, 5, 6, 1, 7, 4, 1, 5, 9}, {3, 3});
    for (LadderModel kind : ladder) {
        INFO(name_of(kind));
        const Translator model = build_translator(kind, text, {}, 1);
        const Seq2SeqOutput result = model.forward(source, fed, Mode::evaluation());
        Decodable decodable = model.decodable(source);
        for (int t = 0; t < 3; ++t) {
            const DecodingStep step =
                decodable.step({fed.at({0, t}), fed.at({1, t}), fed.at({2, t})});
            CHECK(largest_difference(step.log_probabilities,
                                     log_softmax(select(result.logits, 1, t))) < 1e-4);
            if (kind != LadderModel::fixed)
                CHECK(largest_difference(step.weights, select(result.weights, 1, t)) < 1e-5);
        }
    }
}
