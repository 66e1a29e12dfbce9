// The strings of lesson {circuits} and the model that reads them: attention and nothing else.
#pragma once

#include <string>
#include <vector>

#include "attention/heads/multi_head.h"
#include "nn/nn.h"

namespace heed::lesson31 {

inline constexpr int letters = 20;              // the letters are tokens 0 to 19
inline constexpr int start = letters;           // the token before the first letter
inline constexpr int64_t tokens = letters + 1;  // V
inline constexpr int64_t length = 32;           // T

// Each row is the start token and a string of different letters, which is repeated until the row is
// full.
struct Strings {
    Indices in;               // [B, T]
    Indices next;             // [B, T], the letter after each token
    Indices copied;           // the same where the present letter has occurred before, elsewhere -1
    std::vector<int> period;  // [B], the number of letters of the string
};
inline constexpr int shortest = 8, longest = 16;
// Strings of random length; with `period`, all of this length.
Strings draw_strings(int64_t count, Rng& rng, int period = 0);
std::string written(const Indices& ids, int64_t row);  // "|bdacbdac"

// The keys that a head should look at, [B, T, T], 1 or 0. The first function marks the letter
// before each token, for tokens 2 to `longest`; later tokens only repeat these. The second one
// marks, where the letter of a token has occurred before, the letters that followed it.
Tensor letter_before(const Strings& strings);
Tensor after_earlier(const Strings& strings);

// The same rows with another letter at one position, one that the string does not have.
Indices with_other_letter(const Strings& strings, int64_t position);

// Embeddings, learned positions and layers of attention with residual connections. There are no
// normalisations, no feed-forward networks and no biases, so every step but softmax is linear.
struct Reader {
    Embedding embedding, positions;  // [V, D], [T, D]; only queries and keys see positions
    std::vector<MultiHead> layers;
    Linear head;  // [V, D]

    Reader() = default;
    Reader(int64_t wide, int64_t heads, int layer_count, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding), f("positions", positions), f("layers", layers), f("head", head);
    }
    Tensor operator()(const Indices& ids) const;  // [B, T] -> logits [B, T, V]
};

}  // namespace heed::lesson31
