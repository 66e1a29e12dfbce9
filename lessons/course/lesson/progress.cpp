#include "lessons/course/lesson/progress.h"

#include <fmt/format.h>

#include <utility>

#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

ProgressLine::ProgressLine(const Screen& screen, std::string label, std::int64_t steps)
    : screen_(screen), label_(std::move(label)), steps_(steps) {}

std::string ProgressLine::line(std::int64_t step, double loss, std::int64_t tokens,
                               double seconds) const {
    std::string text = fmt::format("{}  {} of {}", label_, number(static_cast<double>(step)),
                                   number(static_cast<double>(steps_)));
    if (!std::isnan(loss)) text += fmt::format("  loss {:.3f}", loss);
    std::string rate_text,
        time_text;  // in a narrow window the rate gives way to the time that is left
    if (tokens > 0 && seconds > 0.2) {
        const double rate = static_cast<double>(tokens) / seconds;
        rate_text = fmt::format("  {} tokens/s", number(std::round(rate)));
    }
    if (step > 0 && step <= steps_ && seconds > 1) {
        const double left =
            seconds / static_cast<double>(step) * static_cast<double>(steps_ - step);
        const int rounded = static_cast<int>(std::lround(left));
        time_text = fmt::format("  {}:{:02} left", rounded / 60, rounded % 60);
    }
    const std::string whole = text + rate_text + time_text;
    const int room = screen_.now().width - 1;
    return display_width(whole) <= room ? whole : shorten(text + time_text, room);
}

void ProgressLine::update(std::int64_t step, double loss, std::int64_t tokens) {
    if (!screen_.live) return;
    const Clock::time_point now = Clock::now();
    if (drawn_ && now - drawn_at_ < std::chrono::milliseconds(100)) return;
    drawn_ = true;
    drawn_at_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    draw_line(line(step, loss, tokens, seconds));
}

void ProgressLine::clear() {
    if (!drawn_) return;
    drawn_ = false;
    draw_line("");
}

}  // namespace heed::course
