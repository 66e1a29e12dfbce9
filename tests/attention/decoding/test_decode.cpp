// Decoding, with a model so small that all its sequences can be enumerated.
#include <algorithm>
#include <cmath>

#include "attention/decoding/beam.h"
#include "autograd/autograd.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int start = 0, end = 1, vocabulary = 4;

// A model in which the next token depends on the last two, differently for each sentence: a table
// [sentences * V * V, V] of log-probabilities. Its attention weights are the sentence, the token
// before the last and the step, so that a test sees to which row they belong.
struct Chain {
    Tensor table;
    int64_t sentences;

    Chain(int64_t count, uint64_t seed) : sentences(count) {
        Rng rng(seed);
        table = log_softmax(
            normal({count * vocabulary * vocabulary, vocabulary}, 0, 1.5, rng, Dtype::float64));
    }
    double log_probability(int64_t sentence, int before, int last, int next) const {
        return table.at({(sentence * vocabulary + before) * vocabulary + last, next});
    }

    struct InProgress {
        Tensor table;
        std::vector<int> sentence, before;  // of each row
        int length = 0;

        DecodingStep step(const Indices& tokens) {
            std::vector<int> contexts;
            std::vector<double> weights;
            for (std::size_t row = 0; row < sentence.size(); ++row) {
                const int last = tokens[static_cast<int64_t>(row)];
                contexts.push_back((sentence[row] * vocabulary + before[row]) * vocabulary + last);
                for (int number : {sentence[row], before[row], length}) weights.push_back(number);
                before[row] = last;
            }
            ++length;
            const int64_t rows = tokens.count();
            return {index_select(table, 0, contexts), tensor(weights, {rows, 3}, Dtype::float64)};
        }
        void select_rows(const std::vector<int>& rows) {
            const InProgress old = *this;
            sentence.clear();
            before.clear();
            for (int row : rows) {
                sentence.push_back(old.sentence[row]);
                before.push_back(old.before[row]);
            }
        }
    };
    Decodable decodable() const {
        std::vector<int> numbers;
        for (int i = 0; i < sentences; ++i) numbers.push_back(i);
        return {InProgress{table, numbers, std::vector<int>(sentences)}, sentences};
    }
};

const DecodeOptions options{.start = start, .end = end, .max_length = 4};

// Every sequence of at most max_length tokens, with its probability.
void enumerate(const Chain& chain, int64_t sentence, std::vector<int> tokens, int before, int last,
               double log_probability, std::vector<Hypothesis>& all) {
    for (int next = 0; next < vocabulary; ++next) {
        const double p = log_probability + chain.log_probability(sentence, before, last, next);
        if (next == end) {
            all.push_back({tokens, p, true, {}});
        } else if (static_cast<int>(tokens.size()) < options.max_length) {
            std::vector<int> longer = tokens;
            longer.push_back(next);
            enumerate(chain, sentence, longer, last, next, p, all);
        }
    }
}

}  // namespace

TEST_CASE("a beam wide enough is exhaustive search", "[attention][decode]") {
    for (uint64_t seed = 1; seed <= 5; ++seed)
        for (double alpha : {0.0, 0.6, 2.0}) {
            const Chain chain(3, seed);
            const auto found = beam_search_n_best(chain.decodable(),
                                                  {.beam = 400, .length_penalty = alpha}, options);
            for (int64_t sentence = 0; sentence < 3; ++sentence) {
                std::vector<Hypothesis> all;
                enumerate(chain, sentence, {}, 0, start, 0, all);
                std::sort(all.begin(), all.end(), [&](const Hypothesis& a, const Hypothesis& b) {
                    return ranking_score(a, alpha) > ranking_score(b, alpha);
                });
                // 1 + 3 + 9 + 27 + 81 sequences end; further hypotheses were cut off.
                REQUIRE(all.size() == 121);
                REQUIRE(found[sentence].size() >= all.size());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    const Hypothesis& h = found[sentence][i];
                    CHECK(h.finished);
                    CHECK(h.log_probability == Approx(all[i].log_probability));
                    // Sequences that are equally likely may come in any order.
                    const auto same = [&](const Hypothesis& other) {
                        return other.tokens == h.tokens &&
                               std::abs(other.log_probability - h.log_probability) < 1e-9;
                    };
                    CHECK(std::count_if(all.begin(), all.end(), same) == 1);
                }
                if (found[sentence].size() > all.size())
                    CHECK_FALSE(found[sentence][all.size()].finished);
            }
        }
}

TEST_CASE("hypotheses come in order, and a beam of five nearly always finds the best",
          "[attention][decode]") {
    int best = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        const Chain chain(1, seed);
        const auto five =
            beam_search_n_best(chain.decodable(), {.beam = 5, .length_penalty = 1}, options)[0];
        REQUIRE(five.size() <= 5);
        for (std::size_t i = 1; i < five.size(); ++i)
            if (five[i].finished) CHECK(ranking_score(five[i - 1], 1) >= ranking_score(five[i], 1));
        const auto all =
            beam_search_n_best(chain.decodable(), {.beam = 400, .length_penalty = 1}, options);
        CHECK(ranking_score(five[0], 1) <= ranking_score(all[0][0], 1) + 1e-12);
        best += five[0].tokens == all[0][0].tokens;
    }
    CHECK(best >= 36);
}

TEST_CASE("a beam of one is greedy", "[attention][decode]") {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Chain chain(3, seed);
        const auto one =
            beam_search_n_best(chain.decodable(), {.beam = 1, .length_penalty = 0.6}, options);
        const auto simple = greedy_decode(chain.decodable(), options);
        for (int i = 0; i < 3; ++i) {
            REQUIRE(one[i].size() == 1);
            CHECK(one[i][0].tokens == simple[i].tokens);
            CHECK(one[i][0].finished == simple[i].finished);
            CHECK(one[i][0].log_probability == Approx(simple[i].log_probability));
            CHECK(one[i][0].weights.to_vector() == simple[i].weights.to_vector());
        }
    }
}

TEST_CASE("weights follow their hypothesis through the beam", "[attention][decode]") {
    const Chain chain(2, 3);
    const auto found = beam_search_n_best(chain.decodable(), {.beam = 3}, options);
    for (int sentence = 0; sentence < 2; ++sentence)
        for (const Hypothesis& h : found[sentence]) {
            const int64_t steps = static_cast<int64_t>(h.tokens.size()) + h.finished;
            REQUIRE(h.weights.shape() == Shape{steps, 3});
            double sum = 0;
            int before = 0, last = start;
            for (int64_t t = 0; t < steps; ++t) {
                CHECK(h.weights.at({t, 0}) == sentence);
                CHECK(h.weights.at({t, 1}) == before);  // the token before the one fed
                CHECK(h.weights.at({t, 2}) == t);
                const int next = t < static_cast<int64_t>(h.tokens.size()) ? h.tokens[t] : end;
                sum += chain.log_probability(sentence, before, last, next);
                before = last;
                last = next;
            }
            CHECK(h.log_probability == Approx(sum));
        }
}

TEST_CASE("the length penalty is Wu's", "[attention][decode]") {
    CHECK(length_penalty(1, 0.7) == Approx(1));
    CHECK(length_penalty(7, 1) == Approx(2));
    CHECK(length_penalty(7, 0) == 1);
    CHECK(ranking_score({{5, 6}, -3.0, true, {}}, 1) == Approx(-3.0 / (8.0 / 6)));
}

TEST_CASE("no decoder returns what is impossible, unless it found nothing else",
          "[attention][decode]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    int stuck = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        // Two of three next tokens are impossible; of some contexts all are.
        Chain chain(3, seed);
        Rng rng(seed);
        const Tensor closed = bernoulli(chain.table.shape(), 0.67, rng, Dtype::float64);
        chain.table = where(closed, -infinity, chain.table);

        const auto judge = [&](const Hypothesis& h, int64_t sentence, bool only_one) {
            double log = 0;
            int before = 0, last = start;
            for (int token : h.tokens) {
                log += chain.log_probability(sentence, before, last, token);
                before = std::exchange(last, token);
            }
            if (h.finished) log += chain.log_probability(sentence, before, last, end);
            CHECK(log > -infinity);  // every token that it returns was possible
            if (h.possible()) {
                CHECK(h.log_probability == Approx(log));
                CHECK((h.finished || std::ssize(h.tokens) == options.max_length));
                return;
            }
            ++stuck;
            CHECK(only_one);
            CHECK_FALSE(h.finished);
            for (int next = 0; next < vocabulary; ++next)
                CHECK(chain.log_probability(sentence, before, last, next) == -infinity);
        };
        const auto greedy = greedy_decode(chain.decodable(), options);
        for (int64_t sentence = 0; sentence < 3; ++sentence)
            judge(greedy[sentence], sentence, true);
        for (double temperature : {0.0, 1.0, infinity}) {
            const auto sampled =
                sample_decode(chain.decodable(), {.temperature = temperature}, rng, options);
            for (int64_t sentence = 0; sentence < 3; ++sentence)
                judge(sampled[sentence], sentence, true);
        }
        for (int beam : {1, 2, 5, 400}) {
            const auto found = beam_search_n_best(chain.decodable(), {.beam = beam}, options);
            for (int64_t sentence = 0; sentence < 3; ++sentence) {
                REQUIRE(!found[sentence].empty());
                for (const Hypothesis& h : found[sentence])
                    judge(h, sentence, found[sentence].size() == 1);
                if (beam < 400) continue;
                // A beam that holds everything finds all that is possible.
                std::vector<Hypothesis> all;
                enumerate(chain, sentence, {}, 0, start, 0, all);
                CHECK(std::count_if(found[sentence].begin(), found[sentence].end(),
                                    [](const Hypothesis& h) { return h.finished; }) ==
                      std::count_if(all.begin(), all.end(),
                                    [](const Hypothesis& h) { return h.possible(); }));
            }
        }
    }
    CHECK(stuck > 10);
}

TEST_CASE("where all tokens are impossible every decoder stops and says so",
          "[attention][decode]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Chain chain(2, 1);
    chain.table = full(chain.table.shape(), -infinity, Dtype::float64);
    Rng rng(1);
    for (const auto& found :
         {greedy_decode(chain.decodable(), options),
          sample_decode(chain.decodable(), {}, rng, options),
          beam_search(chain.decodable(), {.beam = 1}, options),
          beam_search(chain.decodable(), {.beam = 3, .length_penalty = 0.6}, options)})
        for (const Hypothesis& h : found) {
            CHECK(h.tokens.empty());
            CHECK_FALSE(h.finished);
            CHECK_FALSE(h.possible());
        }
}

TEST_CASE("samples come as often as the model says", "[attention][decode]") {
    const Chain chain(1, 2);
    Rng rng(1);
    const int draws = 20000;
    std::vector<int> first(vocabulary);
    double log_probability = 0;
    for (int i = 0; i < draws; ++i) {
        const Hypothesis h = sample_decode(chain.decodable(), {}, rng, options)[0];
        ++first[h.tokens.empty() ? end : h.tokens[0]];
        if (h.tokens.empty()) log_probability = h.log_probability;
    }
    for (int token = 0; token < vocabulary; ++token) {
        const double p = std::exp(chain.log_probability(0, 0, start, token));
        CHECK(first[token] / double{draws} == Approx(p).margin(4 * std::sqrt(p * (1 - p) / draws)));
    }
    CHECK(log_probability == Approx(chain.log_probability(0, 0, start, end)));
}

TEST_CASE("temperature, top-k and top-p shape the distribution", "[attention][decode]") {
    const std::vector<double> p{0.5, 0.2, 0.2, 0.1};
    std::vector<double> logs;
    for (double each : p) logs.push_back(std::log(each));
    const auto close = [](const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < b.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(1e-12));
    };
    close(sampling_distribution(logs, {}), p);
    close(sampling_distribution(logs, {.temperature = 0}), {1, 0, 0, 0});
    close(sampling_distribution(logs, {.temperature = 0.5}),
          {25.0 / 34, 4.0 / 34, 4.0 / 34, 1.0 / 34});
    const double infinity = std::numeric_limits<double>::infinity();
    close(sampling_distribution(logs, {.temperature = infinity}), {0.25, 0.25, 0.25, 0.25});
    close(sampling_distribution({0, -3, -infinity}, {.temperature = infinity}), {0.5, 0.5, 0});
    close(sampling_distribution({-infinity, -3, -infinity}, {.temperature = infinity, .top_k = 2}),
          {0, 1, 0});
    close(sampling_distribution({0, -3, -infinity}, {.temperature = 1e-320}), {1, 0, 0});
    close(sampling_distribution(logs, {.top_k = 1}), {1, 0, 0, 0});
    close(sampling_distribution(logs, {.top_k = 2}),
          {5.0 / 7, 2.0 / 7, 0, 0});  // the first of equals
    close(sampling_distribution(logs, {.top_p = 0.6}), {5.0 / 7, 2.0 / 7, 0, 0});
    close(sampling_distribution(logs, {.top_p = 0.1}), {1, 0, 0, 0});
    close(sampling_distribution(logs, {.top_k = 3, .top_p = 0.7}), {5.0 / 7, 2.0 / 7, 0, 0});
}

TEST_CASE("the same seed gives the same samples", "[attention][decode]") {
    const Chain chain(3, 4);
    Rng one(5), other(5);
    for (int i = 0; i < 10; ++i) {
        const auto a = sample_decode(chain.decodable(), {.temperature = 1.5}, one, options);
        const auto b = sample_decode(chain.decodable(), {.temperature = 1.5}, other, options);
        for (int row = 0; row < 3; ++row) CHECK(a[row].tokens == b[row].tokens);
    }
}

TEST_CASE("decoders refuse senseless options", "[attention][errors]") {
    const Chain chain(1, 1);
    CHECK_THROWS_WITH(greedy_decode(chain.decodable(), {.max_length = 0}),
                      ContainsSubstring("max_length is 0"));
    CHECK_THROWS_WITH(beam_search(chain.decodable(), {.beam = 0}), ContainsSubstring("beam is 0"));
    CHECK_THROWS_WITH(greedy_decode(Decodable{}), ContainsSubstring("no model to decode"));
    CHECK_THROWS_WITH(sampling_distribution({0, 0}, {.top_p = 1.5}),
                      ContainsSubstring("top_p is 1.5"));
    struct TwoRows {
        DecodingStep step(const Indices&) { return {zeros({2, 4})}; }
        void select_rows(const std::vector<int>&) {}
    };
    CHECK_THROWS_WITH(greedy_decode(Decodable(TwoRows{}, 1)),
                      ContainsSubstring("is [2, 4]; expected"));
    Decodable model = chain.decodable();
    CHECK_THROWS_WITH(model.step({1, 2}), ContainsSubstring("2 tokens for 1 rows"));
    CHECK_THROWS_WITH(model.select_rows({0, 1}), ContainsSubstring("row 1 of a model with 1 rows"));
}

TEST_CASE("beam search returns the best of its n best", "[attention][decode]") {
    const Chain chain(3, 7);
    const auto best = beam_search(chain.decodable(), {.beam = 3}, options);
    const auto all = beam_search_n_best(chain.decodable(), {.beam = 3}, options);
    REQUIRE(best.size() == 3);
    for (int row = 0; row < 3; ++row) {
        CHECK(best[row].tokens == all[row][0].tokens);
        CHECK(best[row].log_probability == all[row][0].log_probability);
    }
}

TEST_CASE("a copy of a decodable model is independent of the original", "[attention][decode]") {
    const Chain chain(2, 5);
    Decodable one = chain.decodable();
    one.step({2, 3});
    Decodable other = one;
    const Tensor first = one.step({3, 2}).log_probabilities;
    one.step({2, 2});
    CHECK(other.step({3, 2}).log_probabilities.to_vector() == first.to_vector());
    // Rows may be exchanged and repeated.
    Decodable three = chain.decodable();
    three.step({2, 3});
    three.select_rows({1, 0, 1});
    CHECK(three.rows() == 3);
    const Tensor exchanged = three.step({2, 3, 2}).log_probabilities;
    CHECK(select(exchanged, 0, 1).to_vector() == select(first, 0, 0).to_vector());
    CHECK(select(exchanged, 0, 2).to_vector() == select(first, 0, 1).to_vector());
}

TEST_CASE("without an end token a model takes exactly max_length steps", "[attention][decode]") {
    struct Counting {
        int* steps;
        DecodingStep step(const Indices& tokens) {
            ++*steps;
            return {log_softmax(zeros({tokens.count(), 4}))};
        }
        void select_rows(const std::vector<int>&) {}
    };
    int steps = 0;
    const Decodable model(Counting{&steps}, 2);
    Rng rng(1);
    const DecodeOptions endless{.end = -1, .max_length = 6};
    CHECK(greedy_decode(model, endless)[1].tokens.size() == 6);
    CHECK(std::exchange(steps, 0) == 6);
    CHECK(sample_decode(model, {}, rng, endless)[1].tokens.size() == 6);
    CHECK(std::exchange(steps, 0) == 6);
    CHECK(beam_search(model, {.beam = 3}, endless)[1].tokens.size() == 6);
    CHECK(std::exchange(steps, 0) == 6);
    CHECK_FALSE(beam_search(model, {.beam = 1}, endless)[0].finished);
}
