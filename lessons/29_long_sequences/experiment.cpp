#include "lessons/29_long_sequences/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>

#include "autograd/base/pool.h"
#include "lessons/29_long_sequences/data.h"
#include "lessons/course/course.h"
#include "lessons/material/read/labelled_text.h"
#include "lessons/material/read/marked_text.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson29 {

using namespace course;

namespace {

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double relative_error(const Tensor& y, const Tensor& exact) {
    return std::sqrt(sum(square(y - exact)).item() / sum(square(exact)).item());
}

}  // namespace

// --- cost ---------------------------------------------------------------------------------------

void show_cost(AtCall lesson, int64_t longest) {
    Table table({"length", "attention", "scores", "milliseconds", "MiB"});
    LinePlot plot{.x_label = "length", .y_label = "milliseconds", .log_x = true, .log_y = true};
    Series exact{.name = "exact"}, window{.name = "a window of 128 to each side"};
    for (int64_t length = 256; length <= longest; length *= 2) {
        Rng rng(1);
        std::vector<Tensor> x;
        for (int i = 0; i < 3; ++i)
            x.push_back(normal({1, 1, length, 64}, 0, 1, rng).set_requires_grad());
        const Tensor g = ones({1, 1, length, 64});
        const BlockPattern pattern(length, {.before = 128, .after = 128});
        const auto measure = [&](const std::function<Tensor()>& f, double& bytes) {
            const auto step = [&] { grad(f(), x, false, g); };
            step();
            const std::size_t before = memory_use().in_use;
            reset_peak_memory();
            const double first = seconds_of(step);
            bytes = static_cast<double>(memory_use().peak - before) / (1 << 20);
            return 1e3 * std::min(first, first < 0.2 ? seconds_of(step) : first);
        };
        double exact_bytes = 0, window_bytes = 0;
        const double exact_ms =
                         measure([&] { return scaled_dot_product_attention(x[0], x[1], x[2]); },
                                 exact_bytes),
                     window_ms =
                         measure([&] { return block_sparse_attention(x[0], x[1], x[2], pattern); },
                                 window_bytes);
        table.row(length, "exact", length * length, number(exact_ms, 3), number(exact_bytes, 3));
        table.row(length, "window", pattern.scores(), number(window_ms, 3),
                  number(window_bytes, 3));
        exact.x.push_back(static_cast<double>(length)), exact.y.push_back(exact_ms);
        window.x.push_back(static_cast<double>(length)), window.y.push_back(window_ms);
    }
    plot.series = {exact, window};
    lesson->table(table, "One head of width 64, forward and backward, on this machine.");
    lesson->show("cost", plot,
                 "Time by length. A line that rises by a factor of four for each "
                 "doubling is quadratic, by a factor of two linear.");
}

// --- errors -------------------------------------------------------------------------------------

Errors errors_of(double size, uint64_t seed) {
    Rng rng(seed);
    const auto drawn = [&](double scale) {
        return normal({1, 4, 256, 16}, 0, scale, rng, Dtype::float64);
    };
    const Tensor q = drawn(size), k = drawn(size), v = drawn(1);
    const Tensor exact = scaled_dot_product_attention(q, k, v);
    const auto performer = [&](int64_t features) {
        double total = 0;
        for (int i = 0; i < 4; ++i) {
            const Tensor w = orthogonal_features(features, 16, rng, Dtype::float64);
            total += relative_error(performer_attention(q, k, v, w), exact) / 4;
        }
        return total;
    };
    // Exact attention with the keys of Reformer: q / |q|, and not to the own position. Their scores
    // have a smaller range, so q is used at four times the size.
    const Tensor shared = q * 4, unit = shared / norm(shared, 2, {-1}, true);
    const Tensor others = reshape(1 - eye(256, Dtype::float64), {1, 1, 256, 256});
    const Tensor exact_shared = scaled_dot_product_attention(shared, unit, v, {.mask = others});
    const auto reformer = [&](int64_t hashes) {
        return relative_error(
            lsh_attention(shared, v, {.buckets = 16, .chunk = 16, .hashes = hashes, .seed = seed}),
            exact_shared);
    };
    const BlockPattern pattern(256, {.before = 32, .after = 32});
    return {performer(16), performer(256),
            relative_error(block_sparse_attention(q, k, v, pattern), exact), reformer(1),
            reformer(8)};
}

// --- laws ---------------------------------------------------------------------------------------

namespace {

// An attention of one head of this kind, at the small sizes of the laws, with its weights [B, Q, K].
AttentionFunction small_attention(Kind kind) {
    return [kind](const Tensor& q, const Tensor& k, const Tensor& v,
                  const Tensor& mask) -> AttentionOutput {
        Rng rng(3);
        const auto heads = [](const Tensor& x) { return unsqueeze(x, 1); };
        const Tensor h = mask.defined() ? heads(mask) : mask;
        const auto plain = [](const AttentionOutput& y) {
            return AttentionOutput{squeeze(y.context, 1), squeeze(y.weights, 1)};
        };
        const auto along = [&](const BlockPatternOptions& options) {
            return plain(block_sparse_definition(heads(q), heads(k), heads(v),
                                                 BlockPattern(k.size(1), options), {.mask = h}));
        };
        switch (kind) {
            case Kind::exact:
                return plain(
                    scaled_dot_product_definition(heads(q), heads(k), heads(v), {.mask = h}));
            case Kind::window:
                return along({.before = 1, .after = 1, .block = 2});
            case Kind::bigbird:
                return along({.before = 1, .after = 1, .global = {0}, .block = 2});
            case Kind::linformer: {
                Linformer layer({.length = 5, .projected = 3}, rng);
                to_dtype(layer, Dtype::float64);
                const AttentionOutput y = layer(heads(q), heads(k), heads(v), h);
                Tensor weights = matmul(y.weights, slice(layer.value, 1, 0, k.size(1)));
                if (h.defined()) weights = weights * h;
                return plain({y.context, weights});
            }
            case Kind::performer:
                return plain(performer_definition(
                    heads(q), heads(k), heads(v),
                    orthogonal_features(12, q.size(2), rng, Dtype::float64), {.mask = h}));
            case Kind::reformer:
                return plain(lsh_definition(heads(k), heads(v),
                                            {.buckets = 2, .chunk = 2, .hashes = 2, .mask = h}));
            case Kind::synthesizer: {
                Synthesizer layer(SynthesizerKind::dense, {.width = 4, .length = 5, .hidden = 8},
                                  rng);
                to_dtype(layer, Dtype::float64);
                return plain(layer(q, heads(v), h));
            }
        }
        return {};
    };
}

struct NamedLaw {
    const char* name;
    laws::Verdict (*judge)(const AttentionFunction&, const laws::Sizes&);
};
const std::vector<NamedLaw>& some_laws() {
    static const std::vector<NamedLaw> all{{"permutation", laws::permutation},
                                           {"every_key_counts", laws::every_key_counts},
                                           {"queries_apart", laws::queries_apart},
                                           {"weighted_mean", laws::weighted_mean}};
    return all;
}

}  // namespace

bool obeys(Kind kind, const char* law, uint64_t seed) {
    for (const NamedLaw& each : some_laws())
        if (std::string(each.name) == law)
            return each.judge(small_attention(kind), {.queries = 5, .keys = 5, .seed = seed}).holds;
    fail("there is no law {}", law);
}

double smallest_weight(Kind kind, uint64_t seed) {
    Rng rng(seed);
    const auto drawn = [&] { return normal({2, 5, 4}, 0, 1, rng, Dtype::float64); };
    const Tensor q = drawn(), k = drawn();
    return min(small_attention(kind)(q, k, k, {}).weights).item();
}

void show_laws(AtCall lesson) {
    std::vector<std::string> head{"attention"};
    for (const NamedLaw& law : some_laws()) head.push_back(law.name);
    Table table(head);
    for (Kind kind : kinds()) {
        std::vector<std::string> row{name_of(kind)};
        for (const NamedLaw& law : some_laws())
            row.push_back(obeys(kind, law.name, 1) ? "obeys" : "breaks");
        table.add(row);
    }
    lesson->table(table, "Four of the laws, measured at five positions.");
}

// --- two tasks ----------------------------------------------------------------------------------

Accuracies accuracies_of(const std::vector<Kind>& which, Task task, const Sizes& sizes, int steps,
                         int seeds, uint64_t seed) {
    Accuracies all;
    for (Kind kind : which)
        for (int i = 0; i < seeds; ++i)
            all[kind].push_back(accuracy_after_training(kind, task, sizes, steps, seed + i));
    return all;
}

void show_accuracies(AtCall lesson, const Accuracies& near, const Accuracies& far,
                     const Sizes& sizes) {
    Table table({"attention", "near", "far", fmt::format("multiply-adds at {}", sizes.length),
                 "at 16,384"});
    const int64_t width = sizes.width / sizes.heads;
    for (const auto& [kind, shares] : near)
        table.row(name_of(kind), mean_and_spread(shares, 2), mean_and_spread(far.at(kind), 2),
                  fmt::format("{:.2f} M", multiply_adds(kind, sizes, sizes.length, width) / 1e6),
                  fmt::format("{:.0f} M", multiply_adds(kind, sizes, 16384, width) / 1e6));
    lesson->table(table,
                  fmt::format("Share of right answers in 200 new sequences of {} tokens, where "
                              "guessing gives 0.25; and multiply-adds of one head.",
                              sizes.length));
}

// --- the reader's texts ---------------------------------------------------------------------------

namespace {

struct Texts {
    std::vector<std::vector<int>> ids;
    std::vector<int> labels;
};

struct Sets {
    std::vector<LabelledText> train, test;
};

// A file of labelled lines, of which a fifth becomes the test set, or a folder of texts with marked
// words. Every label of the test set is in the training set.
Sets read_sets(const std::string& path, std::uint64_t seed) {
    Sets sets;
    if (std::filesystem::is_directory(path)) {
        const MarkedSets marked = read_marked_sets(path);
        for (const MarkedText& text : marked.train)
            sets.train.push_back({text.label, "", text.words});
        for (const MarkedText& text : marked.test)
            sets.test.push_back({text.label, "", text.words});
        return sets;
    }
    std::vector<LabelledText> all = read_labelled(path);
    std::map<std::string, int> count;
    for (const LabelledText& text : all) ++count[text.label];
    if (all.size() < 50 || count.size() < 2)
        throw InputError(fmt::format(
            "{}: expected at least 50 texts of at least two labels, found {} texts and {} labels",
            path, all.size(), count.size()));
    Rng rng(seed);
    rng.shuffle(all);
    std::set<std::string> taught;
    const std::size_t held = all.size() / 5;
    for (std::size_t i = all.size(); i-- > 0;) {  // a label that occurs once is for training
        const bool trains = i >= held || !taught.count(all[i].label);
        (trains ? sets.train : sets.test).push_back(all[i]);
        if (trains) taught.insert(all[i].label);
    }
    return sets;
}

// The mean of the hidden states of a text's words, and a linear layer.
Tensor class_logits(const LongModel& model, const Texts& texts, const std::vector<int>& chosen,
                    std::vector<int>& labels) {
    std::vector<std::vector<int>> ids;
    labels.clear();
    for (int i : chosen) ids.push_back(texts.ids[i]), labels.push_back(texts.labels[i]);
    const PaddedBatch batch = pad_sequences(ids);
    const Tensor mask = padding_mask(batch.lengths, batch.ids.size(1));  // [B, 1, T]
    const Tensor hidden = model.hidden(batch.ids, unsqueeze(mask, 1));
    const Tensor pooled = matmul(mask, hidden) / sum(mask, {-1}, true);  // [B, 1, D]
    return model.output(squeeze(pooled, 1));
}

double accuracy_on(const LongModel& model, const Texts& texts) {
    const NoGrad no_grad;
    double right = 0;
    std::vector<int> labels;
    for (std::size_t i = 0; i < texts.ids.size(); ++i) {
        const Tensor logits = class_logits(model, texts, {static_cast<int>(i)}, labels);
        right += argmax(logits)[0] == labels[0];
    }
    return right / static_cast<double>(texts.ids.size());
}

}  // namespace

void run_on_own_texts(AtCall lesson, int epochs, int longest) {
    const Sets sets = read_sets(lesson->options().data, lesson->seed());
    std::map<std::string, int> labels;
    std::vector<std::string> words;
    for (const LabelledText& text : sets.train) {
        labels.emplace(text.label, 0);
        words.insert(words.end(), text.words.begin(), text.words.end());
    }
    int next = 0;
    for (auto& [label, id] : labels) id = next++;
    const Vocabulary vocabulary = Vocabulary::build(words, {.min_frequency = 3});
    double total = 0;
    const auto as_ids = [&](const std::vector<LabelledText>& texts) {
        Texts all;
        for (const LabelledText& text : texts) {
            std::vector<int> ids;
            for (const std::string& word : text.words) {
                if (static_cast<int>(ids.size()) == longest) break;
                ids.push_back(vocabulary.id(word));
            }
            total += static_cast<double>(ids.size());
            all.ids.push_back(ids), all.labels.push_back(labels.at(text.label));
        }
        return all;
    };
    const Texts train_set = as_ids(sets.train), test_set = as_ids(sets.test);
    lesson->say("{} training texts, {} test texts, {} labels, {:.0f} words in a text on average.",
                train_set.ids.size(), test_set.ids.size(), labels.size(),
                total / static_cast<double>(train_set.ids.size() + test_set.ids.size()));

    const Sizes sizes{.vocabulary = vocabulary.size(),
                      .outputs = static_cast<int64_t>(labels.size()),
                      .length = longest,
                      .layers = 1,
                      .window = 16,
                      .rows = 64,
                      .features = 64,
                      .chunk = 32};
    const int batch = 8, steps = epochs * static_cast<int>(train_set.ids.size()) / batch;
    Table table({"attention", "training", "test", "seconds"});
    double best = 0;
    for (Kind kind : kinds()) {
        Rng own(lesson->seed() + 1);
        LongModel model(kind, sizes, own);
        AdamW adam(parameters(model), {.lr = 0.002});
        const CheckpointOptions checkpoint = next_checkpoint({own});
        const double seconds = seconds_of([&] {
            train(adam, {.steps = steps, .clip_norm = 1, .checkpoint = checkpoint}, [&](int64_t) {
                std::vector<int> chosen, targets;
                for (int i = 0; i < batch; ++i)
                    chosen.push_back(
                        static_cast<int>(own.below(static_cast<int64_t>(train_set.ids.size()))));
                const Tensor logits = class_logits(model, train_set, chosen, targets);
                return StepResult{cross_entropy(logits, Indices(targets))};
            });
        });
        const double on_test = accuracy_on(model, test_set);
        best = std::max(best, on_test);
        table.row(name_of(kind), accuracy_on(model, train_set), on_test, seconds);
    }
    lesson->table(table, "One run of each; the time is that of training on this machine.");
    const Indices count = bincount(test_set.labels);
    const int most = *std::max_element(count.begin(), count.end());
    lesson->claim("own-accuracy", "finding: accuracy of the best kind on the test set", best,
                  more_than(static_cast<double>(most) / static_cast<double>(test_set.ids.size())));
}

}  // namespace heed::lesson29
