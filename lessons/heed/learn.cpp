// ./heed learn [N]: lesson N, or the first one that is not done. While its program is built, the reader
// reads its introduction, which needs no engine.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/exercise/exercise.h"
#include "lessons/course/exercise/own_options.h"
#include "lessons/course/story/story.h"
#include "lessons/course/story/telling.h"
#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/heed/commands.h"
#include "lessons/heed/early.h"

namespace heed::course {
namespace {

bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The title and the introduction, for a reader at a terminal. Returns whether it was shown.
bool introduce(const Place& place, const ListedLesson& lesson, const Words& words) {
    const Screen screen = screen_of_stdout();
    if (!screen.live && !screen.asks) return false;
    // With other options the program may refuse something, and the reader should see that before the text.
    for (const std::string& word : words)
        if (word != "--quick" && word != "--no-predict") return false;
    const std::vector<Passage> passages =
        passages_of(source_of_lesson(lesson.number()), lesson.name());
    Story story(passages);
    print_now("\n" + title_lines(lesson.number(), lesson_title(place.root, lesson), screen));
    Telling telling(screen);
    telling.parts(titles_of(passages));
    for (const Passage& passage : story.introduction()) telling.show(passage);
    telling.leave();
    return true;
}

// What the reader wrote as exercises, at work: up to lesson {gradient_check} the tape, up to lesson {explanation} the
// translator, up to lesson {glimpses} the eye, then the GPT.
int own_program(const Place& place, const ListedLesson& lesson, Words words) {
    const LessonNumber number = lesson.number();
    check(
        !number.workshop && number.number >= 2 && number.number <= 23,
        "--mine is for lessons 2 to 23: it checks the tape that is made of your exercises (2, 3), "
        "trains your translator (4 to 13), your eye (14 to 16) or your GPT (17 to 23)");
    std::erase(words, "--mine");
    const std::string program = number.number < 4    ? "tape"
                                : number.number < 14 ? "translator"
                                : number.number < 17 ? "eyes"
                                                     : "gpt";
    with_values(usual_options(program), words);
    build(place, {"heed_exercise", "heed_run"});
    words.insert(words.begin(), {place.program("heed_exercise"), "--mine", program});
    become(words);
}

const ListedLesson* next_lesson(const std::string& root, const std::vector<ListedLesson>& all) {
    const auto passed = passed_lessons(root);
    for (const ListedLesson& lesson : all) {
        const auto run = passed.find(lesson.name());
        if (run == passed.end() || !run->second.full) return &lesson;
    }
    return nullptr;
}

}  // namespace

int learn(const Place& place, const Words& words) {
    const std::vector<ListedLesson> all = course_lessons(place.root);
    const bool negative = !words.empty() && words[0].size() > 1 && words[0][0] == '-' &&
                          std::isdigit(static_cast<unsigned char>(words[0][1]));
    const bool named = !words.empty() && (!words[0].starts_with('-') || negative);
    const ListedLesson* lesson = named ? find_lesson(all, words[0]) : next_lesson(place.root, all);
    if (named && !lesson && words[0].find('.') != std::string::npos) {
        const std::string id = words[0][0] == 'w' ? "W" + words[0].substr(1) : words[0];
        for (const Exercise& exercise : exercises(place.root))
            if (id == exercise.id() || "0" + id == exercise.id())
                fail("there is no lesson '{}', but an exercise: ./heed exercise {}", words[0], id);
    }
    if (named && !lesson && words[0].find('.') != std::string::npos)
        fail(
            "there is neither a lesson nor an exercise '{}'; ./heed lists all lessons, and ./heed "
            "exercise all exercises",
            words[0]);
    if (named && !lesson) {
        Words names;
        for (const ListedLesson& other : all) names.push_back(other.name());
        if (const std::string other = meant(words[0], names); !other.empty())
            fail("there is no lesson '{}'; did you mean {}?", words[0], other);
    }
    if (named && !lesson) fail("there is no lesson '{}'; ./heed lists all lessons", words[0]);
    if (!lesson) return say("all lessons are done; ./heed learn N runs one again"), 0;
    Words rest(words.begin() + (named ? 1 : 0), words.end());
    if (has(rest, "--mine")) return own_program(place, *lesson, rest);
    check_lesson(place, *lesson, rest);

    const std::string program = lesson->program();
    if (access(place.build().c_str(), W_OK) != 0) {
        build(place, {program});
    } else {
        Build building(place, {program});
        // Most builds have nothing to do: only a longer one is worth reading beside it.
        for (int i = 0; i < 100 && !building.over(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!building.over() && introduce(place, *lesson, rest)) setenv("HEED_TOLD", "1", 1);
        building.finish();
    }
    rest.insert(rest.begin(), place.program(program));
    become(rest);
}

}  // namespace heed::course
