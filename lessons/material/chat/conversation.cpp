#include "lessons/material/chat/conversation.h"

#include <algorithm>
#include <utility>

#include "autograd/base/error.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed::chat {
namespace {

// A conversation of so many tokens never copies its keys and values. What is not used of the room for them
// takes no memory.
constexpr int64_t usual_length = 1024;

// How many bytes of the text can be shown: all, but for a character that is cut at its end. Other bytes
// that are no UTF-8 are counted too.
std::size_t whole_characters(std::string_view text) {
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const std::size_t needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return needed > back ? text.size() - back : text.size();
    }
    return text.size();
}

std::string_view without_white_space_around(std::string_view text) {
    constexpr const char* white = " \t\n\r\v\f";
    const std::size_t begin = text.find_first_not_of(white);
    return begin == std::string_view::npos
               ? ""
               : text.substr(begin, text.find_last_not_of(white) + 1 - begin);
}

}  // namespace

Conversation::Conversation(const PublishedLanguageModel& model, std::string system, Begin begin)
    : published_(model),
      format_(format_of(model)),
      decodable_(std::move(begin)),
      system_(system.empty() ? system_of(model.chat_template) : std::move(system)) {
    if (!decodable_)
        decodable_ = [&model](const Indices& prompt) {
            return model.model.decodable(prompt, {}, std::min(model.max_positions, usual_length));
        };
    add(format_.begin);
    if (system_.empty() || format_.system_in_question) return;
    add(format_.system.before);
    add_text(std::exchange(system_, ""));
    add(format_.system.behind);
}

void Conversation::add(const Mark& mark) {
    const Tokenizer& tokenizer = published_.tokenizer;
    for (const std::string_view part : mark) {
        if (tokenizer.has(part) && tokenizer.is_special(tokenizer.id(part))) {
            encode_waiting();
            ids_.push_back(tokenizer.id(part));
        } else {
            waiting_ += part;
        }
    }
}

// The span is that of the text's tokens. A token that reaches across its border belongs to one side.
Conversation::Span Conversation::add_text(std::string_view text) {
    const std::size_t begin = ids_.size() + waiting_ids().size();
    waiting_ += format_.trimmed ? without_white_space_around(text) : text;
    return {begin, std::max(begin, ids_.size() + waiting_ids().size())};
}

std::vector<int> Conversation::waiting_ids() const {
    return published_.tokenizer.encode(waiting_,
                                       {.ends = false, .behind = ids_.empty() ? -1 : ids_.back()});
}

void Conversation::encode_waiting() {
    const std::vector<int> ids = waiting_ids();
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    waiting_.clear();
}

// The question, and the marks up to the answer.
void Conversation::ask(const std::string& question) {
    const std::string waiting_before = waiting_;
    const std::size_t ids_before = ids_.size();
    add(format_.user.before);
    if (!system_.empty()) {
        add(format_.system.before);
        waiting_ += system_;
        add(format_.system.behind);
    }
    question_ = add_text(question);
    add(format_.user.behind);
    add(format_.assistant.before);
    encode_waiting();
    const auto most = static_cast<std::size_t>(published_.max_positions);
    if (ids_.size() >= most) {
        const std::size_t needed = ids_.size();
        ids_.resize(ids_before);
        waiting_ = waiting_before;
        fail("the conversation has {} tokens with this question; the model reads {}", needed, most);
    }
    question_ = {std::min(question_.begin, ids_.size()), std::min(question_.end, ids_.size())};
    system_.clear();
}

// Gives the model the tokens that it has not had, and returns the log-probabilities [V] of the next one.
Tensor Conversation::feed() {
    std::vector<int> fresh(ids_.begin() + static_cast<std::ptrdiff_t>(fed_), ids_.end());
    const bool begins = fed_ == 0;
    fed_ = ids_.size();
    if (begins) {
        sequence_ = decodable_(Indices(fresh, {1, std::ssize(fresh)}));
        return reshape(sequence_.step(sequence_.first()).log_probabilities, {-1});
    }
    const int last = fresh.back();
    fresh.pop_back();
    if (!fresh.empty()) sequence_.append(Indices(fresh, {1, std::ssize(fresh)}));
    return reshape(sequence_.step(Indices({last})).log_probabilities, {-1});
}

std::string Conversation::answer(const std::string& question, const AnswerOptions& options,
                                 Rng& rng, const std::function<void(std::string_view)>& show,
                                 const std::function<bool()>& stopped) {
    const NoGrad no_grad;
    ask(question);
    answer_ = {ids_.size(), ids_.size()};
    undecided_ = false;
    std::string text;
    std::size_t shown = 0;
    const Tokenizer& tokenizer = published_.tokenizer;
    const int end = tokenizer.id(format_.end());
    const auto most = static_cast<std::size_t>(published_.max_positions);
    for (int count = 0; count < options.most_tokens && ids_.size() + 2 < most; ++count) {
        if (stopped && stopped()) break;
        const std::vector<double> next = feed().to_vector();
        undecided_ = count == 0 && next.size() > 1 && next == std::vector(next.size(), next[0]);
        if (undecided_) break;
        const int id = decoding::sample_index(sampling_distribution(next, options.sampling), rng);
        if (id == end || id == published_.end) break;
        ids_.push_back(id);
        if (!tokenizer.is_special(id))
            text += count == 0 ? tokenizer.decode({id}) : tokenizer.text_of(id);
        const std::size_t whole = whole_characters(text);
        if (show && whole > shown) show(std::string_view(text).substr(shown, whole - shown));
        shown = std::max(shown, whole);
    }
    if (show && shown < text.size()) show(std::string_view(text).substr(shown));
    answer_.end = ids_.size();
    add(format_.assistant.behind);
    return text;
}

std::string Conversation::why_empty() const {
    if (undecided_)
        return "the model gives every token the same probability, so it has no answer; are its "
               "weights all 0?";
    if (answer_.end > answer_.begin)
        return fmt::format("the model's answer has {} tokens, none of which can be seen",
                           answer_.end - answer_.begin);
    if (ids_.size() + 2 >= static_cast<std::size_t>(published_.max_positions))
        return fmt::format(
            "the conversation has {} tokens, and the model reads {}; /new begins a new one",
            ids_.size(), published_.max_positions);
    return "the model has ended its answer before the first word";
}

std::vector<double> Conversation::attention() const {
    const NoGrad no_grad;
    const auto rows = static_cast<int64_t>(answer_.end - answer_.begin),
               columns = static_cast<int64_t>(question_.end - question_.begin);
    std::vector<double> mean(static_cast<std::size_t>(rows * columns));
    if (mean.empty()) return mean;
    std::vector<Tensor> weights;
    const std::vector<int> ids(ids_.begin(),
                               ids_.begin() + static_cast<std::ptrdiff_t>(answer_.end));
    published_.model.run(Indices(ids, {1, std::ssize(ids)}),
                         {.mode = Mode::evaluation(), .weights = &weights});
    for (const Tensor& layer : weights) {  // [1, H, T, T]
        // The token at t was predicted by the query at t - 1.
        const Tensor part =
            slice(slice(layer, 2, static_cast<int64_t>(answer_.begin) - 1,
                        static_cast<int64_t>(answer_.end) - 1),
                  3, static_cast<int64_t>(question_.begin), static_cast<int64_t>(question_.end));
        const std::vector<double> values = part.to_vector();
        const double share = 1.0 / static_cast<double>(std::ssize(weights) * part.size(1));
        for (std::size_t i = 0; i < values.size(); ++i) mean[i % mean.size()] += share * values[i];
    }
    return mean;
}

}  // namespace heed::chat
