// The text, the training of all blocks on the same pieces of it, and their losses on unseen text.
#pragma once

#include <string>
#include <vector>

#include "lessons/32_modern_block/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson32 {

// A text as ids of its characters; the last tenth is for validation.
struct Text {
    std::string characters;  // by id
    std::vector<int> train, valid;
};
// The English sentences of the course's corpus, one a line.
Text english(std::uint64_t seed, int sentences);

struct Trained {
    Block block;
    double parameters = 0, loss = 0;  // nats a character, on the validation text
    double cache = 0;                 // bytes a token, counted in a cache after three of them
};

// Trains one model of each block, with the same pieces of text in the same order and the same learning
// rate. The last entry is GPT's block again, from other initial weights.
std::vector<Trained> train_blocks(course::Lesson& lesson, const Text& text, const Sizes& sizes);

}  // namespace heed::lesson32
