// What the lesson examines: a small Llama that it trains itself, or a published model from a file. Both come as
// the same struct, so that every experiment runs on either.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/transformer/published.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson38 {

// --- the text of the small model ----------------------------------------------------------------
//
// Its tokens are 29 characters. A third of the lines tell of somebody whose name is new and returns, the others
// repeat a string of 4 to 10 random letters:
//
//     kosire sees the cat. the dog likes kosire. the bird knows kosire. kosire hears the student.
//     qhzfbmwqhzfbmwqhzfbmwqhzfbmw
enum class World { land, sea };  // the sea has other nouns, verbs and sentences

inline constexpr int vocabulary = 29;
std::vector<int> characters_of(const std::string& text);
std::string text_of(const std::vector<int>& characters);

// Tokens [B, T], and the token after each, [B, T].
struct Rows {
    Indices in, out;
};
// Each row begins with a newline; then come lines, the last one cut.
Rows draw_rows(World world, int64_t count, int64_t length, Rng& rng);

// --- the model ----------------------------------------------------------------------------------

struct Subject {
    std::string name;
    LanguageModel model = {};   // all weights as floats
    LanguageModel stored = {};  // as in the file, if that has blocks of 8 or 4 bits
    std::function<std::vector<int>(const std::string&)> encode = {};
    std::function<std::string(const std::vector<int>&)> decode = {};
    std::string prompt = {};           // to be continued
    Rows text = {};                    // that it has not been trained on
    std::vector<int> first = {};       // the tokens with which a text begins, perhaps none
    std::vector<int> letters = {};     // tokens of which random strings are made
    int64_t string_length = 0;         // theirs
    Rows other = {}, other_test = {};  // another text: to be trained on, and to be tested on
    bool published = false;
};

// Two groups of keys for four heads, rotary positions with the base 500 in halves, SwiGLU, RMS norms.
LanguageModelOptions small_llama();
using Change =
    std::function<void(LanguageModel&)>;  // of the model before its training, or after it
LanguageModel train_small(course::AtCall lesson, int steps, const std::string& label,
                          const Change& change = {});
Subject small_subject(LanguageModel model, std::uint64_t seed, bool quick);

// The model with all its blocks unpacked. Weights that are floats already are shared.
LanguageModel as_floats(const LanguageModel& model);

// A GGUF file, or a folder with safetensors. `text`: a file with the other text; empty: sentences of the course.
Subject subject_from(const std::string& path, const std::string& text, bool quick);

}  // namespace heed::lesson38
