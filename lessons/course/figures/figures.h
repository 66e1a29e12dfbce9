// The pictures a lesson draws. Each is a plain struct of numbers and names: fill it in and hand it
// to lesson.show(), which draws it in the terminal, saves it as SVG and puts it into the report.
//
//     lesson.show("alignment", attention_map({"I", "am", ...}, {"나는", "학생", "이다"}, weights),
//                 "Where the decoder looks while it writes each word.");
//
// to_text and to_svg throw heed::Error when the sizes of a figure do not fit together. Values that
// are not finite are drawn as gaps, never as numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// A matrix seen as shades: attention weights, position encodings, gradient norms.
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
    std::vector<double> scores{};              // optional, as values: shown when pointing at a cell
    bool softmax = false;  // weights of a softmax: without scores, what they tell of them is shown

    int height() const;  // number of rows, from the labels where there are some
    int width() const;
    double level(int row, int column) const;  // strength of a cell: 0 to 1, or -1 to 1 if low < 0
};

// Rows are queries, columns keys; weights are [queries, keys]. A softmax forgets what all scores of
// a query have in common; the rest is in the weights: a score less the best one of its row is the
// logarithm of its weight over the largest.
HeatMap attention_map(std::vector<std::string> queries, std::vector<std::string> keys,
                      std::vector<double> weights);

// A line through (x, y), with a band from low to high around it where those are given.
struct Series {
    std::string name{};
    std::vector<double> x{}, y{};
    std::vector<double> low{}, high{};
};

// The mean over several runs (one vector per seed) with one standard deviation to each side.
Series over_seeds(std::string name, std::vector<double> x,
                  const std::vector<std::vector<double>>& runs);

struct LinePlot {
    std::string title{}, x_label{}, y_label{};
    std::vector<Series> series{};
    bool log_x = false, log_y = false;  // values of 0 or less are then gaps
    std::vector<double> y_range{};      // {low, high}; empty: what the data need
};

// Horizontal bars: one group for each label, in it one bar for each set.
struct BarChart {
    struct Set {
        std::string name{};
        std::vector<double> values{};
        std::vector<double> spread{};  // optional: half the length of the error mark
    };
    std::string title{}, value_label{};
    std::vector<std::string> labels{};
    std::vector<Set> sets{};
    double high = 0;  // the value at the right end; 0: what the data need
};

// A grey image (0 black, 1 white) and what a model attends to in it.
struct Picture {
    std::string title{};
    int height = 0, width = 0;
    std::vector<double> grey{};  // [height, width]

    int patch_rows = 0, patch_columns = 0;
    std::vector<double> weights{};  // [patch_rows, patch_columns]: the image's patches, shaded

    std::vector<std::pair<double, double>>
        path{};          // centres (x, y) of glimpses, in pixels, in order
    double glimpse = 0;  // side of the square a glimpse sees, in pixels
};

// Boxes and arrows, from left to right: a graph of operations.
struct Diagram {
    struct Box {
        std::string name{};
        std::vector<std::string> lines{};  // smaller, below the name
        double column = 0, row = 0;        // where its middle is, counted in boxes
        bool source = false;               // nothing leads to it: drawn filled
    };
    std::string title{};
    std::vector<Box> boxes{};
    std::vector<std::pair<int, int>> arrows{};  // from one box to another, by their places above
};

// Throw heed::Error, naming the figure's title, when sizes do not fit together.
void check_sizes(const HeatMap& map);
void check_sizes(const LinePlot& plot);
void check_sizes(const BarChart& chart);
void check_sizes(const Picture& picture);
void check_sizes(const Diagram& diagram);

// In letters, no line wider than the screen (of 40 columns or more).
std::string to_text(const HeatMap& map, const Screen& screen);
std::string to_text(const LinePlot& plot, const Screen& screen);
std::string to_text(const BarChart& chart, const Screen& screen);
std::string to_text(const Picture& picture, const Screen& screen);
std::string to_text(const Diagram& diagram, const Screen& screen);
std::string title_text(const std::string& title, const Screen& screen);  // with which each begins

// One <svg> element, without its style sheet (svg.h has it), so that many share one page.
std::string to_svg(const HeatMap& map, double size = 450);  // pixels, where there are no labels
std::string to_svg(const LinePlot& plot);
std::string to_svg(const BarChart& chart);
std::string to_svg(const Picture& picture);
std::string to_svg(const Diagram& diagram);

}  // namespace heed::course
