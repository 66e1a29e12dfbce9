#include "lessons/33_states/experiment.h"

namespace heed::lesson33 {

using namespace course;

// --- without training ---------------------------------------------------------------------------

Pairs random_pairs(int64_t count, int64_t d, bool twice, Rng& rng) {
    const auto draw = [&](int64_t rows) { return normal({rows, d}, 0, 1, rng, Dtype::float64); };
    Tensor key = draw(count);
    key = key / norm(key, 2, {-1}, true);
    return twice ? Pairs{concat({key, key}, 0), draw(2 * count)} : Pairs{key, draw(count)};
}

ReadBack read_back(const Pairs& pairs, int64_t count, const Write& write) {
    const int64_t written = pairs.key.size(0), d = pairs.key.size(1);
    Tensor state = zeros({d, d}, Dtype::float64);
    for (int64_t i = 0; i < written; ++i)
        state = write(state, slice(pairs.key, 0, i, i + 1), slice(pairs.value, 0, i, i + 1));

    const int64_t first = written - count;
    const Tensor value = slice(pairs.value, 0, first, written);
    const Tensor read = matmul(slice(pairs.key, 0, first, written), state);  // [count, d]
    const Tensor errors = sum(square(read - value), {-1});
    ReadBack result;
    result.errors = (errors / mean(sum(square(value), {-1}))).to_vector();
    result.error = summarise(result.errors).mean;
    // The nearest value has the largest read · v - |v|² / 2.
    const Tensor nearness =
        matmul(read, transpose(pairs.value)) - sum(square(pairs.value), {-1}) * 0.5;
    const Indices nearest = argmax(nearness);
    for (int64_t i = 0; i < count; ++i)
        result.share += (nearest[i] == first + i) / static_cast<double>(count);
    return result;
}

ReadBack mean_read_back(int64_t count, int64_t d, bool twice, const Write& write, Rng rng) {
    const int draws = 20;
    ReadBack all;
    for (int i = 0; i < draws; ++i) {
        const ReadBack one = read_back(random_pairs(count, d, twice, rng), count, write);
        all.error += one.error / draws, all.share += one.share / draws;
    }
    return all;
}

// --- trained ------------------------------------------------------------------------------------

Result train_both(const std::vector<Mixer>& kinds, int steps, uint64_t seed) {
    Result result;
    result.mixer = kinds;
    Rng rng(seed);
    Reader recalls(kinds, rng), counts(kinds, rng);
    train_reader(recalls, Task::recall, steps, rng.split());
    train_reader(counts, Task::parity, steps, rng.split());
    const Rng test = rng.split();
    for (int pairs : recall_pairs)
        result.recall.push_back(share_right(recalls, Task::recall, pairs, test));
    result.parity = share_right(counts, Task::parity, parity_bits, test);
    result.longer = share_right(counts, Task::parity, 2 * parity_bits, test);
    result.four_times = share_right(counts, Task::parity, 4 * parity_bits, test);
    result.parameters = parameter_count(recalls);
    return result;
}

}  // namespace heed::lesson33
