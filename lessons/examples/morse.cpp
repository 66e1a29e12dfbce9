// Morse code by ear: how loud it is at each moment goes in, letters come out. Nobody has said at which
// moment a letter begins or ends; CTC tries all ways (nn/layers/ctc.h).
//
//     ./heed run lessons/examples/morse.cpp
#include "nn/nn.h"
using namespace heed;

const std::vector<std::string> code{"", ".", "-", ".-", "-.", "..", "--", "...", "---"};
const std::string letters = " ETANIMSO";  // 0 is the blank

struct Message {
    std::vector<std::vector<int>> letters;
    Tensor sound;  // [B, T, 1]
    Indices lengths;
};

// Words of two to four letters. No sender is quite regular, and there is noise.
Message messages(int count, Rng& rng) {
    std::vector<std::vector<int>> words(count);
    std::vector<int> lengths;
    Tensor sound = zeros({count, 100, 1});
    for (int i = 0; i < count; ++i) {
        std::vector<float> loudness;
        const auto last = [&](int64_t shortest, double loud) {
            for (int64_t t = shortest + rng.below(2); t > 0; --t)
                loudness.push_back(static_cast<float>(loud + 0.2 * rng.normal()));
        };
        for (int64_t letters_left = 2 + rng.below(3); letters_left > 0; --letters_left) {
            words[i].push_back(static_cast<int>(1 + rng.below(std::ssize(code) - 1)));
            for (char sign : code[words[i].back()]) last(sign == '.' ? 1 : 4, 1), last(1, 0);
            last(3, 0);
        }
        lengths.push_back(static_cast<int>(loudness.size()));
        std::copy(loudness.begin(), loudness.end(), sound.edit<float>() + 100 * i);
    }
    return {words, sound, lengths};
}

struct Listener {
    Gru gru;
    Linear output;

    explicit Listener(Rng& rng)
        : gru(1, 32, {.bidirectional = true}, rng), output(64, std::ssize(code), rng) {}
    template <class F>
    void visit(F&& f) {
        f("gru", gru);
        f("output", output);
    }
    Tensor operator()(const Message& m) const {  // log-probabilities [B, T, 9]
        return log_softmax(output(gru(m.sound, m.lengths).output));
    }
};

int main() {
    Rng rng(1);
    Listener listener(rng);
    Adam optimiser(parameters(listener), {.lr = 1e-2});
    for (int step = 1; step <= 400; ++step) {
        const Message heard = messages(32, rng);
        const PaddedBatch written = pad_sequences(heard.letters);
        optimiser.zero_grad();
        backward(ctc_loss(listener(heard), written.ids, heard.lengths, written.lengths));
        optimiser.step_clipped(1);
    }

    NoGrad no_grad;
    const Message test = messages(200, rng);
    const auto read = ctc_greedy_decode(listener(test), test.lengths);
    double right = 0;
    for (std::size_t i = 0; i < read.size(); ++i) right += read[i] == test.letters[i];
    std::string first;
    for (int letter : read[0]) first += letters[letter];
    fmt::print("the first message says {}; share of messages read right {:.3f}\n", first,
               right / 200);
}
