// How a conversation is written down for a model: which marks stand before and behind the texts, so
// that the model knows who says what. Each model was trained on one such format.
//
//     ChatML    <|im_start|>user            Llama 2, Mistral    <s>[INST] What is 2 + 2? [/INST]
//               What is 2 + 2?<|im_end|>
//               <|im_start|>assistant
//
// A published model has a chat template, a small program in the language Jinja that writes
// conversations. heed does not run it. It looks in the template for the signs of the formats below.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attention/transformer/published.h"

namespace heed::chat {

// In parts. One that is the name of a special token is this token, any other is a text.
using Mark = std::vector<std::string_view>;

struct ChatFormat {
    std::string_view name;
    std::vector<std::string_view> signs;  // a template of this format has all of them
    std::vector<std::string_view>
        tokens;  // special tokens that the model must have; the last ends an answer

    struct Marks {
        Mark before = {}, behind = {};
    };
    Mark begin = {};  // of the conversation
    Marks system, user, assistant;
    bool system_in_question = false;  // the system's text is the beginning of the first question
    bool trimmed = false;             // texts are written without white space at their ends

    std::string_view end() const { return tokens.back(); }
};

// The format of the model's chat template; for a model without one, that of its special tokens. Throws
// if it is not known, or if the model lacks a special token of it.
const ChatFormat& format_of(const PublishedLanguageModel& model);
// The same; null instead of an error.
const ChatFormat* find_format(const PublishedLanguageModel& model);

// The system's message that stands in a chat template of ChatML; empty: none.
std::string system_of(std::string_view chat_template);

}  // namespace heed::chat
