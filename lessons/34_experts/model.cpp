#include "lessons/34_experts/model.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "autograd/autograd.h"
#include "lessons/material/corpora/texts.h"
#include "nn/module/hooks.h"
#include "nn/nn.h"

namespace heed::lesson34 {

using namespace course;

namespace {

constexpr int64_t width = 32;
constexpr double balance = 0.01;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

std::vector<Network> networks(int64_t hidden) {
    const TransformerOptions small{
        .width = width, .hidden = hidden, .activation = Activation::gelu};
    TransformerOptions large = small, one = small, two = small, two_scaled;
    large.hidden = 8 * hidden;
    one.experts = 8;
    one.experts_for_each_token = 1;
    one.renormalise_experts = false;
    two.experts = 16;
    two.hidden = hidden / 2;
    two.experts_for_each_token = 2;
    two_scaled = two;
    two_scaled.renormalise_experts = false;
    return {{"small", small},
            {"1 of 8, random router", one, true},
            {"1 of 8", one},
            {"2 of 16", two},
            {"large", large},
            {"1 of 8, random router, p = 1", one, true, 300},
            {"2 of 16, times p", two_scaled}};
}

namespace {

void freeze_router(const Network& network, FeedForward& layer) {
    if (!network.frozen_router) return;
    freeze(layer.router);
    layer.router.weight.assign(layer.router.weight * network.router_times);
}

}  // namespace

// --- facts --------------------------------------------------------------------------------------

Memory::Memory(const TransformerOptions& options, Rng& rng)
    : first(names, width, rng),
      second(names, width, rng),
      norm(width),
      last(width),
      network(options, rng),
      head(width, answers, rng) {}

Tensor Memory::operator()(const Indices& a, const Indices& b, std::vector<Tensor>* router) const {
    const Tensor x = first(a) + second(b);
    return head(last(x + network(norm(x), Mode(), router)));
}

double multiply_adds(const FeedForward& network, const Tensor& x) {
    double count = 0;
    const auto units =
        [&](const Tensor& each) {  // [n, F]: n tokens times D F into it, F D out of it
            count += static_cast<double>(2 * each.numel() * x.size(-1));
        };
    run_with(network, x, {{"**.units", units}});
    const double tokens = static_cast<double>(x.numel() / x.size(-1));
    if (network.router.weight.defined())
        count += tokens * static_cast<double>(network.router.weight.numel());
    return count / tokens;
}

namespace {

struct Facts {
    std::vector<int> a, b, right;  // names, and the answers
};

void train_step(const Memory& memory, Adam& optimiser, const Network& kind, const Facts& facts) {
    const bool balanced = kind.options.experts > 0 && !kind.frozen_router;
    std::vector<Tensor> router;
    Tensor loss = cross_entropy(memory(facts.a, facts.b, &router), facts.right);
    if (balanced) loss = loss + balance * balance_loss(router, kind.options.experts_for_each_token);
    optimiser.zero_grad();
    backward(loss);
    optimiser.step();
}

}  // namespace

Learned learn_facts(const Network& kind, int steps, uint64_t seed) {
    Rng rng(seed);
    std::vector<int> answer;
    for (int i = 0; i < names * names; ++i) answer.push_back(static_cast<int>(rng.below(answers)));
    Memory memory(kind.options, rng);
    freeze_router(kind, memory.network);
    constexpr double rate = 5e-3;
    Adam optimiser(parameters(memory), {.lr = rate});
    const Schedule schedule = schedules::cosine(steps, 0.05);
    Rng order = rng.split();

    for (int step = 1; step <= steps; ++step) {
        Facts facts;
        for (int i = 0; i < 512; ++i) {
            const int fact = static_cast<int>(order.below(names * names));
            facts.a.push_back(fact / names), facts.b.push_back(fact % names);
            facts.right.push_back(answer[fact]);
        }
        optimiser.lr = rate * schedule(step);
        train_step(memory, optimiser, kind, facts);
    }
    Learned learned{.network = kind};

    const NoGrad no_grad;
    std::vector<int> a, b;
    for (int fact = 0; fact < names * names; ++fact)
        a.push_back(fact / names), b.push_back(fact % names);
    const Indices said = argmax(memory(a, b));
    for (int fact = 0; fact < names * names; ++fact)
        learned.right += (said[fact] == answer[fact]) / static_cast<double>(names * names);
    learned.parameters = static_cast<double>(parameter_count(memory.network));
    learned.work = multiply_adds(memory.network, normal({512, width}, 0, 1, rng));
    return learned;
}

namespace {

// One network after the other, several times, so that what else the machine does meets all of them.
void time_steps(std::vector<Learned>& all) {
    constexpr int steps = 20, rounds = 5;
    Rng rng(1);
    Facts facts;
    for (int i = 0; i < 512; ++i) {
        facts.a.push_back(static_cast<int>(rng.below(names)));
        facts.b.push_back(static_cast<int>(rng.below(names)));
        facts.right.push_back(static_cast<int>(rng.below(answers)));
    }
    for (Learned& one : all) one.milliseconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        for (Learned& one : all) {
            Memory memory(one.network.options, rng);
            freeze_router(one.network, memory.network);
            Adam optimiser(parameters(memory), {.lr = 1e-3});
            const double begin = seconds_now();
            for (int step = 0; step < steps; ++step)
                train_step(memory, optimiser, one.network, facts);
            one.milliseconds = std::min(one.milliseconds, 1000 * (seconds_now() - begin) / steps);
        }
    }
}

}  // namespace

std::vector<Learned> learn_all_facts(AtCall lesson, const std::vector<Network>& networks,
                                     int steps) {
    std::vector<Learned> all;
    ProgressLine progress = lesson->progress("learning facts", std::ssize(networks));
    for (const Network& network : networks) {
        all.push_back(learn_facts(network, steps, lesson->seed()));
        progress.update(std::ssize(all));
    }
    time_steps(all);
    progress.clear();
    return all;
}

// --- text ---------------------------------------------------------------------------------------

namespace {

constexpr int64_t context = 48;

// Pieces of a text as ids [rows, 48], and the same one character later.
struct Pieces {
    Indices in, out;
};
Pieces pieces_at(const std::vector<int>& text, const std::vector<int64_t>& starts) {
    std::vector<int> in, out;
    for (const int64_t first : starts) {
        in.insert(in.end(), text.begin() + first, text.begin() + first + context);
        out.insert(out.end(), text.begin() + first + 1, text.begin() + first + context + 1);
    }
    const Shape shape{std::ssize(starts), context};
    return {Indices(std::move(in), shape), Indices(std::move(out), shape)};
}

struct Text {
    std::string characters;
    std::vector<int> train, test;

    explicit Text(uint64_t seed) {
        CorpusOptions options;
        options.pairs = 6000;
        options.valid = options.test = 300;
        const Texts all = english_of(korean_english(seed, options));
        const std::string lines[2] = {joined(all.train), joined(all.test)};
        characters = lines[0] + lines[1];
        std::sort(characters.begin(), characters.end());
        characters.erase(std::unique(characters.begin(), characters.end()), characters.end());
        for (const char c : lines[0]) train.push_back(static_cast<int>(characters.find(c)));
        for (const char c : lines[1]) test.push_back(static_cast<int>(characters.find(c)));
    }
    static std::string joined(const std::vector<Sentence>& sentences) {
        std::string text;
        for (const std::string& line : lines_of(sentences)) text += line + "\n";
        return text;
    }
};

double train_model(const Network& kind, const Text& text, int steps, uint64_t seed) {
    TransformerOptions stack = llama({.width = width, .heads = 4, .layers = 2});
    stack.gated = false;
    stack.activation = kind.options.activation;
    stack.hidden = kind.options.hidden;
    stack.experts = kind.options.experts;
    stack.experts_for_each_token = kind.options.experts_for_each_token;
    stack.renormalise_experts = kind.options.renormalise_experts;
    Rng rng(seed), order(seed + 1);
    LanguageModel model(
        {.vocabulary = static_cast<int64_t>(text.characters.size()), .stack = stack}, rng);
    for (TransformerEncoderLayer& layer : model.stack.layers)
        freeze_router(kind, layer.feed_forward);
    const bool balanced = stack.experts > 0 && !kind.frozen_router;
    constexpr double rate = 5e-3;
    AdamW optimiser(parameters(model), {.lr = rate, .beta2 = 0.99, .weight_decay = 0.1});
    const Schedule schedule = schedules::cosine(steps, 0.1);
    for (int step = 1; step <= steps; ++step) {
        std::vector<int64_t> starts;
        for (int i = 0; i < 16; ++i)
            starts.push_back(order.below(std::ssize(text.train) - context - 1));
        const Pieces piece = pieces_at(text.train, starts);
        std::vector<Tensor> router;
        Tensor loss = sequence_cross_entropy(
            model.head(model.run(piece.in, {.router = balanced ? &router : nullptr})), piece.out,
            -1);
        if (balanced) loss = loss + balance * balance_loss(router, stack.experts_for_each_token);
        optimiser.zero_grad();
        backward(loss);
        optimiser.lr = rate * schedule(step);
        optimiser.step_clipped(1);
    }
    const NoGrad no_grad;
    std::vector<int64_t> starts;
    for (int64_t i = 0; i < 256; ++i)
        starts.push_back(i * ((std::ssize(text.test) - context - 1) / 256));
    const Pieces piece = pieces_at(text.test, starts);
    return sequence_cross_entropy(model(piece.in), piece.out, -1).item();
}

}  // namespace

double learn_text(const Network& kind, int steps, int models, uint64_t seed) {
    const Text text(seed);
    double loss = 0;
    for (int i = 0; i < models; ++i)
        loss +=
            train_model(kind, text, steps, 1000 * seed + 10 * static_cast<uint64_t>(i)) / models;
    return loss;
}

std::vector<double> learn_all_texts(AtCall lesson, const std::vector<Network>& networks,
                                    int steps) {
    std::vector<double> losses;
    ProgressLine progress = lesson->progress("reading", std::ssize(networks));
    for (const Network& network : networks) {
        losses.push_back(learn_text(network, steps, 2, lesson->seed()));
        progress.update(std::ssize(losses));
    }
    progress.clear();
    return losses;
}

// --- time ---------------------------------------------------------------------------------------

double milliseconds(const Network& kind) {
    Rng rng(1);
    TransformerOptions wide = kind.options;
    wide.width = 256;
    const FeedForward network(wide, rng);
    const Tensor x = normal({2048, wide.width}, 0, 1, rng);
    const NoGrad no_grad;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        const double begin = seconds_now();
        network(x);
        least = std::min(least, 1000 * (seconds_now() - begin));
    }
    return least;
}

}  // namespace heed::lesson34
