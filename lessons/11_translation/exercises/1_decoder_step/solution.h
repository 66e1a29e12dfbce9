#include <functional>

#include "lessons/course/exercise/write.h"

struct Decoder {
    Tensor W, U, v;  // [A, S], [A, H], [A]
    Tensor R, O;     // [F, S + H + Y], [V, F]
    std::function<Tensor(const Tensor& input, const Tensor& state)> gru;
};
struct DecoderStep {
    Tensor weights, state, probabilities;  // [K], [S], [V]
};

// U h_j of all source words is one product [K, A], to which W s is added in every row. The query is
// the old state, because the new one needs the context.
DecoderStep my_step(const Decoder& decoder, const Tensor& annotations, const Tensor& word_before,
                    const Tensor& state) {
    const Tensor sums =
        matmul(annotations, transpose(decoder.U)) + matmul(decoder.W, state);  // [K, A]
    const Tensor weights = softmax(matmul(tanh(sums), decoder.v));             // [K]
    const Tensor context = matmul(weights, annotations);                       // [H]
    const Tensor next = decoder.gru(concat({word_before, context}, 0), state);
    const Tensor features = tanh(matmul(decoder.R, concat({next, context, word_before}, 0)));
    return {weights, next, softmax(matmul(decoder.O, features))};
}
