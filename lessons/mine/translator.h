// The translator of `./heed learn translation --mine`: on the tape of exercise {autograd.3}, with parts that
// are answers to exercises (parts.h).
//
// The model is that of lesson {translation} with an LSTM, exercise {recurrence.1}, as its cell. An encoder reads
// the source in both directions; the decoder compares its state with all annotations before each word,
// exercise {scores.2}, and reads the word before and the weighted mean of the annotations. The sentences of
// a batch have equal lengths, so there is no padding.
//
// Shapes: B sentences, K source words, T target words, E embedding, S state of the decoder, H annotation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lessons/mine/parts.h"

namespace heed::mine {

class Translator : OnTape {
  public:
    using OnTape::OnTape;

    // The mean cross-entropy of the target words. source [B, K]; target_in [B, T] begins with the start
    // symbol, target_out [B, T] ends with the end symbol. Afterwards `gradients` has one for each weight.
    double loss(const Indices& source, const Indices& target_in, const Indices& target_out,
                Weights& gradients);

    // Both states [B, S] of the LSTM.
    struct State {
        Taped c, h;
    };
    struct Encoded {
        Taped annotations;  // [B, K, H]
        State start;        // of the decoder
    };
    Encoded encode(const Indices& source);
    State lstm(const std::string& name, const std::string& suffix, const Taped& x,
               const State& before);

  private:
    // --- Lines of the tape.

    // A line for the reader's function of several tensors. It keeps no derivative of its own, so that of the
    // engine is used: f is recorded, and differentiated when the tape asks for the first of its gradients.
    template <class F>
    Taped called(const std::string& part, const std::vector<Taped>& inputs, const F& f) {
        const auto leaves = std::make_shared<std::vector<Tensor>>();
        for (const Taped& x : inputs) leaves->push_back(detach(x.value).set_requires_grad());
        const Tensor y = clock_(part, [&] { return f(*leaves); });
        const auto found = std::make_shared<std::vector<Tensor>>();
        std::vector<Rule> rules;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            rules.push_back([=](const Tensor& g) {
                if (i == 0) *found = grad(sum(y * g), *leaves);
                return (*found)[i];
            });
        return line(inputs, detach(y), rules);
    }
    Taped plus(const Taped& x, const std::string& bias) {
        const auto same = [](const Tensor& g) { return g; };
        const Taped b = weight(bias);
        return line({x, b}, x.value + b.value, {same, same});
    }
    Taped squashed(const Taped& x) {
        const Tensor y = tanh(x.value);
        return line(x, y, [y](const Tensor& g) { return g * (1 - square(y)); });
    }
    Taped shaped(const Taped& x, const Shape& shape) {
        return line(x, reshape(x.value, shape),
                    [before = x.value.shape()](const Tensor& g) { return reshape(g, before); });
    }
    // Tensors one after the other along an axis, and the piece of one.
    Taped joined(const std::vector<Taped>& parts, int axis) {
        std::vector<Tensor> values;
        std::vector<Rule> rules;
        int64_t begin = 0;
        for (const Taped& x : parts) {
            const int64_t end = begin + x.value.size(axis);
            values.push_back(x.value);
            rules.push_back([=](const Tensor& g) { return slice(g, axis, begin, end); });
            begin = end;
        }
        return line(parts, concat(values, axis), rules);
    }
    Taped piece(const Taped& x, int axis, int64_t begin, int64_t end) {
        return line(x, slice(x.value, axis, begin, end), [=, whole = x.value](const Tensor& g) {
            std::vector<Tensor> parts;
            if (begin > 0) parts.push_back(zeros_like(slice(whole, axis, 0, begin)));
            parts.push_back(g);
            if (end < whole.size(axis))
                parts.push_back(zeros_like(slice(whole, axis, end, whole.size(axis))));
            return concat(parts, axis);
        });
    }

    Taped gates(const Taped& rows);
};

// The library stores the gates in the order i, f, n, o; the exercise has f, i, n, o. The same exchange
// leads back.
inline Tensor exchanged(const Tensor& rows) {
    const int64_t D = rows.size(0) / 4;
    return concat({slice(rows, 0, D, 2 * D), slice(rows, 0, 0, D), slice(rows, 0, 2 * D, 4 * D)},
                  0);
}
inline Taped Translator::gates(const Taped& rows) {
    return line(rows, exchanged(rows.value), exchanged);
}

inline Translator::State Translator::lstm(const std::string& name, const std::string& suffix,
                                          const Taped& x, const State& before) {
    const auto rows = [&](const char* which) { return gates(weight(name + which + suffix)); };
    // The library has two biases, which are added.
    const Taped b = rows(".bias_ih") + rows(".bias_hh");
    const int64_t S = before.h.value.size(1);
    const Taped both =
        called("lstm_step", {rows(".weight_hh"), rows(".weight_ih"), b, x, before.c, before.h},
               [](const std::vector<Tensor>& in) {
                   const part_lstm_step::States after =
                       part_lstm_step::my_lstm_step({in[0], in[1], in[2]}, in[3], {in[4], in[5]});
                   return concat({after.c, after.h}, 1);
               });
    return {piece(both, 1, 0, S), piece(both, 1, S, 2 * S)};
}

// The words at position t of all sentences.
inline Indices column(const Indices& ids, int64_t t) {
    std::vector<int> words;
    for (int64_t b = 0; b < ids.size(0); ++b) words.push_back(ids.at({b, t}));
    return Indices(words);
}

inline Translator::Encoded Translator::encode(const Indices& source) {
    const int64_t B = source.size(0), K = source.size(1);
    const auto at_first = [&](const Tensor& like, int64_t width) {  // a state of zeros
        const Tensor zero = zeros({B, width}, like.dtype());
        return Taped{&tape_, zero, tape_.write(zero)};
    };
    std::vector<Taped> words;
    for (int64_t t = 0; t < K; ++t)
        words.push_back(lookup("encoder.embedding.weight", column(source, t)));
    const int64_t half = weights_.at("encoder.layers.weight_hh_l0").size(1);
    const Taped zero = at_first(words[0].value, half);
    std::vector<Taped> forwards, backwards(K, zero);
    for (State s{zero, zero}; const Taped& word : words)
        forwards.push_back((s = lstm("encoder.layers", "_l0", word, s)).h);
    State s{zero, zero};
    for (int64_t t = K - 1; t >= 0; --t)
        backwards[t] = (s = lstm("encoder.layers", "_l0_reverse", words[t], s)).h;

    std::vector<Taped> annotations;
    for (int64_t t = 0; t < K; ++t)
        annotations.push_back(shaped(joined({forwards[t], backwards[t]}, 1), {B, 1, 2 * half}));
    const Taped last = joined({forwards[K - 1], backwards[0]}, 1);
    const Taped h = squashed(plus(linear(last, "decoder.initial.weight"), "decoder.initial.bias"));
    return {joined(annotations, 1), {at_first(h.value, h.value.size(1)), h}};
}

inline double Translator::loss(const Indices& source, const Indices& target_in,
                               const Indices& target_out, Weights& gradients) {
    const auto [annotations, start] = encode(source);
    const int64_t B = source.size(0), K = source.size(1), T = target_in.size(1);
    const Taped W = weight("decoder.attention.score.query.weight"),
                U = weight("decoder.attention.score.key.weight"),
                v = weight("decoder.attention.score.v");
    State s = start;
    std::vector<Taped> features;
    std::vector<int> next;
    for (int64_t t = 0; t < T; ++t) {
        const Taped y = lookup("embedding.weight", column(target_in, t));  // [B, E]
        const Taped query = shaped(s.h, {B, 1, s.h.value.size(1)});
        const Taped e = called(
            "additive_scores", {query, annotations, W, U, v}, [](const std::vector<Tensor>& in) {
                return part_additive_scores::my_additive_scores(in[0], in[1], in[2], in[3], in[4]);
            });                                                                // [B, 1, K]
        const Taped c = shaped(product(softmax_of(e), annotations), {B, -1});  // [B, H]
        s = lstm("decoder.cell", "", joined({y, c}, 1), s);
        features.push_back(squashed(linear(joined({s.h, c, y}, 1), "decoder.readout.weight")));
        for (int64_t b = 0; b < B; ++b) next.push_back(target_out.at({b, t}));
    }
    const Taped logits = linear(joined(features, 0), "output.weight");  // [T B, V]
    return cross_entropy_of(logits, Indices(next), gradients);
}

// --- One sentence, word by word: the loop of exercise {bottleneck.1} around the step of exercise
// {translation.1}. No tape is needed.

struct Translation {
    std::vector<int> words;
    Tensor weights;  // [T, K], of the words and of the end symbol
};

class OneSentence {
  public:
    OneSentence(const Weights& weights, const std::vector<int>& source) : weights_(weights) {
        Clock unused;
        Translator encoder(weights, unused);
        const auto [annotations, start] =
            encoder.encode(Indices(source, {1, static_cast<int64_t>(source.size())}));
        annotations_ = select(annotations.value, 0, 0);
        first_ = concat({select(start.h.value, 0, 0), select(start.c.value, 0, 0)}, 0);

        // The state of the exercise is one vector; here it is both of the LSTM's, [h; c]. Score and readout
        // look at h only, so their columns for c are zeros.
        const Tensor W = at("decoder.attention.score.query.weight"),
                     R = at("decoder.readout.weight");
        const int64_t S = W.size(1);
        decoder_.W = concat({W, zeros_like(W)}, 1);
        decoder_.U = at("decoder.attention.score.key.weight");
        decoder_.v = at("decoder.attention.score.v");
        const Tensor of_h = slice(R, 1, 0, S);
        decoder_.R = concat({of_h, zeros_like(of_h), slice(R, 1, S, R.size(1))}, 1);
        decoder_.O = at("output.weight");
        decoder_.gru = [this, S](const Tensor& input, const Tensor& state) {
            const auto row = [](const Tensor& x) { return unsqueeze(x, 0); };
            const part_lstm_step::States after = part_lstm_step::my_lstm_step(
                {exchanged(at("decoder.cell.weight_hh")), exchanged(at("decoder.cell.weight_ih")),
                 exchanged(at("decoder.cell.bias_ih") + at("decoder.cell.bias_hh"))},
                row(input), {row(slice(state, 0, S, 2 * S)), row(slice(state, 0, 0, S))});
            return concat({select(after.h, 0, 0), select(after.c, 0, 0)}, 0);
        };
    }

    Translation translate(int start, int end, int longest) const {
        std::vector<Tensor> weights;
        const auto step = [&](int before, const Tensor& state) {
            const Tensor y = select(
                part_one_hot_lookup::my_lookup(at("embedding.weight"), Indices{before}), 0, 0);
            const part_decoder_step::DecoderStep after =
                part_decoder_step::my_step(decoder_, annotations_, y, state);
            weights.push_back(after.weights);
            return part_greedy::Said{after.probabilities, after.state};
        };
        const std::vector<int> words = part_greedy::my_greedy(step, first_, start, end, longest);
        return {words, stack(weights, 0)};
    }

    // The weights [T, K] of each word of a given translation, the end symbol included.
    Tensor weights_for(const std::vector<int>& target, int start) const {
        std::vector<Tensor> weights;
        Tensor state = first_;
        int before = start;
        for (const int word : target) {
            const Tensor y = select(
                part_one_hot_lookup::my_lookup(at("embedding.weight"), Indices{before}), 0, 0);
            const auto after = part_decoder_step::my_step(decoder_, annotations_, y, state);
            weights.push_back(after.weights);
            state = after.state;
            before = word;
        }
        return stack(weights, 0);
    }

  private:
    const Tensor& at(const std::string& name) const { return weights_.at(name); }

    const Weights& weights_;
    Tensor annotations_, first_;  // [K, H], [2 S]
    part_decoder_step::Decoder decoder_;
};

}  // namespace heed::mine
