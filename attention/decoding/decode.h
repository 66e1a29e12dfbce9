// Decoding: from a model that predicts the next token to whole sequences.
//
//     Decodable model = translator.decodable(source, lengths);     // one sequence for each row
//     Hypothesis greedy = greedy_decode(model)[0];                 // of the first row
//     Hypothesis searched = beam_search(model, {.beam = 5, .length_penalty = 0.6})[0];  // beam.h
//     Hypothesis sampled = sample_decode(model, {.temperature = 0.8, .top_k = 40}, rng)[0];
//
// All three return one hypothesis for each row of the model. They record no graph. Rows that are
// finished stay in the batch until the last one is finished.
//
// No decoder returns a sequence of probability 0 as long as it has found another one. Where every token
// is impossible, it stops; if that was all it found, it returns the tokens so far, unfinished, with the
// log-probability -∞ (Hypothesis::possible).
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// What a model says after one more token.
struct DecodingStep {
    Tensor log_probabilities;  // [N, V], of the next token
    Tensor weights = {};       // [N, K] or [N, H, K], the attention of this step; or not defined
};

// What a model must offer to be decoded: N sequences in progress, with whatever state they need
// (hidden states, keys and values, their length) as members of its own.
//
//     struct Bigrams {
//         Tensor table;  // [V, V], log-probabilities of the next token
//         DecodingStep step(const Indices& tokens) { return {embedding(table, tokens)}; }
//         void select_rows(const std::vector<int>&) {}  // there is no state to rearrange
//     };
//
// step(tokens [N]) appends one token to each sequence. select_rows(rows) rearranges the sequences:
// row i becomes what row rows[i] was. Rows may be repeated or left out, and N changes accordingly.
// A copy must be independent of the original, which it is if the members are tensors and vectors.
//
// Three more functions save time where a model has them. steps(tokens [N, T]) appends T tokens to each
// sequence in one pass; its log_probabilities [N, T, V] are those of the token after each. append(tokens)
// does the same without log_probabilities, which take much memory for a long text. back(count) forgets the
// last `count` tokens.
template <class T>
concept SequencesInProgress = std::copyable<T> &&
    requires(T sequences, const Indices& tokens, const std::vector<int>& rows) {
    { sequences.step(tokens) } -> std::same_as<DecodingStep>;
    sequences.select_rows(rows);
};

namespace decoding {
// Column t of tokens [N, T].
Indices column(const Indices& tokens, int64_t t);
// The log-probabilities [N, T, V] of a step for each column of tokens [N, T].
Tensor one_after_another(const Indices& tokens,
                         const std::function<DecodingStep(const Indices& column)>& step);
}  // namespace decoding

template <class T>
concept StepsTogether = requires(T sequences, const Indices& tokens) {
    { sequences.steps(tokens) } -> std::same_as<Tensor>;
};
template <class T>
concept AppendsTokens = requires(T sequences, const Indices& tokens) {
    sequences.append(tokens);
};
template <class T>
concept GoesBack = requires(T sequences, int64_t count) {
    sequences.back(count);
};

// Any such model, ready to decode. Decodable is a value: a copy goes its own way.
class Decodable {
  public:
    Decodable() = default;  // of no model; throws when used

    // `rows` is N, the number of sequences. `first` [N] is the token that each begins with; if it
    // is empty all begin with DecodeOptions::start.
    template <SequencesInProgress T>
    Decodable(T sequences, int64_t rows, Indices first = {})
        : sequences_(std::make_unique<Holder<T>>(std::move(sequences))),
          rows_(rows),
          first_(std::move(first)) {}
    Decodable(const Decodable& other);
    Decodable(Decodable&&) = default;
    Decodable& operator=(Decodable other) noexcept;

    int64_t rows() const { return rows_; }
    const Indices& first() const { return first_; }
    bool defined() const { return sequences_ != nullptr; }

    // Throws unless there is one token for each row and the model returns [N, V].
    DecodingStep step(const Indices& tokens);
    // T tokens for each sequence, [N, T] -> log-probabilities [N, T, V]. The same as step() for each
    // column, up to rounding, and in one pass if the model can do that.
    Tensor steps(const Indices& tokens);
    // T tokens for each sequence, [N, T], whose log-probabilities nobody asks for.
    void append(const Indices& tokens);
    // To go back: mark(), and later keep(count), which forgets all tokens since the mark but the first
    // `count`. A model that has no back() of its own is copied by mark(), and given these tokens again.
    // keep() throws without a mark, and if fewer tokens were given since. select_rows() ends a mark.
    void mark();
    void keep(Integer count);
    // Throws for a row outside 0 .. N - 1.
    void select_rows(const std::vector<int>& rows);

  private:
    struct Base {
        virtual ~Base() = default;
        virtual std::unique_ptr<Base> copy() const = 0;
        virtual DecodingStep step(const Indices& tokens) = 0;
        virtual Tensor steps(const Indices& tokens) = 0;
        virtual void append(const Indices& tokens) = 0;
        virtual bool goes_back() const = 0;
        virtual void back(int64_t count) = 0;
        virtual void select_rows(const std::vector<int>& rows) = 0;
    };
    template <class T>
    struct Holder final : Base {
        T sequences;

        explicit Holder(T held) : sequences(std::move(held)) {}
        std::unique_ptr<Base> copy() const override { return std::make_unique<Holder>(sequences); }
        DecodingStep step(const Indices& tokens) override { return sequences.step(tokens); }
        Tensor steps(const Indices& tokens) override {
            if constexpr (StepsTogether<T>)
                return sequences.steps(tokens);
            else
                return decoding::one_after_another(
                    tokens, [&](const Indices& column) { return sequences.step(column); });
        }
        void append(const Indices& tokens) override {
            if constexpr (AppendsTokens<T>)
                sequences.append(tokens);
            else
                steps(tokens);
        }
        bool goes_back() const override { return GoesBack<T>; }
        void back([[maybe_unused]] int64_t count) override {
            if constexpr (GoesBack<T>) sequences.back(count);
        }
        void select_rows(const std::vector<int>& rows) override { sequences.select_rows(rows); }
    };

    void take(const Indices& tokens, const std::function<void()>& give);

    std::unique_ptr<Base> sequences_;
    int64_t rows_ = 0;
    Indices first_;
    // Since the mark: the tokens, column by column; and the model at the mark, if it has no back().
    bool marked_ = false;
    std::vector<Indices> since_;
    std::unique_ptr<Base> at_mark_;
};

// What sequence-to-sequence models return for sequences that are known, as in training.
struct Seq2SeqOutput {
    Tensor logits;   // [B, T, V]
    Tensor weights;  // [B, T, K]; not defined for the fixed context
};

struct DecodeOptions {
    int start = 1;         // the first token fed, unless the model has its own (Decodable::first)
    int end = 2;           // the token that ends a sequence; -1: none does
    int max_length = 100;  // the largest number of tokens, not counting the end token
};

// A decoded sequence and its probability under the model.
struct Hypothesis {
    std::vector<int> tokens;     // without start and end
    double log_probability = 0;  // of the tokens and, if finished, of the end token
    bool finished = false;       // the end token came; otherwise max_length was reached
    Tensor weights;              // [T, K] or [T, H, K], T counting the end; or not defined

    // Whether the model gives it a probability above 0.
    bool possible() const { return log_probability > -std::numeric_limits<double>::infinity(); }
};

// The most probable token at every step; among equals, the one of the smallest index. One
// hypothesis for each row. To see whether a sequence of max_length tokens ends there, the model is
// fed the last of them too; with .end = -1 it is not. Throws when max_length < 1, and for a step
// that does not return [N, V].
std::vector<Hypothesis> greedy_decode(Decodable model, const DecodeOptions& options = {});

struct SamplingOptions {
    // Below 1 sharper, above 1 flatter; 0 is greedy, ∞ uniform over what is possible.
    double temperature = 1;
    int top_k = 0;  // only the k most probable tokens (Fan et al. 2018); 0: all
    // Only the fewest tokens whose probabilities sum to at least p (Holtzman et al. 2020, section 3.1).
    double top_p = 1;
};

// Samples every token from sampling_distribution(). Hypothesis::log_probability is that of the
// model itself. One hypothesis for each row. Throws as greedy_decode() does, and for options
// outside their range.
std::vector<Hypothesis> sample_decode(Decodable model, const SamplingOptions& sampling, Rng& rng,
                                      const DecodeOptions& options = {});

// The distribution [V] that sample_decode() samples from: non-negative, with sum 1. Temperature is
// applied first, then top_k, then top_p.
std::vector<double> sampling_distribution(const std::vector<double>& log_probabilities,
                                          const SamplingOptions& sampling);

namespace decoding {

// The first token fed to each row: that of the model, or DecodeOptions::start.
std::vector<int> first_tokens(const Decodable& model, const DecodeOptions& options);
// An index, sampled with the given probabilities.
int sample_index(const std::vector<double>& distribution, Rng& rng);

// For models that write their own select_rows().

// The rows of x [N, ...] in a new order; x that is not defined stays so.
void select_rows(Tensor& x, const std::vector<int>& rows);

// Which source sentence each row decodes. Beam search rearranges rows, but only within a sentence;
// then everything that belongs to the sentence (encoder output, mask) can stay as it is.
struct SentenceOfRow {
    std::vector<int> sentence;  // [N]

    explicit SentenceOfRow(int64_t rows);  // 0, 1, 2, ...
    // Returns whether any row now decodes another sentence than before.
    bool select_rows(const std::vector<int>& rows);
};

}  // namespace decoding

}  // namespace heed
