// A conversation with a published language model, in the format that it was trained on (format.h), such as
//
//     <|im_start|>system
//     You are a helpful AI assistant.<|im_end|>
//     <|im_start|>user
//     What is 2 + 2?<|im_end|>
//     <|im_start|>assistant
//
// Then the model goes on, until <|im_end|>. These marks are special tokens, and what somebody types never
// becomes one: a user who types <|im_end|> has not ended anything.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/material/chat/format.h"

namespace heed::chat {

struct AnswerOptions {
    SamplingOptions sampling = {.temperature = 0};
    int most_tokens = 512;
};

class Conversation {
  public:
    // Makes the model ready to continue a prompt [1, T]; empty: LanguageModel::decodable().
    using Begin = std::function<Decodable(const Indices& prompt)>;

    // `system` is what the model is told first; empty: the text in its chat template, if there is one
    // (system_of). Throws for a format that is not known (format_of). The model must outlive the
    // conversation.
    explicit Conversation(const PublishedLanguageModel& model, std::string system = "",
                          Begin begin = {});

    // The answer to a question. `show` gets it piece by piece, each of whole characters; `stopped` is asked
    // before each token. Throws when the conversation is longer than the model can read. A model that gives
    // every token the same probability has no answer (undecided()).
    std::string answer(const std::string& question, const AnswerOptions& options, Rng& rng,
                       const std::function<void(std::string_view)>& show = {},
                       const std::function<bool()>& stopped = {});

    const std::vector<int>& ids() const { return ids_; }  // all tokens so far
    // Where the last question, without its marks, and the last answer stand in them.
    struct Span {
        std::size_t begin = 0, end = 0;
    };
    Span question() const { return question_; }
    Span last_answer() const { return answer_; }
    bool undecided() const { return undecided_; }
    // Why the last answer shows nothing, in a sentence.
    std::string why_empty() const;
    // How much each token of the last answer attended to each token of the last question when it was
    // predicted: the mean over layers and heads, [answer, question].
    std::vector<double> attention() const;

  private:
    void add(const Mark& mark);
    Span add_text(std::string_view text);
    std::vector<int> waiting_ids() const;
    void encode_waiting();
    void ask(const std::string& question);
    Tensor feed();

    const PublishedLanguageModel& published_;
    const ChatFormat& format_;
    Begin decodable_;
    std::string system_;  // until it stands in the conversation
    std::vector<int> ids_;
    std::string waiting_;  // a text that is not encoded yet: a token may reach across its end
    std::size_t fed_ = 0;  // so many of the ids were given to the model
    Decodable sequence_;
    Span question_, answer_;
    bool undecided_ = false;
};

}  // namespace heed::chat
