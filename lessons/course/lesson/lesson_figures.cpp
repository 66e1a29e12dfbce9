// What a lesson shows: listings, tables and pictures. Each appears in the terminal at once and in
// the report; a picture is also kept as a file for the end of the run.
#include <algorithm>

#include "autograd/base/error.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

template <class Figure>
std::vector<std::string> drawings(const std::vector<Figure>& figures) {
    std::vector<std::string> svgs;
    for (const Figure& figure : figures) svgs.push_back(to_svg(figure));
    return svgs;
}

// Two of them next to each other fill the column of a page.
std::vector<std::string> drawings(const std::vector<HeatMap>& maps) {
    std::vector<std::string> svgs;
    for (const HeatMap& map : maps) svgs.push_back(to_svg(map, maps.size() > 1 ? 245 : 450));
    return svgs;
}

template <class Figure>
std::string sketches(const std::vector<Figure>& figures, const Screen& screen) {
    std::vector<std::string> blocks;
    for (const Figure& figure : figures) blocks.push_back(to_text(figure, screen));
    return side_by_side(blocks, screen.width);
}

}  // namespace

void Lesson::listing(const std::string& text) {
    std::string lines;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string line = printable(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        lines +=
            display_width(line) > screen_.width ? wrap(line, screen_.width, "  ") : line + "\n";
    }
    print_now(lines + "\n");
    report_.listing(text);
}

void Lesson::table(const Table& table, const std::string& caption) {
    print_now(table.to_text(screen_) + caption_lines(caption) + "\n");
    report_.table(table, caption);
}

void Lesson::figure(const std::string& name, const std::vector<std::string>& svgs,
                    const std::string& text, const std::string& caption) {
    const bool plain = !name.empty() && name.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyz0123456789"
                                            "_-") == std::string::npos;
    check(plain, "figure '{}': its name becomes a file's: small letters, digits, - and _", name);
    check(!svgs.empty(), "figure '{}': nothing to draw", name);
    for (std::size_t i = 0; i < svgs.size(); ++i) {
        const std::string file =
            svgs.size() == 1 ? name + ".svg" : fmt::format("{}-{}.svg", name, i + 1);
        const bool fresh = std::none_of(files_.begin(), files_.end(),
                                        [&](const auto& other) { return other.first == file; });
        check(fresh, "figure '{}': there is one of that name already", name);
        files_.emplace_back(file, standalone_svg(svgs[i]));
    }
    report_.figure(svgs, caption);
    if (drawing_) print_now(text + caption_lines(caption) + "\n");
}

void Lesson::show(const std::string& name, const HeatMap& map, const std::string& caption) {
    figure(name, {to_svg(map)}, to_text(map, screen_), caption);
}

void Lesson::show(const std::string& name, const LinePlot& plot, const std::string& caption) {
    figure(name, {to_svg(plot)}, to_text(plot, screen_), caption);
}

void Lesson::show(const std::string& name, const BarChart& chart, const std::string& caption) {
    figure(name, {to_svg(chart)}, to_text(chart, screen_), caption);
}

void Lesson::show(const std::string& name, const Picture& picture, const std::string& caption) {
    figure(name, {to_svg(picture)}, to_text(picture, screen_), caption);
}

void Lesson::show(const std::string& name, const Diagram& diagram, const std::string& caption) {
    figure(name, {to_svg(diagram)}, to_text(diagram, screen_), caption);
}

void Lesson::show(const std::string& name, const std::vector<HeatMap>& maps,
                  const std::string& caption) {
    figure(name, drawings(maps), sketches(maps, screen_), caption);
}

void Lesson::show(const std::string& name, const std::vector<Picture>& pictures,
                  const std::string& caption) {
    figure(name, drawings(pictures), sketches(pictures, screen_), caption);
}

}  // namespace heed::course
