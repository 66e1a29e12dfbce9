// Texts whose words are shaded by their weights: what a model attends to while it reads.
//
//     ShadedText text{.title = "Before each word"};
//     text.rows = {{"am", {"나는", "학생", "이다"}, {0.006, 0.002, 0.993}}};
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct ShadedText {
    struct Row {
        std::string name{};  // before the text; empty: none
        std::vector<std::string> words{};
        std::vector<double> weights{};  // one for each word
    };
    std::string title{};
    std::vector<Row> rows{};
    double high = 0;  // the weight of full colour; 0: the largest of all
    std::string value_name = "weight";
};

void check_sizes(const ShadedText& text);

// Without colours, each word that is shaded at all is followed by its weight.
std::string to_text(const ShadedText& text, const Screen& screen);
std::string to_svg(const ShadedText& text);

}  // namespace heed::course
