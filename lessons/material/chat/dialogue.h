// A conversation in the terminal: questions line by line, answers word by word.
#pragma once

#include <cstdint>

#include "lessons/material/chat/conversation.h"

namespace heed::chat {

struct DialogueOptions {
    std::string system;  // as in Conversation
    AnswerOptions answer;
    std::uint64_t seed = 1;
    bool attention =
        false;  // after each answer a map of what it attended to; all in out/chat/report.html
};

// Reads questions from standard input and prints the answers, until the input ends or a line is "/quit".
// Ctrl-C ends an answer, "/new" begins a new conversation, and an empty line asks again.
void dialogue(const PublishedLanguageModel& model, const DialogueOptions& options,
              const Conversation::Begin& begin = {});

}  // namespace heed::chat
