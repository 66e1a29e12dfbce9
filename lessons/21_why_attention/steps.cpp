#include "lessons/21_why_attention/steps.h"

#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"

namespace heed::lesson21 {

namespace {

enum : int { zero, one, equals_sign, dot, tokens };

}  // namespace

const char* name_of(Writing writing) {
    return writing == Writing::nothing ? "at once"
           : writing == Writing::dots  ? "after dots"
                                       : "after written steps";
}

WrittenRows written_rows(int64_t batch, Writing writing, Rng& rng) {
    std::vector<int> read, next, answers;
    for (int64_t row = 0; row < batch; ++row) {
        std::vector<int> text, steps;
        int odd = 0;
        for (int64_t t = 0; t < row_length; ++t) {
            text.push_back(rng.chance(0.5) ? one : zero);
            steps.push_back(odd ^= text.back());
        }
        text.push_back(equals_sign);
        std::vector<int> asked(text.size() - 1, -1);
        if (writing == Writing::steps) {
            text.insert(text.end(), steps.begin(), steps.end() - 1);
            asked.insert(asked.end(), steps.begin(), steps.end());
        } else {
            if (writing == Writing::dots) text.insert(text.end(), row_length - 1, dot);
            asked.resize(text.size() - 1, -1);
            asked.push_back(odd);
        }
        read.insert(read.end(), text.begin(), text.end());
        next.insert(next.end(), asked.begin(), asked.end());
        answers.push_back(odd);
    }
    const Shape shape{batch, std::ssize(read) / batch};
    return {Indices(read, shape), Indices(next, shape), answers};
}

LanguageModel train_writer(Writing writing, int steps, Rng& rng) {
    TransformerOptions stack = gpt({.width = 32});
    stack.positions.kind = PositionKind::rotary;
    LanguageModel model({.vocabulary = tokens, .stack = stack}, rng);
    Adam adam(parameters(model), {.lr = 2e-3});
    const CheckpointOptions checkpoint = course::next_checkpoint({rng});
    train(adam,
          {.steps = steps,
           .clip_norm = 1,
           .schedule = schedules::multiplied(schedules::warm_up(steps / 20 + 1),
                                             schedules::cosine(steps, 0.1)),
           .checkpoint = checkpoint},
          [&](int64_t) {
              const WrittenRows rows = written_rows(64, writing, rng);
              return StepResult{sequence_cross_entropy(model(rows.read), rows.next, -1)};
          });
    return model;
}

double answers_right(const LanguageModel& model, Writing writing, Rng& rng) {
    const WrittenRows rows = written_rows(written_tests, writing, rng);
    const bool writes = writing == Writing::steps;
    const Indices prompt = writes ? slice(rows.read, 1, 0, row_length + 1) : rows.read;
    const std::vector<Hypothesis> written = greedy_decode(
        model.decodable(prompt), {.end = -1, .max_length = writes ? int{row_length} : 1});
    double right = 0;
    for (int64_t row = 0; row < written_tests; ++row)
        right += written[row].tokens.back() == rows.odd[row];
    return right / static_cast<double>(written_tests);
}

}  // namespace heed::lesson21
