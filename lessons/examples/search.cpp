// The lines of a file that are nearest to a question in meaning, by the vectors of a published encoder:
//
//     ./heed run lessons/examples/search.cpp MODEL FILE QUESTION
//
// MODEL is a folder with a BERT trained for sentences, such as all-MiniLM-L6-v2. No word of the question
// need stand in a line: "a small dog" is near "the puppy".
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "attention/transformer/published.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"

int main(int argc, char** argv) {
    using namespace heed;
    if (argc != 4) {
        fmt::print(stderr, "search: expected MODEL FILE QUESTION\n");
        return 2;
    }
    const PublishedEncoder encoder = load_encoder(argv[1]);
    std::vector<std::string> lines;
    std::ifstream file(argv[2]);
    check(file.is_open(), "{}: cannot be opened", argv[2]);
    for (std::string line; std::getline(file, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
    check(!lines.empty(), "{}: expected lines of text, found none", argv[2]);

    // All vectors have length 1, so the dot product is the cosine of the angle between them.
    const Tensor vectors = sentence_vectors(encoder, lines);                            // [N, D]
    const Tensor question = sentence_vectors(encoder, {argv[3]});                       // [1, D]
    const std::vector<double> near = matmul(vectors, transpose(question)).to_vector();  // [N]

    std::vector<std::size_t> order(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return near[a] > near[b]; });
    for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i)
        fmt::print("{:.2f}  {}\n", near[order[i]], lines[order[i]]);
    return 0;
}
