// Written and spoken digits: MNIST pictures with recordings of the same digit.
#pragma once

#include <string>
#include <vector>

#include "attention/modalities/conformer.h"
#include "lessons/28_two_modalities/models.h"
#include "lessons/material/read/images.h"

namespace heed::lesson28 {

struct Recording {
    Tensor frames;  // [T, 40], log-mel
    int label = 0;
    std::string speaker;
};

// All recordings of a folder (read_spoken_digits). Throws for fewer than two speakers.
std::vector<Recording> read_recordings(const std::string& folder);
// Takes those of the last speaker, in order of name, out of `all`: the test set.
std::vector<Recording> take_last_speaker(std::vector<Recording>& all);

struct SpokenAndWritten {
    PictureEncoder picture;
    Linear input;  // [36, 40]
    ConformerEncoder conformer;
    AttentionPooling pool;
    ContrastivePair pair;

    SpokenAndWritten() = default;
    explicit SpokenAndWritten(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("picture", picture);
        f("input", input);
        f("conformer", conformer);
        f("pool", pool);
        f("pair", pair);
    }

    Tensor sound(const std::vector<Recording>& recordings, Mode mode) const;  // -> [N, 36]
    // Unit vectors, [N, 32]; nothing is recorded.
    Tensor of_pictures(const Tensor& pixels) const;  // [N, 28, 28]
    Tensor of_recordings(const std::vector<Recording>& recordings) const;
};

// [N, N]: 0, and -1e9 where another row has the same label. Added to the scores, it takes false
// negatives out of the softmax.
Tensor without_twins(const std::vector<int>& labels);
// The smallest loss that scores can reach if all pairs of one label have the same score, averaged over
// random batches of 10 digits: mean of ln(1 + twins).
double lowest_loss(int batch, Rng& rng);

struct DigitTraining {
    int steps = 600, batch = 64;
    double lr = 2e-3;
    bool mask_twins = false;
};
struct TrainedDigits {
    SpokenAndWritten model;
    std::vector<double> losses;
    double twins = 0;  // others with the same label in the batch, the mean over rows
};
// Every step pairs random recordings with random pictures of the same digit.
TrainedDigits train_digits(const course::Images& pictures, const std::vector<Recording>& recordings,
                           const DigitTraining& how, Rng& rng);

}  // namespace heed::lesson28
