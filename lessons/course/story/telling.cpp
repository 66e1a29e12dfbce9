#include "lessons/course/story/telling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

void Telling::show(const Passage& passage) {
    if (since_pause_) pause(passage, "the next part");
    int lines = 0;  // since the last pause
    const auto print = [&](const std::string& block) {
        const int height = static_cast<int>(std::count(block.begin(), block.end(), '\n')) + 1;
        if (lines > 0 && lines + height > screen_.height - 2) {
            pause(passage, "more");
            lines = 0;
        }
        lines += height;
        print_now(block + "\n");
        since_pause_ = true;
    };
    if (passage.first) print(wrap(screen_.paint(passage.section, Ink::strong), screen_.measure()));
    for (const std::string& block : prose_blocks(passage.text, screen_)) print(block);
    if (!passage.closing) pause(passage, "go on");
}

void Telling::pause(const Passage& passage, const char* what) {
    if (!pauses_) return;
    using Time = std::chrono::steady_clock;
    const Time::time_point start = Time::now();
    before_pause();
    while (true) {
        std::string keys = fmt::format("any key: {}", what);
        if (!passage.code.empty()) keys += "   c: the code";
        keys += "   a: all, without waiting";
        const char key = wait_for_key(screen_.paint(shorten(keys, screen_.width - 1), Ink::faint));
        if (key == 'c' && !passage.code.empty()) {
            print_now(code_lines(passage.code, screen_) + "\n");
            continue;
        }
        if (key == 'a' || key == 0) pauses_ = false;
        break;
    }
    since_pause_ = false;
    after_pause();
    seconds_waiting_ += std::chrono::duration<double>(Time::now() - start).count();
}

std::string title_lines(int number, const std::string& title, const Screen& screen) {
    return wrap(screen.paint(fmt::format("Lesson {}. {}", number, title), Ink::strong),
                screen.measure());
}

}  // namespace heed::course
