// A table, for the terminal and the report. Columns of numbers are aligned to the right. Cells may contain
// `code`, *emphasis* and **strong** (markup.h).
//
//     Table table({"score", "accuracy", "seconds"});
//     table.row("additive", mean_and_spread(accuracies), 12.3);
//     lesson.table(table, "Five seeds each: mean and standard deviation.");
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// The lines of a table for the terminal, from cells as they are drawn there: made printable, and coloured
// afterwards. In a window too narrow for the columns, each row becomes a list of its cells.
std::string table_lines(const std::vector<std::string>& header,
                        const std::vector<std::vector<std::string>>& rows, const Screen& screen);

class Table {
  public:
    explicit Table(std::vector<std::string> header);

    // One row: text, and numbers formatted by number() of text.h. Throws heed::Error if the number of
    // cells is not that of the header.
    template <class... Cells>
    void row(const Cells&... cells) {
        add({cell(cells)...});
    }
    void add(std::vector<std::string> cells);

    std::string to_text(const Screen& screen) const;
    std::string to_html() const;

  private:
    static std::string cell(std::string_view text) { return std::string(text); }
    static std::string cell(std::floating_point auto value) { return decimal(value); }
    static std::string cell(std::integral auto value) {
        return decimal(static_cast<double>(value));
    }
    static std::string decimal(double value);

    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace heed::course
