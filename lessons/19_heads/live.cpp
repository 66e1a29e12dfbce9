// The two heads of a trained model: where each looks in a sentence, and which answer is lost when
// it is removed.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/19_heads/model.h"
#include "lessons/course/figures/figures.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson19 {

using namespace course;

namespace {

RoleModel untrained() {
    Rng rng(1);
    return RoleModel({.heads = 2, .relations = 2}, rng);
}

class TwoHeads : public LiveModel {
  public:
    void load(const std::string& path) override { load_model(model_, path); }

    Drawn draw(const Inputs& inputs) override {
        const NoGrad no_grad;
        Rng rng(static_cast<std::uint64_t>(inputs.whole("sentence")));
        const Sentences sentence = draw_sentences(1, 2, rng);
        RoleModel model = model_;
        for (int head = 0; head < 2; ++head)
            if (inputs.chosen(head == 0 ? "first" : "second") == 1)
                model = without_head(model, head);
        Tensor weights;
        const Tensor logits = model(sentence, &weights);  // [1, 2, names], [1, 2, words]
        const std::vector<double> p = softmax(logits).to_vector();

        HeatMap map{.title = "Where the verb looks",
                    .values = weights.to_vector(),
                    .row_labels = {"head 1", "head 2"},
                    .row_axis = "head",
                    .column_axis = "word"};
        std::vector<int> shown;  // the names of the sentence
        BarChart chart{.title = "Answers: probabilities of the names in the sentence",
                       .value_label = "probability",
                       .sets = {{.name = "who"}, {.name = "whom"}},
                       .high = 1};
        for (int word = 0; word < words; ++word) {
            map.column_labels.emplace_back(  // of the same lengths in every sentence
                word == 0 ? "helped"
                          : role_names[static_cast<std::size_t>(sentence.role.at({0, word}))]);
            if (word == 0) continue;
            const int name = sentence.name.at({0, word});
            chart.labels.push_back(sentence.word(0, word));
            for (int relation = 0; relation < 2; ++relation)
                chart.sets[static_cast<std::size_t>(relation)].values.push_back(
                    std::round(1e3 * p[static_cast<std::size_t>(relation * names + name)]) / 1e3);
        }
        const auto right = [&](int relation) {
            return p[static_cast<std::size_t>(relation * names +
                                              sentence.answer.at({0, relation}))];
        };
        return {.svgs = {to_svg(map, 300), to_svg(chart)},
                .numbers = {{"probability of the right answer to who", right(0)},
                            {"and to whom", right(1)}}};
    }

  private:
    RoleModel model_ = untrained();
};

const Registered figure({.name = "heads",
                         .controls = {slider("sentence", "Sentence", {1, 50, 1, 1}),
                                      choice("first", "Head 1", {"on", "off"}),
                                      choice("second", "Head 2", {"on", "off"})},
                         .model = [](const Inputs&) { return std::make_unique<TwoHeads>(); },
                         .loads = true});

}  // namespace

}  // namespace heed::lesson19
