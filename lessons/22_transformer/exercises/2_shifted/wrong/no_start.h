// Says: the start token is missing
#include <algorithm>
#include <vector>

#include "lessons/course/exercise/write.h"

using Rows = std::vector<std::vector<int>>;

struct DecoderBatch {
    Rows inputs, labels;
};

DecoderBatch my_decoder_batch(const Rows& sentences, int start, int end, int padding) {
    std::size_t longest = 0;
    for (const auto& words : sentences) longest = std::max(longest, words.size());
    DecoderBatch batch;
    for (const auto& words : sentences) {
        std::vector<int> input, label = words;
        input.insert(input.end(), words.begin(), words.end());
        label.push_back(end);
        input.push_back(end);
        input.resize(longest + 1, padding);
        label.resize(longest + 1, -100);
        batch.inputs.push_back(input);
        batch.labels.push_back(label);
    }
    return batch;
}
