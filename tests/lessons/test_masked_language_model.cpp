// Lesson 24: what a reader may see, what pre-training asks for, and the measures.
#include <set>

#include "lessons/24_masked_language_model/experiment.h"
#include "lessons/24_masked_language_model/model.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

namespace heed::lesson24 {
namespace {

const Size tiny{.vocabulary = 12, .longest = 8, .width = 8, .heads = 2, .layers = 1};

PaddedBatch batch_of_one(const std::vector<int>& ids) { return pad_sequences({ids}); }

TEST_CASE("readers: BERT sees both sides, a causal one only the left, and none the padding",
          "[lesson]") {
    for (const Direction direction : {Direction::both, Direction::left}) {
        Rng rng(1);
        const Reader reader(tiny, direction, rng);
        const Tensor a = reader.logits(batch_of_one({1, 5, 6, 7, 2}), {}),
                     b = reader.logits(batch_of_one({1, 5, 6, 8, 2}), {});
        const double before = largest_difference(slice(a, 1, 0, 3), slice(b, 1, 0, 3));
        if (direction == Direction::left)
            CHECK(before == 0);
        else
            CHECK(before > 1e-3);
        CHECK(largest_difference(select(a, 1, 3), select(b, 1, 3)) > 1e-3);
        // The same text beside a longer one.
        const Tensor padded =
            reader.logits(pad_sequences({{1, 5, 6, 7, 2}, {1, 4, 4, 4, 4, 4, 2}}), {});
        CHECK(largest_difference(slice(select(padded, 0, 0), 0, 0, 5), select(a, 0, 0)) < 1e-5);
    }
}

TEST_CASE("the texts without labels have all words of the topics", "[lesson]") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        std::set<std::string> words;
        for (const course::ShortText& text : course::short_texts(seed).unlabelled)
            words.insert(text.words.begin(), text.words.end());
        using enum course::WordKind;
        for (int topic = 0; topic < 4; ++topic)
            for (const course::WordKind kind : {person, verb, thing, place})
                for (const std::string& word : course::short_text_words(topic, kind))
                    CHECK(words.count(word) == 1);
    }
}

TEST_CASE("a classifier begins with the reader's parameters and leaves them alone", "[lesson]") {
    Rng rng(2);
    const Reader reader(tiny, Direction::both, rng);
    const PaddedBatch batch = batch_of_one({1, 5, 6, 7, 2});
    const Tensor before = reader.vectors(batch, {});
    const Texts texts{{{1, 5, 6, 2}, {1, 7, 8, 2}}, {0, 1}};
    Rng own(3);
    const Classifier fresh(reader, 2, 0.1, own);
    CHECK(largest_difference(fresh.reader.vectors(batch, Mode::evaluation()), before) == 0);
    const FineTuned tuned =
        fine_tune(reader, texts, texts, {.steps = 30, .classes = 2, .rates = {1e-2}}, 4);
    CHECK(accuracy(tuned.classifier, texts) == 1);
    CHECK(tuned.valid == 1);
    CHECK(largest_difference(reader.vectors(batch, {}), before) == 0);
}

TEST_CASE("pre-training on one text: gaps are filled, and the next word is predicted", "[lesson]") {
    const Texts text{{{1, 5, 6, 7, 8, 2}}, {0}};
    for (const Direction direction : {Direction::both, Direction::left}) {
        Rng rng(5);
        const Reader reader(tiny, direction, rng);
        pretrain(
            reader, text,
            {.masking = {.vocabulary = 12, .mask_id = 11, .special = {0, 1, 2, 3}, .share = 0.3},
             .steps = 150,
             .lr = 1e-2},
            rng);
        // A uniform guess has ln 12 = 2.48.
        for (double loss : loss_by_position(reader, text, 4, 11)) CHECK(loss < 0.2);
    }
}

TEST_CASE("counting words: three texts, worked by hand", "[lesson]") {
    const Texts train{{{1, 5, 5, 2}, {1, 6, 7, 2}}, {0, 1}};
    const Texts test{{{1, 5, 2}, {1, 6, 2}, {1, 7, 5, 5, 2}}, {0, 1, 1}};
    // The last one has two words of class 0 and one of class 1.
    CHECK(accuracy_by_counting(train, test, 2, 8) == Approx(2.0 / 3));
}

TEST_CASE("topic words never seen: fewer with more labelled texts", "[lesson]") {
    const course::ShortTexts texts = course::short_texts(1, {.unlabelled = 1});
    CHECK(share_never_seen(texts, 0) == 1);
    CHECK(share_never_seen(texts, 4) > share_never_seen(texts, 16));
    CHECK(share_never_seen(texts, 64) < 0.05);
}

TEST_CASE("wrong words: a reader that names every word notices all, an untrained one guesses",
          "[lesson]") {
    const Data data(50, 1, 1);
    CHECK(data.train.size() == 64);
    CHECK(data.labelled(4, 0).labels == std::vector<int>{0, 1, 2, 3});
    const Reader untrained = make_reader(Kind::scratch, data, 0, 1);
    Rng rng(1);
    const Noticed noticed = notice_wrong_words(untrained, data, 100, rng);
    CHECK(noticed.ranked_lower > 0.3);
    CHECK(noticed.ranked_lower < 0.7);
    CHECK(noticed.named <= 1);
    const Fills fills = fill_persons(untrained, data);
    CHECK(fills.texts.size() == 4);
    CHECK(fills.probabilities.size() == 4 * fills.persons.size());
    CHECK(fills.own + fills.others < 1);
}

}  // namespace
}  // namespace heed::lesson24
