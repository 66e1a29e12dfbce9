// The readers of files, each as a function that takes any bytes. It returns when the reader accepts
// the bytes or refuses them with an Error, as it should. It ends the program (wrong() below) when
// another exception comes out, or when the reader accepts bytes and what it read is not what a
// second, obvious reader finds in them.
//
// The functions run in two ways: `tests/fuzz/run READER` lets libFuzzer invent inputs for one of
// them; the tests of heed run all of them over the inputs kept in corpus/ (test_corpus.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::fuzz {

struct Harness {
    const char* name;
    void (*run)(std::string_view bytes);
};

void safetensors(std::string_view bytes);
void pairs(std::string_view bytes);
void text(std::string_view bytes);
void labelled(std::string_view bytes);
void marked(std::string_view bytes);
void idx(std::string_view bytes);
void graph(std::string_view bytes);
void sound(std::string_view bytes);
void vocabulary(std::string_view bytes);
void gguf(std::string_view bytes);
void tokenizer(std::string_view bytes);

inline constexpr Harness all[] = {
    {"safetensors", safetensors},
    {"pairs", pairs},
    {"text", text},
    {"labelled", labelled},
    {"marked", marked},
    {"idx", idx},
    {"graph", graph},
    {"sound", sound},
    {"vocabulary", vocabulary},
    {"gguf", gguf},
    {"tokenizer", tokenizer},
};

// What a harness says when a reader was wrong. Throws std::logic_error, which is no heed::Error, so
// libFuzzer stops there, and so does a test.
[[noreturn]] void wrong(const std::string& what);

// Whether the call returned; false if it threw heed::Error, whose message must name `file`.
template <class Call>
bool accepts(const Call& call);

// Text as the readers of lines see it: without a byte order mark, without CR before LF, and with a LF
// in place of a CR at the very end.
std::string as_lines(std::string_view bytes);

}  // namespace heed::fuzz

#include "autograd/base/error.h"

namespace heed::fuzz {

inline constexpr const char* file = "a name";

void check_message(const std::string& message);

template <class Call>
bool accepts(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        check_message(error.what());
        return false;
    }
    return true;
}

}  // namespace heed::fuzz
