// heed's half of tests/parity/published.py: runs a published model on the lines of a file.
//
//     heed_published MODEL LINES MADE
//
// MADE is a safetensors file with, for line 0, "0.ids", and of a language model "0.logits" [T, V] and the
// 64 tokens that follow most probably, "0.greedy"; of an encoder "vectors" [N, D] of all lines.
#include "attention/transformer/published.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "nn/saved/safetensors.h"

namespace {

using namespace heed;

Tensor numbers(const std::vector<int>& ids) {
    return tensor(std::vector<double>(ids.begin(), ids.end()), {std::ssize(ids)});
}

double mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() != 3) {
        fmt::print(stderr, "heed_published MODEL LINES MADE\n");
        return 2;
    }
    const NoGrad no_grad;
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const Published published = load_published(words[0]);
    fmt::print("loaded in {:.2f} s, at most {:.0f} MiB\n", seconds(), mebibytes());
    std::vector<std::string> lines;
    std::ifstream file(words[1]);
    for (std::string line; std::getline(file, line);) lines.push_back(line);

    Safetensors made;
    if (const auto* encoder = std::get_if<PublishedEncoder>(&published)) {
        for (std::size_t i = 0; i < lines.size(); ++i)
            made.tensors.push_back(
                {fmt::format("{}.ids", i), numbers(encoder->tokenizer.encode(lines[i]))});
        made.tensors.push_back({"vectors", sentence_vectors(*encoder, lines)});
    } else {
        const auto& language = std::get<PublishedLanguageModel>(published);
        fmt::print("{}\n", language.description);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::vector<int> ids =
                language.tokenizer.encode(lines[i], {.specials_in_text = true});
            const Indices prompt(std::vector<int>(ids), {1, std::ssize(ids)});
            made.tensors.push_back({fmt::format("{}.ids", i), numbers(ids)});
            made.tensors.push_back(
                {fmt::format("{}.logits", i), squeeze(language.model(prompt), 0)});
            const Hypothesis text =
                greedy_decode(language.model.decodable(prompt), {.end = -1, .max_length = 64})[0];
            made.tensors.push_back({fmt::format("{}.greedy", i), numbers(text.tokens)});
        }
    }
    fmt::print("{:.2f} s in all, at most {:.0f} MiB\n", seconds(), mebibytes());
    save_safetensors(words[2], made);
    return 0;
}
