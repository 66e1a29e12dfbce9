// ./heed learn translation --mine: trains the translator of lesson {translation} with the reader's own parts
// and, beside it, the library's with the same initial weights on the same sentences. Both have the same
// losses and translate alike, because a right part computes the same numbers, up to the rounding of float64.
//
// This file is compiled after the namespaces of the parts (parts.h).
#include "lessons/mine/translator.h"

#include <filesystem>
#include <sstream>

#include "attention/recurrent/encoder_decoder.h"
#include "lessons/material/translation/pair_files.h"
#include "lessons/material/translation/translation.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"

namespace heed::mine {
namespace {

using course::number;

// The training sentences in batches whose sentences have the same number of words, on both sides.
std::vector<std::vector<int>> batches_of(const course::TextSet& set, std::size_t size) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> by_length;
    for (int i = 0; i < set.size(); ++i)
        by_length[{set.source[i].size(), set.target[i].size()}].push_back(i);
    std::vector<std::vector<int>> batches;
    for (const auto& [lengths, all] : by_length)
        for (std::size_t at = 0; at < all.size(); at += size)
            batches.emplace_back(
                all.begin() + static_cast<std::ptrdiff_t>(at),
                all.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, all.size())));
    return batches;
}

// The library's translator with an LSTM, whose last two layers have no bias, as in the exercise.
EncoderDecoder library_model(const course::ParallelText& text, Rng& rng) {
    const int64_t width = 96;
    EncoderDecoder model({.source_vocabulary = text.source.size(),
                          .target_vocabulary = text.target.size(),
                          .embedding = width / 2,
                          .hidden = width,
                          .cell = CellKind::lstm},
                         rng);
    model.decoder.readout.bias = Tensor();
    model.output.bias = Tensor();
    to_dtype(model, Dtype::float64);
    return model;
}

// What a translator is worth on sentences that it has not seen.
struct Worth {
    double exact = 0;  // the share that is translated exactly
    metrics::Bleu bleu;
    course::AlignmentError alignment;
};

// translate(source) returns the words; weights(source, target) the weights [T, K] of a given translation.
template <class Translate, class WeightsFor>
Worth worth(const course::ParallelText& text, const Translate& translate,
            const WeightsFor& weights_for) {
    const course::TextSet& set = text.test;
    Worth all;
    for (int i = 0; i < set.size(); ++i) {
        const course::SentencePair& pair = set.pairs[i];
        const std::vector<std::string> output = text.target.decode_tokens(translate(set.source[i]));
        all.exact += (output == pair.target) / static_cast<double>(set.size());
        all.bleu.add(output, pair.target);
        const Indices most = argmax(weights_for(set.source[i], set.target[i]), 1);
        course::Alignment links;
        for (std::size_t t = 0; t < pair.target.size(); ++t)
            links.emplace_back(most[static_cast<int64_t>(t)], static_cast<int>(t));
        std::sort(links.begin(), links.end());
        all.alignment.add(links, pair.alignment, pair.possible);
    }
    return all;
}

course::HeatMap map_of(const std::string& title, const course::ParallelText& text,
                       const std::vector<std::string>& source, const std::vector<int>& words,
                       const Tensor& weights) {
    std::vector<std::string> output = text.target.decode_tokens(words);
    const auto rows = static_cast<int64_t>(output.size());
    course::HeatMap map =
        course::attention_map(output, source, slice(weights, 0, 0, rows).to_vector());
    map.title = title;
    return map;
}

course::ParallelText sentences(int seed) {
    return course::from_corpus(course::korean_english(
        static_cast<std::uint64_t>(seed),
        {.pairs = 14000, .valid = 100, .test = 400, .shortest = 2, .longest = 8}));
}

// Translates with what was learned before.
int translate_sentence(const Options& given) {
    const std::string kept = kept_in(given, "translator");
    check(!kept.empty() && std::filesystem::exists(kept),
          "--say: your translator has not learned yet; ./heed learn 11 --mine trains it");
    const Safetensors file = load_safetensors(kept);
    const course::ParallelText text = sentences(number_in(file.metadata, "seed", kept));
    Rng rng(1);
    EncoderDecoder model = library_model(text, rng);
    load_model(model, kept);
    const Weights weights = weights_of(parameters(model));
    std::vector<std::string> words;
    std::istringstream said(given.at("--say"));
    for (std::string word; said >> word;) words.push_back(word);
    const std::vector<int> ids = text.source.encode(given.at("--say"));
    check(!ids.empty() && ids.size() <= 60, "--say: expected 1 to 60 words, found {}", ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] == Vocabulary::unk)
            fmt::print("{}: a word that it has not seen\n", course::printable(words[i]));
    const Translation found =
        OneSentence(weights, ids).translate(Vocabulary::bos, Vocabulary::eos, 60);
    fmt::print("{}\n", course::to_text(map_of("", text, words, found.words, found.weights),
                                       course::screen_of_stdout()));
    std::string line;
    for (const std::string& word : text.target.decode_tokens(found.words))
        line += (line.empty() ? "" : " ") + word;
    fmt::print("{}\n", line);
    return 0;
}

int train(const Options& given) {
    if (!given.at("--say").empty()) return translate_sentence(given);
    const int steps = whole(given, "--steps"), seed = whole(given, "--seed");
    const course::ParallelText text = sentences(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    EncoderDecoder library = library_model(text, rng);
    Weights weights = weights_of(parameters(library));
    Adam adam(parameters(library), {.lr = 1});
    AdamStates states;
    Clock clock;
    say("Two translators, yours and the library's, learn from {} pairs\n"
        "of at most 8 Korean words.\n\n",
        text.train.size());

    Losses losses(steps);
    double mine_seconds = 0, library_seconds = 0;
    const int measured = std::min(5, steps / 2);
    const std::vector<std::vector<int>> batches = batches_of(text.train, 32);
    for (int n = 1; n <= steps; ++n) {
        const std::vector<int>& chosen =
            batches[static_cast<std::size_t>(rng.below(static_cast<int64_t>(batches.size())))];
        const course::TranslationBatch batch = course::translation_batch(text.train, chosen);
        const double rate = 4e-3 * std::min(1.0, n / 100.0) * (1 - 0.9 * n / steps);
        clock.measuring = n > steps - measured;  // the last steps measure each part

        const double start = Clock::now();
        Weights gradients;
        const double mine =
            Translator(weights, clock)
                .loss(batch.source.ids, batch.target_in, batch.target_out, gradients);
        std::vector<Tensor> list;
        for (const auto& [name, g] : gradients) list.push_back(g);
        list = part_clipping::my_clip(list, 1);
        for (std::size_t i = 0; auto& [name, g] : gradients) g = list[i++];
        adam_step(weights, gradients, states, rate, clock);
        const double middle = Clock::now();
        const Tensor loss =
            sequence_cross_entropy(library(batch.source.ids, {}, batch.target_in).logits,
                                   batch.target_out, Vocabulary::pad);
        adam.zero_grad();
        backward(loss);
        adam.lr = rate;
        adam.step_clipped(1);
        const double end = Clock::now();

        if (!clock.measuring) mine_seconds += middle - start, library_seconds += end - middle;
        if (!losses.add(n, mine, loss.item())) return 1;
    }
    losses.show();
    show_parts(clock, measured);

    const std::string kept = kept_in(given, "translator");
    keep(kept, weights, {{"seed", std::to_string(seed)}, {"steps", std::to_string(steps)}});

    const NoGrad no_grad;
    const course::Translator by_library = course::translator(library);
    const Worth mine = worth(
        text,
        [&](const std::vector<int>& source) {
            return OneSentence(weights, source)
                .translate(Vocabulary::bos, Vocabulary::eos, 60)
                .words;
        },
        [&](const std::vector<int>& source, const std::vector<int>& target) {
            return OneSentence(weights, source).weights_for(target, Vocabulary::bos);
        });
    const Worth theirs = worth(
        text,
        [&](const std::vector<int>& source) {
            const Decodable one = library.decodable(pad_sequences({source}).ids);
            return greedy_decode(one)[0].tokens;
        },
        [&](const std::vector<int>& source, const std::vector<int>& target) {
            std::vector<int> before(target);
            before.insert(before.begin(), Vocabulary::bos);
            before.pop_back();
            return select(
                library(pad_sequences({source}).ids, {}, pad_sequences({before}).ids).weights, 0,
                0);
        });

    const course::Screen screen = course::screen_of_stdout();
    const std::vector<std::string> sentence{"나는", "학생", "이다"};
    const std::vector<int> ids = text.source.encode("나는 학생 이다");
    const OneSentence reader(weights, ids);
    const Translation said = reader.translate(Vocabulary::bos, Vocabulary::eos, 60);
    const course::Shown shown = course::show_translation(by_library, text, sentence);
    fmt::print("{}\n",
               course::to_text(map_of("your translator", text, sentence, said.words, said.weights),
                               screen));
    std::vector<int> words = shown.output_ids;
    if (!words.empty() && words.back() == Vocabulary::eos) words.pop_back();
    fmt::print("{}\n",
               course::to_text(map_of("the library's", text, sentence, words,
                                      tensor(shown.weights,
                                             {static_cast<int64_t>(shown.output_ids.size()), 3})),
                               screen));

    course::Table table({"on " + std::to_string(text.test.size()) + " sentences it has not seen",
                         "yours", "the library's"});
    table.row("translated exactly", fmt::format("{:.3f}", mine.exact),
              fmt::format("{:.3f}", theirs.exact));
    table.row("BLEU", fmt::format("{:.1f}", 100 * mine.bleu.score()),
              fmt::format("{:.1f}", 100 * theirs.bleu.score()));
    table.row("alignment error", fmt::format("{:.3f}", mine.alignment.rate()),
              fmt::format("{:.3f}", theirs.alignment.rate()));
    fmt::print("{}", table.to_text(screen));
    const double unmeasured = std::max(1, steps - measured);
    say("A step takes {} ms with these parts and {} ms with the library.\n",
        number(1e3 * mine_seconds / unmeasured, 3), number(1e3 * library_seconds / unmeasured, 3));
    // Two trainings that differ by rounding; the standard error of such a share of 400 is about 0.01.
    const bool same = std::abs(mine.exact - theirs.exact) <= 0.03;
    say("{}", losses.verdict());
    say("{} both translate the same share of the sentences exactly, within 0.03\n",
        same ? "✓" : "✗");
    milestone("translator", "0.95 of the sentences it has not seen are translated exactly",
              mine.exact >= 0.95, fmt::format("{:.3f}", mine.exact));
    if (!kept.empty())
        say("It is yours, in {}: ./heed learn 11 --mine --say \"나는 의사 이다\"\n", kept);
    return losses.agree() && same ? 0 : 1;
}

}  // namespace
}  // namespace heed::mine

int main(int argc, char** argv) {
    return heed::mine::run_own_program(
        [&] { return heed::mine::train(heed::mine::read_options("translator", argc, argv)); });
}
