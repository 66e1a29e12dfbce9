#include "lessons/material/chat/format.h"

#include <algorithm>

#include "autograd/base/error.h"

namespace heed::chat {
namespace {

ChatFormat::Marks chat_ml(std::string_view role) {
    return {{"<|im_start|>", role, "\n"}, {"<|im_end|>", "\n"}};
}
ChatFormat::Marks llama3(std::string_view role) {
    return {{"<|start_header_id|>", role, "<|end_header_id|>", "\n\n"}, {"<|eot_id|>"}};
}
ChatFormat::Marks zephyr(std::string_view role) { return {{role, "\n"}, {"</s>", "\n"}}; }

// An answer of Llama 2 and Mistral begins with a space, which the model itself writes. Mistral has
// published three templates. They differ in a space before [INST].
ChatFormat mistral(std::vector<std::string_view> signs, std::string_view instruction, Mark end) {
    return {.name = "Mistral",
            .signs = std::move(signs),
            .tokens = {"<s>", "</s>"},
            .begin = {"<s>"},
            .system = {{}, {"\n\n"}},
            .user = {{instruction}, {" [/INST]"}},
            .assistant = {{}, std::move(end)},
            .system_in_question = true};
}

// In this order, since Llama 2 has the signs of Mistral too.
const std::vector<ChatFormat>& formats() {
    static const std::vector<ChatFormat> all{
        {.name = "ChatML",
         .signs = {"<|im_start|>"},
         .tokens = {"<|im_start|>", "<|im_end|>"},
         .system = chat_ml("system"),
         .user = chat_ml("user"),
         .assistant = chat_ml("assistant")},
        {.name = "Llama 3",
         .signs = {"<|start_header_id|>"},
         .tokens = {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
         .begin = {"<|begin_of_text|>"},
         .system = llama3("system"),
         .user = llama3("user"),
         .assistant = llama3("assistant"),
         .trimmed = true},
        {.name = "Zephyr",
         .signs = {"<|user|>", "['content'] + eos_token"},
         .tokens = {"</s>"},
         .system = zephyr("<|system|>"),
         .user = zephyr("<|user|>"),
         .assistant = zephyr("<|assistant|>")},
        {.name = "Llama 2",
         .signs = {"[INST]", "<<SYS>>"},
         .tokens = {"<s>", "</s>"},
         .system = {{"<<SYS>>\n"}, {"\n<</SYS>>\n\n"}},
         .user = {{"<s>", "[INST] "}, {" [/INST]"}},
         .assistant = {{}, {"</s>"}},
         .system_in_question = true,
         .trimmed = true},
        mistral({"'[INST] '", "' [/INST]'", "eos_token + ' '"}, "[INST] ", {"</s>", " "}),
        mistral({"'[INST] '", "' [/INST]'"}, "[INST] ", {"</s>"}),
        mistral({"\" [INST] \"", "\" [/INST]\""}, " [INST] ", {"</s>"}),
    };
    return all;
}

// "ChatML, Llama 3, Zephyr, Llama 2 and Mistral"
std::string known_names() {
    std::vector<std::string_view> names;
    for (const ChatFormat& format : formats())
        if (names.empty() || names.back() != format.name) names.push_back(format.name);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

// The first of the format's special tokens that the model does not have; empty: it has all.
std::string_view missing_token(const ChatFormat& format, const Tokenizer& tokenizer) {
    for (const std::string_view token : format.tokens)
        if (!tokenizer.has(token) || !tokenizer.is_special(tokenizer.id(token))) return token;
    return {};
}

// Whether the model is of this format, as far as its template says; without one, as its tokens say. The
// tokens <s> and </s> say nothing, since models that know no conversations have them too.
bool has_signs(const ChatFormat& format, const PublishedLanguageModel& model) {
    if (model.chat_template.empty())
        return format.end() != "</s>" && missing_token(format, model.tokenizer).empty();
    return std::all_of(format.signs.begin(), format.signs.end(), [&](std::string_view sign) {
        return model.chat_template.find(sign) != std::string::npos;
    });
}

const ChatFormat* format_by_signs(const PublishedLanguageModel& model) {
    for (const ChatFormat& format : formats())
        if (has_signs(format, model)) return &format;
    return nullptr;
}

}  // namespace

const ChatFormat* find_format(const PublishedLanguageModel& model) {
    const ChatFormat* format = format_by_signs(model);
    return format && missing_token(*format, model.tokenizer).empty() ? format : nullptr;
}

const ChatFormat& format_of(const PublishedLanguageModel& model) {
    const ChatFormat* format = format_by_signs(model);
    if (!format)
        fail("{}: {}; conversations in {} are known", model.description,
             model.chat_template.empty() ? "this model has no chat template"
                                         : "this model's chat template is not known",
             known_names());
    const std::string_view missing = missing_token(*format, model.tokenizer);
    check(missing.empty(),
          "{}: this model's chat template is that of {}, but it has no special token {}",
          model.description, format->name, missing);
    return *format;
}

std::string system_of(std::string_view chat_template) {
    constexpr std::string_view begin = "<|im_start|>system\n", end = "<|im_end|>";
    const std::size_t at = chat_template.find(begin);
    if (at == std::string_view::npos) return "";
    const std::size_t from = at + begin.size(), to = chat_template.find(end, from);
    if (to == std::string_view::npos) return "";
    const std::string_view text = chat_template.substr(from, to - from);
    // A text, and no part of the template's own program.
    return text.find_first_of("'{") == std::string_view::npos ? std::string(text) : "";
}

}  // namespace heed::chat
