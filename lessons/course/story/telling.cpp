#include "lessons/course/story/telling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string_view>
#include <utility>

#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

int lines_in(std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// Each block of a text, laid out for the window as it is when it is printed.
std::vector<OnScreen> blocks_of(const Passage& passage, const Screen& now) {
    std::vector<OnScreen> blocks;
    const std::size_t count = prose_blocks(passage.text, now).size();
    for (std::size_t i = 0; i < count; ++i)
        blocks.push_back([text = passage.text, i](const Screen& screen) {
            return prose_blocks(text, screen).at(i) + "\n";
        });
    return blocks;
}

// Whether the block ends with a colon, and so announces what comes next.
bool announces(const OnScreen& block) {
    const std::string text = block(Screen{});
    const std::size_t last = text.find_last_not_of(" \n");
    return last != std::string::npos && text[last] == ':';
}

OnScreen together(const OnScreen& first, const OnScreen& second) {
    return [first, second](const Screen& screen) { return first(screen) + second(screen); };
}

// The code that a reader sees without asking: the idea of the passage if it is short, or announced.
std::string shown_code(const Passage& passage, bool announced) {
    constexpr int few = 12, not_too_many = 48;
    if (passage.closing) return "";
    const std::string idea = idea_of(passage.code);
    return lines_in(idea) <= (announced ? not_too_many : few) ? idea : "";
}

}  // namespace

void Telling::show(const Passage& passage) {
    if (!skipped_.empty() && passage.section == skipped_) return;
    if (since_pause_ && !here_.text.empty()) pause();  // the introduction follows the title at once
    skipped_.clear();
    here_ = passage;
    if (passage.first)
        print([&](const Screen& screen) {
            return wrap(screen.paint(passage.section, Ink::strong), screen.measure()) + "\n";
        });
    for (const OnScreen& block : blocks_of(passage, screen_.now())) {
        if (announces(block))
            announced_ = announced_ ? together(announced_, block) : block;
        else
            print(block);
        if (!skipped_.empty()) return;
    }
    const std::string code = shown_code(passage, announced_ != nullptr);
    if (code == passage.code) here_.code.clear();  // there is no more of it to ask for
    if (!code.empty())
        print([code](const Screen& screen) { return code_lines(code, screen) + "\n"; });
    if (passage.closing)
        finish();
    else if (!announced_ && skipped_.empty())
        pause();
}

void Telling::announce(const Passage& passage) {
    const std::vector<OnScreen> blocks = blocks_of(passage, screen_.now());
    if (!blocks.empty() && announces(blocks.back())) announced_ = blocks.back();
}

void Telling::leave() {
    const bool waits = announced_ != nullptr;
    announced_ = nullptr;
    if (waits) pause();
}

void Telling::finish() {
    if (announced_) print_blocks(std::exchange(announced_, nullptr));
}

void Telling::output(const OnScreen& lines) { print(lines); }

void Telling::make_room(const OnScreen& question) {
    finish();
    constexpr int answers = 2;  // the guess, and how sure the reader is
    const Screen screen = screen_.now();
    if (lines_ > 0 && lines_ + lines_in(question(screen)) + answers > screen.height) pause();
}

void Telling::has_read() {
    lines_ = 0;
    since_pause_ = false;
}

namespace {

// Where to cut a block that is longer than a screen: after the first `room` lines, or earlier behind an empty line,
// which stands between drawings, or before the first line of a record of a table that is shown as a list.
std::size_t end_of_screen(std::string_view block, int room) {
    std::size_t at = 0, good = 0;
    for (int i = 0; i < room; ++i) {
        const std::size_t end = block.find('\n', at) + 1, next = block.find('\n', end) + 1;
        const bool record = block.substr(end, 3).find_first_not_of(' ') == 2 && next > 0 &&
                            block.substr(next, 5).find_first_not_of(' ') == 4;
        if (2 * (i + 1) >= room && (end == at + 1 || record)) good = end;
        at = end;
    }
    return good > 0 ? good : at;
}

}  // namespace

// What was announced stands above these lines if both fit on a screen.
void Telling::print(const OnScreen& lines) {
    const OnScreen above = std::exchange(announced_, nullptr);
    const Screen screen = screen_.now();
    const OnScreen both = above ? together(above, lines) : lines;
    if (!above || lines_in(both(screen)) <= room()) return print_blocks(both);
    print_blocks(above);
    print_blocks(lines);
}

int Telling::room() const { return std::max(screen_.now().height - 2, 4); }

// Blocks stay whole if they fit on a screen; a longer one is shown screen by screen.
void Telling::print_blocks(const OnScreen& lines) {
    std::string block = lines(screen_.now());
    if (lines_ > 0 && lines_ + lines_in(block) > room()) {
        pause();
        block = lines(screen_.now());
    }
    std::string_view rest = block;
    while (pauses_ && lines_in(rest) > room()) {
        const std::size_t end = end_of_screen(rest, room());
        print_now(std::string(rest.substr(0, end)));
        read_.back() += rest.substr(0, end);
        rest.remove_prefix(end);
        pause();
    }
    print_now(std::string(rest));
    read_.back() += rest;
    lines_ += lines_in(rest);
    since_pause_ = true;
}

// The place in the lesson and the keys, in the longest form that fits.
std::string Telling::keys(const Screen& screen) const {
    const auto found = std::find(parts_.begin(), parts_.end(), here_.section);
    const auto part = found - parts_.begin() + 1;
    const bool known = found != parts_.end(), code = !here_.code.empty();
    const std::string place = known ? fmt::format("part {} of {}", part, parts_.size()) : "",
                      short_place = known ? fmt::format("{}/{}  ", part, parts_.size()) : "";
    for (const std::string& text :
         {fmt::format("{}space: go on   s: skip this part   b: back{}   a: all, without waiting   "
                      "q: stop",
                      known ? place + "   " : "", code ? "   c: the code" : ""),
          fmt::format("{}space: go on  s: skip  b: back{}  a: all  q: stop",
                      known ? place + "  " : "", code ? "  c: code" : ""),
          fmt::format("{}space go on  s skip  b back{}  a all  q stop", short_place,
                      code ? "  c code" : "")})
        if (display_width(text) < screen.width) return text;
    const std::string_view shortest =
        code ? "spc on s skip b back c code a all q end" : "space on  s skip  b back  a all  q end";
    return shorten(shortest, screen.width - 1);
}

void Telling::pause() {
    finish();
    has_read();
    if (!pauses_) return;
    using Time = std::chrono::steady_clock;
    const Time::time_point start = Time::now();
    before_pause();
    std::size_t shown = read_.size() - 1;  // further back after b
    while (true) {
        const Screen screen = screen_.now();
        const char key = wait_for_key(screen.paint(keys(screen), Ink::faint),
                                      [&] { return screen_.now().width != screen.width; });
        if (key == event_key) continue;  // the keys again, for the window as it is now
        if (key == 'c' && !here_.code.empty()) {
            print_now(code_lines(here_.code, screen) + "\n");
            continue;
        }
        if (key == 'b') {
            if (shown > 0) --shown;
            print_now(read_[shown]);
            continue;
        }
        if (key == 'q') kill(0, SIGINT);  // as Ctrl-C does: a run says what is saved, a build stops
        if (key == 'a' || key == 0) pauses_ = false;
        if (key == 's') skip();
        if (shown + 1 >= read_.size() || key == 'a' || key == 0 || key == 's') break;
        print_now(read_[++shown]);  // forward again
    }
    if (!read_.back().empty()) read_.emplace_back();
    after_pause();
    seconds_waiting_ += std::chrono::duration<double>(Time::now() - start).count();
}

void Telling::skip() {
    skipped_ = here_.section;
    announced_ = nullptr;
    const std::string text =
        skipped_.empty() ? "The rest of the introduction is skipped; report.html has it."
                         : "The rest of the text of this part is skipped; report.html has it.";
    const Screen screen = screen_.now();
    print_now(wrap(screen.paint(text, Ink::faint), screen.measure()) + "\n");
}

std::string title_lines(LessonNumber number, const std::string& title, const Screen& screen) {
    return wrap(screen.paint(fmt::format("{}. {}", number.titled(), title), Ink::strong),
                screen.measure());
}

int minutes_to_read(int words) {
    constexpr int words_a_minute = 80;  // with formulas, tables and figures, and a pencil at hand
    return std::max(1, (words + words_a_minute / 2) / words_a_minute);
}

}  // namespace heed::course
