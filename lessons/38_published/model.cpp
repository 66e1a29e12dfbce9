#include "lessons/38_published/model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>

#include "autograd/autograd.h"
#include "lessons/23_language_model/data.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"
#include "nn/optim/schedules.h"
#include "nn/train/train.h"

namespace heed::lesson38 {

using namespace course;

// --- the text of the small model ----------------------------------------------------------------

namespace {

constexpr std::string_view alphabet = "\n .abcdefghijklmnopqrstuvwxyz";
static_assert(alphabet.size() == vocabulary);

struct Words {
    std::vector<const char*> nouns, verbs;
};
const Words& words_of(World world) {
    static const Words land{{"cat", "dog", "student", "teacher", "book", "letter", "bird", "house"},
                            {"sees", "meets", "likes", "finds", "knows", "hears"}};
    static const Words sea{
        {"raft", "ferry", "anchor", "captain", "harbour", "sail", "crab", "reef"},
        {"steers", "moors", "paints", "sinks", "tows", "buys"}};
    return world == World::land ? land : sea;
}

const char* any(const std::vector<const char*>& words, Rng& rng) {
    return words[static_cast<std::size_t>(rng.below(std::ssize(words)))];
}

std::string story(World world, Rng& rng) {
    const auto& [nouns, verbs] = words_of(world);
    const std::string name = lesson23::new_name(rng);
    std::string text;
    for (int i = 0; i < 4; ++i) {
        const std::string verb = any(verbs, rng), noun = any(nouns, rng);
        if (world == World::sea)
            text += fmt::format("at sea {} {} a {}", name, verb, noun);
        else
            text += rng.below(2) ? fmt::format("{} {} the {}", name, verb, noun)
                                 : fmt::format("the {} {} {}", noun, verb, name);
        text += i < 3 ? ". " : ".\n";
    }
    return text;
}

std::string repeated_string(Rng& rng) {
    std::string letters(alphabet.substr(3));
    std::vector<char> all(letters.begin(), letters.end());
    rng.shuffle(all);
    const auto n = static_cast<std::size_t>(4 + rng.below(7));
    std::string line;
    for (std::size_t i = 0; i < 4 * n; ++i) line += all[i % n];
    return line + "\n";
}

}  // namespace

std::vector<int> characters_of(const std::string& text) {
    std::vector<int> ids;
    for (const char c : text) {
        const auto id = alphabet.find(c);
        check(id != std::string_view::npos, "the character '{}' is not in the alphabet", c);
        ids.push_back(static_cast<int>(id));
    }
    return ids;
}

std::string text_of(const std::vector<int>& characters) {
    std::string text;
    for (const int id : characters) text += alphabet.at(static_cast<std::size_t>(id));
    return text;
}

Rows draw_rows(World world, int64_t count, int64_t length, Rng& rng) {
    std::vector<int> in, out;
    for (int64_t row = 0; row < count; ++row) {
        std::string text = "\n";
        while (std::ssize(text) <= length)
            text += rng.below(3) == 0 ? story(world, rng) : repeated_string(rng);
        const std::vector<int> ids = characters_of(text);
        in.insert(in.end(), ids.begin(), ids.begin() + length);
        out.insert(out.end(), ids.begin() + 1, ids.begin() + length + 1);
    }
    const Shape shape{count, length};
    return {Indices(std::move(in), shape), Indices(std::move(out), shape)};
}

// --- the small model ----------------------------------------------------------------------------

namespace {

constexpr int64_t small_context = 48, small_batch = 16;

}  // namespace

LanguageModelOptions small_llama() {
    return {.vocabulary = vocabulary,
            .stack = llama({.width = 64,
                            .heads = 4,
                            .layers = 3,
                            .key_value_heads = 2,
                            .hidden = 160,
                            .rotary_base = 500})};
}

LanguageModel train_small(AtCall lesson, int steps, const std::string& label,
                          const Change& change) {
    Rng rng(100 * lesson->seed() + 1);
    LanguageModel model(small_llama(), rng);
    // GPT-2's initial weights, N(0, 0.02), are meant for a width of 1,600. For 64 they are five times as large.
    for (Parameter& p : parameters(model))
        if (p.tensor.dim() == 2) p.tensor.assign(5 * detach(p.tensor));
    if (change) change(model);
    AdamW adam(parameters(model), {.lr = 4e-3, .beta2 = 0.99, .weight_decay = 0.1});
    ProgressLine line = lesson->progress(label, steps);
    const TrainOptions options{
        .steps = steps,
        .clip_norm = 1,
        .schedule = schedules::warm_up_cosine(std::max(steps / 10, 1), steps, 0.1),
        .on_step =
            [&](const TrainProgress& now) {
                line.update(now.step, now.mean_loss, now.step * small_batch * small_context);
            },
        .checkpoint = next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const Rows rows = draw_rows(World::land, small_batch, small_context, rng);
        return StepResult{sequence_cross_entropy(model(rows.in), rows.out, -1), rows.in.count()};
    });
    line.clear();
    return model;
}

Subject small_subject(LanguageModel model, std::uint64_t seed, bool quick) {
    Rng rng(100 * seed + 2);
    Subject subject{.name = "a small Llama, trained here",
                    .model = std::move(model),
                    .encode = characters_of,
                    .decode = text_of,
                    .prompt = "\nbopilu sees the cat. the dog meets ",
                    .first = characters_of("\n"),
                    .string_length = 10};
    const int64_t rows = quick ? 32 : 128;
    subject.text = draw_rows(World::land, rows, small_context, rng);
    subject.letters = characters_of(std::string(alphabet.substr(3)));
    subject.other = draw_rows(World::sea, 256, small_context, rng);
    subject.other_test = draw_rows(World::sea, rows, small_context, rng);
    return subject;
}

LanguageModel as_floats(const LanguageModel& model) {
    LanguageModel copy = model;
    const auto make_floats = [](auto& layer) {
        if (layer.quantised.defined()) layer.weight = parameter(dequantise(layer.quantised));
        layer.quantised = {};
    };
    const bool tied = model.head.quantised.defined() && model.embedding.quantised.defined() &&
                      model.head.quantised.data() == model.embedding.quantised.data();
    make_floats(copy.embedding);
    for_each_layer<Linear>(copy, [&](const std::string&, Linear& layer) { make_floats(layer); });
    if (tied) copy.head.weight = copy.embedding.weight;
    return copy;
}

// --- a published one ----------------------------------------------------------------------------

namespace {

// Written for the course, so no model was trained on it.
constexpr const char* own_text =
    "The harbour master kept two clocks. One hung in the hall and was always right. The other stood on his desk, "
    "and he had set it ten minutes fast, because he liked to be early and knew that he could not be trusted. Every "
    "morning he looked at the clock on his desk, took fright, and ran down the stairs. In the hall he saw the "
    "other clock, remembered, and walked the rest of the way. One winter the clock in the hall stopped. Nobody "
    "noticed for a week, least of all the harbour master, who ran down the stairs as usual, saw that there was "
    "plenty of time, and walked. The ferry left without its papers seven times. On the eighth day his daughter "
    "wound the clock and said nothing. When he asked her, years later, why the captains had been so angry that "
    "winter, she told him that a clock which is wrong is no danger to anybody, as long as you know by how much. "
    "It is the clock you trust that makes you late. He thought about this for some time. Then he set the clock on "
    "his desk to the right hour, and from that day he was never early again.";

// Rows of a long text, without the rest.
Rows rows_of(const std::vector<int>& ids, int64_t begin, int64_t end, int64_t length) {
    std::vector<int> in, out;
    for (int64_t i = begin; i + length < end; i += length) {
        in.insert(in.end(), ids.begin() + i, ids.begin() + i + length);
        out.insert(out.end(), ids.begin() + i + 1, ids.begin() + i + length + 1);
    }
    const Shape shape{std::ssize(in) / length, length};
    return {Indices(std::move(in), shape), Indices(std::move(out), shape)};
}

}  // namespace

Subject subject_from(const std::string& path, const std::string& text, bool quick) {
    const auto file = std::make_shared<PublishedLanguageModel>(load_language_model(path));
    const TransformerEncoderLayer& layer = file->model.stack.layers.at(0);
    if (!layer.feed_forward.gate.defined() ||
        layer.attention.positions.kind != PositionKind::rotary)
        throw InputError(path + ": expected a model of the Llama family, found " +
                         file->description);
    Subject subject{
        .name = file->description,
        .model = as_floats(file->model),
        .encode = [file](const std::string& some) { return file->tokenizer.encode(some); },
        .decode = [file](const std::vector<int>& ids) { return file->tokenizer.decode(ids); },
        .prompt = "The captain went down to the harbour because",
        .string_length = quick ? 20 : 40,
        .published = true};
    if (layer.attention.multi_head.query.quantised.defined()) subject.stored = file->model;
    const std::vector<int> ids = subject.encode(own_text);
    subject.text =
        rows_of(ids, 0, std::ssize(ids), std::min<int64_t>(quick ? 100 : 200, std::ssize(ids) - 1));
    Rng rng(1);
    for (int id = 0; id < file->tokenizer.size(); ++id)  // ordinary tokens
        if (!file->tokenizer.is_special(id)) subject.letters.push_back(id);
    rng.shuffle(subject.letters);
    subject.letters.resize(std::min<std::size_t>(subject.letters.size(), 1000));
    subject.string_length =
        std::min<int64_t>(subject.string_length, std::ssize(subject.letters) / 2);

    const std::string other =
        text.empty() ? lesson23::english_lines(1, 400) : lesson23::text_of_file(text, 2000);
    const std::vector<int> more =
        subject.encode(other.substr(0, other.find_last_of(" \n", 40'000)));
    const int64_t length = 64, border = std::ssize(more) * 4 / 5;
    subject.other = rows_of(more, 0, border, length);
    subject.other_test =
        rows_of(more, border, std::min<int64_t>(std::ssize(more), border + 8 * length + 1), length);
    check(subject.other.in.count() > 0 && subject.other_test.in.count() > 0,
          "--text: expected at least {} tokens, found {}", 8 * length, more.size());
    return subject;
}

}  // namespace heed::lesson38
