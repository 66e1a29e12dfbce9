#include "lessons/36_assistant/experiment.h"
using namespace heed;
using namespace heed::lesson36;
int main(int argc, char** argv) {
    const int pre = 1200;
    const std::vector<std::string> some{"query", "key", "value", "output", "hidden"};
    for (uint64_t seed : {101, 102, 103}) {
    Rng rng(seed);
    LanguageModel base = new_model(rng), raw = copy_model(base);
    train_predictor(base, pre, rng.split());
    const Split split = split_questions(10, 50, Rng(seed));
    fmt::print("seed {}: known {} exact {} asked {}\n", seed, share_known(base, all_questions()), share_exact(base, all_questions(), rng.split()), share_asked(base, all_questions(), rng.split()));
    { LanguageModel m = copy_model(base); train_on_examples(m, split.shown, 60, 1e-3);
      LanguageModel s = copy_model(raw); train_on_examples(s, split.shown, 60, 1e-3);
      fmt::print("  full {:.2f} {:.2f} scratch {:.2f} {:.2f}\n", share_exact(m, split.shown, rng), share_exact(m, split.test, rng), share_exact(s, split.shown, rng), share_exact(s, split.test, rng)); }
    for (bool all : {false, true}) for (int rank : {1, 2, 4, 8}) for (int steps : {60, 150}) {
        LanguageModel a = copy_model(base); Rng r = rng.split();
        add_adapters(a, {.rank = rank, .only = all ? some : std::vector<std::string>{"query", "value"}}, r);
        train_on_examples(a, split.shown, steps, 1e-2);
        fmt::print("  rank {} {} {}: {:.2f} {:.2f}\n", rank, all, steps, share_exact(a, split.shown, rng), share_exact(a, split.test, rng));
    }
    LanguageModel start = copy_model(base); Rng r = rng.split();
    add_adapters(start, {.rank = 4, .only = some}, r);
    train_on_examples(start, split.shown, 30, 1e-2);
    merge_adapters(start);
    if (argc < 2) {
        LanguageModel m = copy_model(start); add_adapters(m, {.rank = 4, .only = some}, r);
        for (auto& n : gradient_noise(m, split.checked, 60, rng.split())) fmt::print("{}: {:.2f}\n", n.name, n.noise);
    for (double lr : {3e-3, 1e-2}) for (double kl : {0.0, 0.1}) for (int j = 0; j < 2; ++j) {
        LanguageModel m = copy_model(start);
        add_adapters(m, {.rank = 4, .only = some}, r);
        Progress p = train_on_rewards(m, split, j ? Judge(sloppy_judge) : Judge(exact_judge), {.steps = 150, .kl = kl, .lr = lr}, rng.split());
        fmt::print("lr {} kl {} {}: ", lr, kl, j ? "sloppy" : "exact");
        for (size_t i = 0; i < p.steps.size(); ++i) fmt::print(" {:.2f}/{:.2f}/{:.1f}", p.exact[i], p.reward[i], p.kl[i]);
        fmt::print(" {} {} {} checked {:.2f}\n", p.answers[0], p.answers[1], p.answers[2], share_exact(m, split.checked, rng));
    }
    Pairs pairs = preference_pairs(start, split.checked, 150, exact_judge, rng.split());
    fmt::print("{} pairs\n", pairs.questions.size());
    for (double beta : {0.1, 0.3, 1.0}) for (double lr : {1e-3, 3e-3}) {
        LanguageModel m = copy_model(start);
        add_adapters(m, {.rank = 4, .only = some}, r);
        Progress p = train_on_pairs(m, pairs, split, 150, beta, lr, rng.split());
        fmt::print("dpo {} {}: ", beta, lr);
        for (size_t i = 0; i < p.steps.size(); ++i) fmt::print(" {:.2f}/{:.1f}", p.exact[i], p.kl[i]);
        fmt::print("\n");
    }}
    }
}
