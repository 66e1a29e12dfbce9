#include "lessons/material/chat/conversation.h"

#include <utility>

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed::chat {
namespace {

constexpr std::string_view begin_mark = "<|im_start|>", end_mark = "<|im_end|>";

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

}  // namespace

std::string system_of(std::string_view chat_template) {
    const std::string begin = fmt::format("{}system\n", begin_mark);
    const std::size_t at = chat_template.find(begin);
    if (at == std::string_view::npos) return "";
    const std::size_t from = at + begin.size(), to = chat_template.find(end_mark, from);
    if (to == std::string_view::npos) return "";
    const std::string_view text = chat_template.substr(from, to - from);
    // A text, and no part of the template's own program.
    return text.find_first_of("'{") == std::string_view::npos ? std::string(text) : "";
}

Conversation::Conversation(const PublishedLanguageModel& model, std::string system, Begin begin)
    : published_(model), decodable_(std::move(begin)) {
    if (!decodable_)
        decodable_ = [&model](const Indices& prompt) { return model.model.decodable(prompt); };
    const Tokenizer& tokenizer = model.tokenizer;
    for (const std::string_view mark : {begin_mark, end_mark})
        check(tokenizer.has(mark) && tokenizer.is_special(tokenizer.id(mark)),
              "{}: this model does not know conversations in ChatML: it has no special token {}",
              model.description, mark);
    begin_ = tokenizer.id(begin_mark);
    end_ = tokenizer.id(end_mark);
    if (system.empty()) system = system_of(model.chat_template);
    if (system.empty()) return;
    add("system", system);
    add_end();
}

// The beginning of a message and its text; the span is that of the text. A word may go across their border.
Conversation::Span Conversation::add(std::string_view role, std::string_view text) {
    const auto encode = [&](const std::string& plain) {
        return published_.tokenizer.encode(plain, {.ends = false});
    };
    const std::string before = std::string(role) + "\n";
    ids_.push_back(begin_);
    const std::size_t begin = ids_.size() + encode(before).size();
    const std::vector<int> ids = encode(before + std::string(text));
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    return {std::min(begin, ids_.size()), ids_.size()};
}

void Conversation::add_end() {
    ids_.push_back(end_);
    for (const int id : published_.tokenizer.encode("\n", {.ends = false})) ids_.push_back(id);
}

// Gives the model the tokens that it has not had, and returns the log-probabilities [V] of the next one.
Tensor Conversation::feed() {
    const std::vector<int> fresh(ids_.begin() + static_cast<std::ptrdiff_t>(fed_), ids_.end());
    const bool begins = fed_ == 0;
    fed_ = ids_.size();
    const auto count = static_cast<int64_t>(fresh.size());
    if (begins) {
        sequence_ = decodable_(Indices(fresh, {1, count}));
        return reshape(sequence_.step(sequence_.first()).log_probabilities, {-1});
    }
    if (count == 1) return reshape(sequence_.step(Indices(fresh)).log_probabilities, {-1});
    const Tensor all = sequence_.steps(Indices(fresh, {1, count}));  // [1, T, V]
    return reshape(slice(all, 1, count - 1, count), {-1});
}

std::string Conversation::answer(const std::string& question, const AnswerOptions& options,
                                 Rng& rng, const std::function<void(std::string_view)>& show,
                                 const std::function<bool()>& stopped) {
    const NoGrad no_grad;
    const std::size_t before = ids_.size();
    question_ = add("user", question);
    add_end();
    add("assistant", "");
    const auto most = static_cast<std::size_t>(published_.max_positions);
    if (ids_.size() >= most) {
        const std::size_t needed = ids_.size();
        ids_.resize(before);
        fail("the conversation has {} tokens with this question; the model reads {}", needed, most);
    }
    answer_ = {ids_.size(), ids_.size()};
    std::string text;
    std::size_t shown = 0;
    for (int count = 0; count < options.most_tokens && ids_.size() + 2 < most; ++count) {
        if (stopped && stopped()) break;
        const int id = decoding::sample_index(
            sampling_distribution(feed().to_vector(), options.sampling), rng);
        if (id == end_ || id == published_.end) break;
        ids_.push_back(id);
        text += published_.tokenizer.decode({id});
        const std::size_t whole = whole_characters(text);
        if (show && whole > shown) show(std::string_view(text).substr(shown, whole - shown));
        shown = std::max(shown, whole);
    }
    if (show && shown < text.size()) show(std::string_view(text).substr(shown));
    answer_.end = ids_.size();
    add_end();
    return text;
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
