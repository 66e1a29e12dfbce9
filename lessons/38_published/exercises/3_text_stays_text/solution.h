#include <string>
#include <utility>
#include <vector>

#include "lessons/course/exercise/write.h"
#include "nn/text/tokenizer.h"

using Turns = std::vector<std::pair<std::string, std::string>>;  // role, text

// Only this function knows the special tokens, and only by their ids.
std::vector<int> my_conversation(const Tokenizer& tokenizer, const Turns& turns) {
    const int begin = tokenizer.id("<|im_start|>"), end = tokenizer.id("<|im_end|>");
    std::vector<int> ids;
    const auto add = [&](const std::string& text) {
        for (const int id : tokenizer.encode(text)) ids.push_back(id);
    };
    for (const auto& [role, text] : turns) {
        ids.push_back(begin);
        add(role + "\n" + text);
        ids.push_back(end);
        add("\n");
    }
    ids.push_back(begin);
    add("assistant\n");
    return ids;
}
