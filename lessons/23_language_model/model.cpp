#include "lessons/23_language_model/model.h"

#include <algorithm>
#include <cctype>
#include <chrono>

#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "nn/layers/losses.h"
#include "nn/optim/weight_decay.h"

namespace heed::lesson23 {

// --- the model ----------------------------------------------------------------------------------

LanguageModelOptions model_options(const Characters& text, const Settings& s) {
    TransformerOptions stack{.width = s.width,
                             .heads = s.heads,
                             .layers = s.layers,
                             .pre_norm = true,
                             .activation = Activation::gelu,
                             .bias = false};
    stack.positions = {.kind = PositionKind::learned, .max_positions = s.context};
    return {.vocabulary = text.size(), .stack = stack};
}

std::vector<double> estimates_of_loss(const LanguageModel& model, const std::vector<int>& text,
                                      const Settings& s, int times) {
    const NoGrad no_grad;
    Rng rng(1);  // the same batches in every call
    std::vector<double> means;
    for (int i = 0; i < times; ++i) {
        double total = 0;
        for (int batch = 0; batch < 20; ++batch) {
            const Piece piece = random_pieces(text, s.batch, s.context, rng);
            total += sequence_cross_entropy(model(piece.in), piece.out, -1).item();
        }
        means.push_back(total / 20);
    }
    return means;
}

AdamW optimiser_of(const LanguageModel& model) {
    return AdamW(
        parameters(model),
        {.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1, .decays = has_two_axes});
}

Schedule schedule_of(const Settings& s) {
    return schedules::warm_up_cosine(std::min(100, std::max(s.steps / 4, 1)), s.steps, 0.1);
}

// --- writing ------------------------------------------------------------------------------------

namespace {

// For each token, a layer of width D takes 12 D² multiplications for its products with weight
// matrices, and 2 D for every key that the query is compared with; the output layer takes V D.
void count(Cost& cost, const LanguageModel& model, std::int64_t rows, std::int64_t fresh,
           std::int64_t keys) {
    const std::int64_t width = model.embedding.weight.size(1),
                       layers = static_cast<std::int64_t>(model.stack.layers.size()),
                       vocabulary = model.embedding.weight.size(0);
    cost.tokens += rows * fresh;
    cost.multiplications +=
        rows * fresh * (layers * (12 * width * width + 2 * width * keys) + vocabulary * width);
}

// Calls f and adds the seconds it took to the cost.
template <class F>
auto timed(Cost& cost, F f) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = f();
    cost.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

// The library's decoding, counted. All rows have the same length.
struct Counted {
    Decodable inner;
    LanguageModel model;
    Cost* cost;
    std::int64_t length;

    DecodingStep step(const Indices& last) {
        count(*cost, model, last.count(), 1, ++length);
        return timed(*cost, [&] { return inner.step(last); });
    }
    void select_rows(const std::vector<int>& rows) { inner.select_rows(rows); }
};

// Decoding without a cache: at every step the model reads all tokens again.
struct Uncached {
    LanguageModel model;
    Cost* cost;
    std::vector<std::vector<int>> texts;  // of each row, everything so far

    DecodingStep step(const Indices& last) {
        std::vector<int> all;
        for (std::size_t row = 0; row < texts.size(); ++row) {
            texts[row].push_back(last[static_cast<std::int64_t>(row)]);
            all.insert(all.end(), texts[row].begin(), texts[row].end());
        }
        const auto rows = static_cast<std::int64_t>(texts.size());
        const auto length = static_cast<std::int64_t>(texts[0].size());
        count(*cost, model, rows, length, length);
        const Tensor logits = timed(*cost, [&] {
            return model(Indices(all, {rows, length}));
        });  // [N, T, V]
        return {log_softmax(select(logits, 1, length - 1))};
    }
    void select_rows(const std::vector<int>& rows) {
        std::vector<std::vector<int>> selected;
        for (int row : rows) selected.push_back(texts[row]);
        texts = std::move(selected);
    }
};

}  // namespace

Decodable with_cache(const LanguageModel& model, const Indices& prompt, Cost& cost) {
    const Decodable inner = model.decodable(prompt);
    return {Counted{inner, model, &cost, prompt.size(1) - 1}, inner.rows(), inner.first()};
}

Decodable without_cache(const LanguageModel& model, const Indices& prompt, Cost& cost) {
    Uncached all{model, &cost, {}};
    std::vector<int> first;
    for (std::int64_t row = 0; row < prompt.size(0); ++row) {
        std::vector<int> text;
        for (std::int64_t t = 0; t < prompt.size(1); ++t) text.push_back(prompt.at({row, t}));
        first.push_back(text.back());
        text.pop_back();
        all.texts.push_back(text);
    }
    return {std::move(all), prompt.size(0), Indices(first)};
}

std::vector<std::string> generate(const LanguageModel& model, const Characters& text,
                                  const std::string& prompt, int rows, int length,
                                  const SamplingOptions& sampling, Rng& rng) {
    const int context = static_cast<int>(model.positions.table.size(0));
    std::vector<std::vector<int>> all(rows, text.read(prompt));
    const std::size_t begin = all[0].size(), enough = begin + length;
    while (all[0].size() < enough) {
        const std::size_t seen = std::min<std::size_t>(all[0].size(), context / 2);
        std::vector<int> ids;
        for (const std::vector<int>& row : all) ids.insert(ids.end(), row.end() - seen, row.end());
        const int more = static_cast<int>(std::min<std::size_t>(
            enough - all[0].size(), context - seen));  // .end = -1: no token ends the text
        const auto found =
            sample_decode(model.decodable(Indices(ids, {rows, static_cast<std::int64_t>(seen)})),
                          sampling, rng, {.end = -1, .max_length = more});
        for (int row = 0; row < rows; ++row)
            all[row].insert(all[row].end(), found[row].tokens.begin(), found[row].tokens.end());
    }
    std::vector<std::string> texts;
    for (const std::vector<int>& row : all)
        texts.push_back(text.text({row.begin() + static_cast<std::ptrdiff_t>(begin), row.end()}));
    return texts;
}

std::vector<std::string> whole_words(const std::string& text) {
    const auto in_word = [](unsigned char c) { return std::isalpha(c) || c == '\'' || c >= 0x80; };
    std::vector<std::string> words;
    std::size_t i = 0;
    while (i < text.size() && in_word(text[i])) ++i;  // may be the end of a word
    for (std::string word; i < text.size(); ++i) {
        if (in_word(text[i])) {
            word += text[i];
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;  // the last one may be cut off
}

Quality quality_of(const std::vector<std::string>& texts, const std::set<std::string>& known) {
    double real = 0, words = 0, runs = 0;
    std::set<std::string> different;
    for (const std::string& text : texts) {
        const std::vector<std::string> all = whole_words(text);
        for (const std::string& word : all) real += known.count(word) != 0;
        words += static_cast<double>(all.size());
        for (std::size_t i = 0; i + 2 < all.size(); ++i, ++runs)
            different.insert(all[i] + " " + all[i + 1] + " " + all[i + 2]);
    }
    return {words > 0 ? real / words : 0,
            runs > 0 ? static_cast<double>(different.size()) / runs : 0};
}

}  // namespace heed::lesson23
