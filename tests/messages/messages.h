// Misuse: calls that heed must refuse. messages.md is the table of all of them with their messages;
// test_messages.cpp makes it.
#pragma once

#include <string>
#include <vector>

#include "autograd/autograd.h"

namespace heed::messages {

struct Row {
    std::string name;  // of the function or layer that is called
    std::string call;  // as it is written below
    void (*run)();
};

struct Chapter {
    std::string title, setting;  // `setting`: the variables that the calls use, as code
    std::vector<Row> rows;
};

// A call of a function: its name is the first word.
#define CALL(...)                                                 \
    ::heed::messages::Row {                                       \
        ::heed::messages::first_word(#__VA_ARGS__), #__VA_ARGS__, \
            [] { static_cast<void>(__VA_ARGS__); }                \
    }
// A call of something with this name: a layer, a method, an operator.
#define CALL_OF(name, ...)                                         \
    ::heed::messages::Row {                                        \
        name, #__VA_ARGS__, [] { static_cast<void>(__VA_ARGS__); } \
    }
// Statements and their text.
#define STATEMENTS(name, ...)                   \
    ::heed::messages::Row {                     \
        name, #__VA_ARGS__, [] { __VA_ARGS__; } \
    }

inline std::string first_word(const std::string& text) {
    return text.substr(0, text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"));
}

std::vector<Chapter> tensor_chapters();
std::vector<Chapter> operation_chapters();
std::vector<Chapter> derivative_chapters();
std::vector<Chapter> nn_chapters();
std::vector<Chapter> attention_chapters();

}  // namespace heed::messages
