#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "lessons/material/read/text_data.h"
#include "lessons/material/translation/pair_files.h"
#include "lessons/material/translation/translation.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using namespace heed::course;

TEST_CASE("punctuation is split off at the start and end of words only", "[data]") {
    CHECK(split_punctuation("I see.") == "I see .");
    CHECK(split_punctuation("\"Why?!\" (3.5 o'clock)") == "\" Why ? ! \" ( 3.5 o'clock )");
    CHECK(split_punctuation("  ... ") == ". . .");
    CHECK(split_punctuation("나는 학생이다.") == "나는 학생이다 .");
    CHECK(split_punctuation("") == "");
}

TEST_CASE("files: split by source sentence, the same for the same seed", "[data]") {
    const Scratch scratch;
    std::string bytes;
    for (int i = 0; i < 200; ++i)  // every source has two translations
        bytes += fmt::format("source {}\ttarget {}\nsource {}\tother {}\n", i, i, i, i);
    const std::string path = scratch.file("pairs.tsv", bytes);
    const ParallelText text = from_files({.train = path, .min_frequency = 1, .seed = 3});
    CHECK(text.train.size() + text.valid.size() + text.test.size() == 400);
    CHECK(text.test.size() > 10);
    CHECK(text.valid.size() > 10);

    std::set<std::vector<std::string>> trained;
    for (const SentencePair& pair : text.train.pairs) trained.insert(pair.source);
    for (const TextSet* set : {&text.valid, &text.test})
        for (const SentencePair& pair : set->pairs) CHECK(trained.count(pair.source) == 0);

    const ParallelText again = from_files({.train = path, .min_frequency = 1, .seed = 3});
    CHECK(again.test.source == text.test.source);
    const ParallelText other = from_files({.train = path, .min_frequency = 1, .seed = 4});
    CHECK(other.test.source != text.test.source);
}

TEST_CASE("files: swapped sides, characters, words seen once are unknown", "[data]") {
    const Scratch scratch;
    const std::string path =
        scratch.file("pairs.tsv", "go\t가라.\ngo on\t가라 가라\nstop\t멈춰\ngo\t가\n");
    const ParallelText text = from_files(
        {.train = path, .valid = path, .test = path, .swap = true, .source_unit = Unit::character});
    CHECK(text.train.pairs[0].source == std::vector<std::string>{"가", "라", "."});
    CHECK(text.train.pairs[0].target == std::vector<std::string>{"go"});
    CHECK(text.target.contains("go"));
    CHECK(!text.target.contains("stop"));
    CHECK(text.train.target[2] == std::vector<int>{Vocabulary::unk, Vocabulary::eos});
}

TEST_CASE("files: a side written in pieces, which are learned from the training set", "[data]") {
    const Scratch scratch;
    std::string lines;
    for (int i = 0; i < 6; ++i) lines += "나는 나는 걷는다\tI walk\n";
    const std::string path = scratch.file("pairs.tsv", lines),
                      other = scratch.file("other.tsv", "너는 걷는다\tyou walk\n");
    const ParallelText text = from_files({.train = path,
                                          .valid = other,
                                          .test = other,
                                          .source_unit = Unit::piece,
                                          .target_unit = Unit::piece,
                                          .pieces = 400,
                                          .min_frequency = 1});
    CHECK(text.source_unit == Unit::piece);
    // The words of the training set have become pieces of their own; a new one has smaller pieces.
    CHECK(text.train.pairs[0].source.size() == 3);
    CHECK(text.test.pairs[0].source.size() > 2);
    CHECK(line_of(text.train.pairs[0].source, Unit::piece) == "나는 나는 걷는다");
    CHECK(line_of(text.test.pairs[0].source, Unit::piece) == "너는 걷는다");
    CHECK(line_of(text.test.pairs[0].target, Unit::piece) == "you walk");
}

TEST_CASE("files: too few pairs for a split are refused", "[errors]") {
    const Scratch scratch;
    const std::string path = scratch.file("pairs.tsv", "a\tb\n");
    const std::string said = error_of([&] { from_files({.train = path}); });
    CHECK(said.find("expected at least 3 different source sentences") != std::string::npos);
    // Three are enough, with any seed, and thousands of the same are not.
    const std::string three = scratch.file("three.tsv", "a\tb\nc\td\ne\tf\n");
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const ParallelText text = from_files({.train = three, .min_frequency = 1, .seed = seed});
        CHECK(text.train.size() == 1);
        CHECK(text.valid.size() == 1);
        CHECK(text.test.size() == 1);
    }
    std::string same;
    for (int i = 0; i < 3000; ++i) same += "a\tb\n";
    const std::string many = scratch.file("many.tsv", same);
    CHECK(error_of([&] { from_files({.train = many}); }).ends_with("found 1 in 3000 pairs"));
    std::string words;
    for (int i = 0; i < 2001; ++i) words += "w ";
    const std::string wide = scratch.file("wide.tsv", "a\tb\n" + words + "\tb\nc\td\n");
    CHECK(error_of([&] { from_files({.train = wide}); }) ==
          wide + ": line 2: expected a sentence of at most 2000 tokens, found 2001");
}

namespace {

// A translator that copies the source: at step t it attends to source word t and outputs its id.
Translator copier(int vocabulary) {
    const auto likely = [vocabulary](int id) {
        std::vector<double> row(vocabulary, -20.0);
        row.at(id) = 0;
        return row;
    };
    Translator model;
    model.forward = [=](const PaddedBatch& source, const Indices& target_in, Mode) {
        const auto B = source.ids.size(0), K = source.ids.size(1), T = target_in.size(1);
        std::vector<double> logits, weights;
        for (std::int64_t b = 0; b < B; ++b)
            for (std::int64_t t = 0; t < T; ++t) {
                const bool over = t >= source.lengths[b];
                const auto row = likely(over ? Vocabulary::eos : source.ids.at({b, t}));
                logits.insert(logits.end(), row.begin(), row.end());
                for (std::int64_t k = 0; k < K; ++k) weights.push_back(k == t ? 1 : 0);
            }
        return Seq2SeqOutput{tensor(logits, {B, T, vocabulary}), tensor(weights, {B, T, K})};
    };
    model.decodable = [=](const PaddedBatch& source) {
        struct Copies {
            PaddedBatch source;
            std::int64_t vocabulary;
            std::int64_t length = 0;

            DecodingStep step(const Indices& tokens) {
                std::vector<double> logs;
                for (std::int64_t b = 0; b < tokens.count(); ++b) {
                    std::vector<double> row(vocabulary, -20.0);
                    const bool over = length >= source.lengths[b];
                    row.at(over ? Vocabulary::eos : source.ids.at({b, length})) = 0;
                    logs.insert(logs.end(), row.begin(), row.end());
                }
                ++length;
                return {tensor(logs, {tokens.count(), vocabulary})};
            }
            void select_rows(const std::vector<int>&) {}  // only decoded greedily
        };
        return Decodable(Copies{source, vocabulary}, source.ids.size(0));
    };
    return model;
}

}  // namespace

TEST_CASE("evaluation of a translator that copies", "[lesson]") {
    Corpus corpus;
    corpus.train.push_back({{"a", "b"}, {"a", "b"}, {{0, 0}, {1, 1}}, {}});
    corpus.train.push_back({{"b", "a", "c"}, {"b", "a", "c"}, {{0, 0}, {1, 1}, {2, 2}}, {}});
    corpus.train.push_back({{"c", "a"}, {"a", "c"}, {{0, 1}, {1, 0}}, {}});  // not a copy
    corpus.valid = corpus.test = corpus.train;
    const ParallelText text = from_corpus(corpus);
    REQUIRE(text.source.size() == text.target.size());
    for (const char* word : {"a", "b", "c"}) REQUIRE(text.source.id(word) == text.target.id(word));

    const Translator model = copier(text.target.size());
    const Evaluation result = evaluate(model, text, text.test);
    CHECK(result.outputs[1] == std::vector<std::string>{"b", "a", "c"});
    CHECK(result.right == std::vector<bool>{true, true, false});
    CHECK(std::abs(result.exact() - 2. / 3) < 1e-12);
    CHECK(std::abs(result.exact_by_length(text.test)[0] - 2. / 3) < 1e-12);
    CHECK(std::isnan(result.exact_by_length(text.test)[4]));
    CHECK(result.bleu.matches[0] == 7);

    // Five of the seven words attend to the right word; the two of the third sentence do not.
    CHECK(std::abs(align(model, text.test).rate() - 2. / 7) < 1e-12);
    CHECK(std::abs(weight_on_aligned(model, text.test) - 5. / 7) < 1e-12);
    CHECK(loss_of(model, text.train) > 1);
    for (int i = 0; i < text.test.size(); ++i) {  // a copy of the source, in the order of the set
        std::vector<int> copied = text.test.source[i];
        copied.resize(text.test.target[i].size(), Vocabulary::eos);
        CHECK(predicted_tokens(model, text.test)[i] == copied);
    }
}

TEST_CASE("scores: the weights of every decoder are their softmax", "[lesson]") {
    const std::vector<int> source{5, 3, 7, 4}, output{6, 3, Vocabulary::eos};
    for (const DecoderKind kind : {DecoderKind::bahdanau, DecoderKind::luong}) {
        Rng rng(3);
        const EncoderDecoder model({.source_vocabulary = 9,
                                    .target_vocabulary = 8,
                                    .embedding = 6,
                                    .hidden = 8,
                                    .decoder = kind,
                                    .input_feeding = kind == DecoderKind::luong,
                                    .score = ScoreKind::general},
                                   rng);
        const std::vector<double> scores = scores_of(model, source, output);
        const Indices target_in(std::vector<int>{Vocabulary::bos, 6, 3}, {1, 3});
        const Tensor weights = model(Indices(source, {1, 4}), {}, target_in).weights;
        const std::vector<double> again = softmax(tensor(scores, {3, 4}), -1).to_vector();
        const std::vector<double> all = weights.to_vector();
        REQUIRE(scores.size() == all.size());
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(std::abs(again[i] - all[i]) < 1e-6);
    }
}
