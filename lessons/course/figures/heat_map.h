// Heat maps: a matrix drawn as shades. Attention weights, position encodings, gradient norms.
//
//     lesson.show("alignment", attention_map({"I", "am", ...}, {"나는", "학생", "이다"}, weights),
//                 "The weights of the source words at each output word.");
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct HeatMap {
    std::string title{};
    std::vector<double> values{};              // [rows, columns], row by row
    int rows = 0, columns = 0;                 // needed only where an axis has no labels
    std::vector<std::string> row_labels{};     // tokens down the left side
    std::vector<std::string> column_labels{};  // tokens along the top
    std::string row_axis{}, column_axis{};     // what rows and columns are: "query", "key"
    double low = 0, high = 1;                  // white and full colour; low < 0 gives two colours
    std::vector<std::pair<int, int>> gold{};   // cells (row, column) to outline: the true alignment
    std::string value_name = "weight";         // what a value is
    std::vector<double> scores{};  // optional, [rows, columns]: shown when pointing at a cell
    // The rows are the weights of a softmax. Without scores, the difference of each score to the
    // largest one of its row is computed from the weights and shown instead.
    bool softmax = false;

    int height() const;  // the number of rows, from the labels if there are any
    int width() const;
    double level(int row, int column) const;  // strength of a cell: 0 to 1, or -1 to 1 if low < 0
};

// Rows are queries, columns are keys, weights are [queries, keys]. Adding one number to all scores
// of a query leaves its softmax unchanged, so the weights determine the scores up to such a number:
// score - largest score = ln(weight / largest weight).
HeatMap attention_map(std::vector<std::string> queries, std::vector<std::string> keys,
                      std::vector<double> weights);

// Throws heed::Error, naming the figure's title, when the sizes do not fit together. The same for
// the other figures; to_text and to_svg call it.
void check_sizes(const HeatMap& map);

// As text for the terminal, no line wider than the screen (of 40 columns or more). Without column labels a large map
// has at most 30 lines, of which each stands for several rows.
std::string to_text(const HeatMap& map, const Screen& screen);
// What dots, digits and letters in the text of these maps mean, and how many rows a line is, as a line to put under them; empty if there
// is nothing to explain.
std::string signs_in_text(const std::vector<HeatMap>& maps, const Screen& screen);

// One <svg> element without its style sheet (svg.h has it), because many figures share one page.
// `size`, in pixels, is that of a map without column labels.
std::string to_svg(const HeatMap& map, double size = 450);

}  // namespace heed::course
