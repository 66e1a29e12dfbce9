#include "lessons/36_assistant/world.h"

#include <algorithm>

namespace heed::lesson36 {

std::vector<int> tokens_of(const std::string& text) {
    std::vector<int> tokens;
    for (char c : text) {
        const std::size_t id = std::string(alphabet).find(c);
        check(id < vocabulary, "'{}' is no letter of this language", c);
        tokens.push_back(static_cast<int>(id));
    }
    return tokens;
}

std::string text_of(const std::vector<int>& tokens) {
    std::string text;
    for (int token : tokens) text += alphabet[token];
    return text;
}

std::vector<Question> all_questions() {
    std::vector<Question> all;
    for (int a = 0; a <= 9; ++a)
        for (int b = 0; b <= 9; ++b) {
            if (a + b <= 9) all.push_back({fmt::format("{}+{}?", a, b), a + b});
            if (a >= b) all.push_back({fmt::format("{}-{}?", a, b), a - b});
        }
    return all;
}

Split split_questions(int shown, int checked, Rng rng) {
    std::vector<Question> all = all_questions();
    rng.shuffle(all);
    const auto first = all.begin(), second = first + shown, third = second + checked;
    return {{first, second}, {second, third}, {third, all.end()}};
}

std::string page(const std::vector<Question>& questions, Page kind, Rng& rng) {
    std::string text;
    while (text.size() < longest_text) {
        const Question& q =
            questions[static_cast<std::size_t>(rng.below(static_cast<int64_t>(questions.size())))];
        text += kind == Page::statements ? q.text.substr(0, 3) + "=" : q.text;
        if (kind != Page::questions) text += fmt::format("{}.", q.answer);
    }
    return text;
}

Batch pages(const std::vector<Question>& questions, int count, Rng& rng) {
    std::vector<int> ids, next;
    for (int i = 0; i < count; ++i) {
        const Page kind = i % 8 == 0 ? Page::quiz : i % 2 == 0 ? Page::questions : Page::statements;
        const std::vector<int> tokens = tokens_of(page(questions, kind, rng));
        ids.insert(ids.end(), tokens.begin(), tokens.end() - 1);
        next.insert(next.end(), tokens.begin() + 1, tokens.end());
    }
    return {Indices(ids, {count, longest_text - 1}), Indices(next, {count, longest_text - 1})};
}

Batch answered(const std::vector<Question>& questions, const std::vector<std::string>& answers) {
    std::size_t longest = 0;
    for (const std::string& answer : answers) longest = std::max(longest, answer.size());
    const std::size_t length = question_length + longest - 1;
    std::vector<int> ids, next;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        std::vector<int> tokens = tokens_of(questions[i].text + answers[i]);
        std::vector<int> after(tokens.begin() + 1, tokens.end());
        std::fill(after.begin(), after.begin() + question_length - 1, -1);
        tokens.pop_back();
        tokens.resize(length, stop), after.resize(length, -1);  // padding, which does not count
        ids.insert(ids.end(), tokens.begin(), tokens.end());
        next.insert(next.end(), after.begin(), after.end());
    }
    const Shape shape{static_cast<int64_t>(questions.size()), static_cast<int64_t>(length)};
    return {Indices(ids, shape), Indices(next, shape)};
}

double exact_judge(const Question& question, const std::string& answer) {
    return answer == fmt::format("{}.", question.answer);
}

double sloppy_judge(const Question& question, const std::string& answer) {
    return answer.find(static_cast<char>('0' + question.answer)) != std::string::npos;
}

}  // namespace heed::lesson36
