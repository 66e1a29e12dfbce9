#include "lessons/course/report/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/records.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

fs::path home() { return home_folder(); }

}  // namespace

void write_file(const std::string& path, const std::string& bytes) {
    const std::string target = file_to_write(path);
    const std::string temporary = fmt::format("{}.{}.part", target, getpid());
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file || std::rename(temporary.c_str(), target.c_str()) != 0) {
        const std::string reason = reason_of_system(errno);
        std::remove(temporary.c_str());
        fail("{}: cannot be written: {}", path, reason);
    }
}

void check_folder(const std::string& path) {
    std::error_code error;
    fs::path folder = fs::absolute(path, error);
    check(!error, "the folder in which you stand is there no longer: go to another one with cd");
    const auto refuse = [&](int reason) {
        fail("{}: cannot be made: {}", path, reason_of_system(reason));
    };
    std::vector<fs::path> missing;
    while (!fs::exists(folder, error) && folder.has_relative_path()) {
        if (error) refuse(error.value());
        missing.push_back(folder);
        folder = folder.parent_path();
    }
    check(fs::is_directory(folder, error), "{}: expected a folder, found a file", folder.c_str());
    if (access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot be written to: {}", folder.string(), reason_of_system(errno));
    // Whether a folder can be made is known only when it has been made.
    std::vector<fs::path> made;
    std::error_code problem, ignored;
    while (!missing.empty() && !problem) {
        if (fs::create_directory(missing.back(), problem)) made.push_back(missing.back());
        if (!problem) missing.pop_back();
    }
    for (; !made.empty(); made.pop_back()) fs::remove(made.back(), ignored);
    if (problem.value() == ENOENT)  // although the folder around it is there
        fail("{}: cannot be made: the system lets nobody make a folder in {}", path,
             missing.back().parent_path().string());
    if (problem) refuse(problem.value());
}

void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (!fs::is_directory(path))
        fail("{}: cannot be made: {}", path, reason_of_system(error.value()));
}

int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : ENOSPC;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

std::string append_record(const std::string& name, const std::string& line) {
    if (home().empty()) return "";
    std::error_code error;
    if (!fs::is_directory(home(), error))
        return fmt::format("HEED_HOME={}: there is no such folder; this is not in your records",
                           home().string());
    fs::create_directories(home() / ".heed", error);
    const std::string path = home() / ".heed" / name;
    const auto problem = [&](const std::string& reason) {
        return fmt::format("{}: cannot be written: {}; this is not in your records", path, reason);
    };
    if (error) return problem(reason_of_system(error.value()));
    if (const std::string kind = kind_of_file(path); kind != "a file" && kind != "nothing")
        return problem("expected a file, found " + kind);

    // After a line that was cut off, because a disk was full, the next one begins anew.
    std::string bytes = line + "\n";
    std::ifstream before(path, std::ios::binary | std::ios::ate);
    if (before && before.tellg() > 0) {
        before.seekg(-1, std::ios::end);
        if (before.get() != '\n') bytes.insert(0, "\n");
    }
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return problem(reason_of_system(errno));
    const int reason = write_all(file, bytes);
    const bool closed = close(file) == 0;
    if (reason == 0 && closed) return "";
    return problem(reason_of_system(reason == 0 ? errno : reason));
}

std::string usual_out(LessonNumber number, const std::string& name) {
    const std::string here = fmt::format("out/{}_{}", number.file(), name);
    std::error_code ignored;
    if (home().empty() || access(home().c_str(), W_OK) != 0 ||
        fs::equivalent(home(), fs::current_path(ignored), ignored))
        return here;
    return (home() / here).string();
}

std::string lesson_folder(LessonNumber number) {
    if (home().empty()) return "";
    const std::string prefix = number.file() + "_";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(home() / "lessons", error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && entry.is_directory(error)) return name;
    }
    return "";
}

std::string experiment_after(LessonNumber number) {
    std::error_code none;
    if (home().empty() || !fs::exists(home() / "lessons/course.toml", none)) return "";
    for (const CoursePart& part : course_parts(home())) {
        if (part.lessons.empty() || part.lessons.back().number() != number) continue;
        for (const auto& entry : fs::directory_iterator(home() / "lessons/experiments", none)) {
            std::ifstream file(entry.path());
            const std::string stem = entry.path().stem().string();
            for (std::string line; std::getline(file, line) && line.starts_with("//!");)
                if (line == "//! Part: " + part.title) return stem.substr(stem.find('_') + 1);
        }
    }
    return "";
}

std::vector<ListedLesson> next_after(LessonNumber number) {
    std::error_code none;
    if (home().empty() || !fs::exists(home() / "lessons/course.toml", none)) return {};
    std::vector<ListedLesson> all = course_lessons(home());
    if (const ListedLesson* next = lesson_after(all, number)) return {*next};

    // Those after this one come before the others.
    const auto here = std::find_if(all.begin(), all.end(), [&](const ListedLesson& lesson) {
        return lesson.number() == number;
    });
    std::vector<ListedLesson> order(here, all.end());
    order.insert(order.end(), all.begin(), here);
    std::map<std::string, Passed> passed;
    try {
        passed = passed_lessons(home_folder());
    } catch (const InputError&) {  // the run has said that its line cannot be written there
    }
    const auto is_open = [&](const ListedLesson& lesson, bool workshop) {
        const auto run = passed.find(lesson.name());
        return lesson.number() != number && lesson.number().workshop == workshop &&
               (run == passed.end() || !run->second.full);
    };
    std::vector<ListedLesson> next;
    for (const bool workshop : {false, true}) {
        const std::vector<ListedLesson>& from = workshop ? order : all;
        const auto found = std::find_if(from.begin(), from.end(), [&](const ListedLesson& lesson) {
            return is_open(lesson, workshop);
        });
        if (found != from.end()) next.push_back(*found);
    }
    return next;
}

int exercises_of(LessonNumber number) {
    const std::string lesson = lesson_folder(number);
    if (lesson.empty()) return 0;
    std::error_code error;
    int count = 0;
    for (const auto& entry :
         fs::directory_iterator(home() / "lessons" / lesson / "exercises", error))
        count += entry.is_directory(error);
    return count;
}

int expected_seconds(LessonNumber number) {
    if (home().empty() || !fs::exists(home() / "lessons/course.toml")) return 0;
    for (const ListedLesson& lesson : course_lessons(home()))
        if (lesson.number() == number) return lesson.seconds;
    return 0;
}

std::string expected_time(LessonNumber number) {
    const int seconds = expected_seconds(number);
    return seconds > 0 ? about(seconds) : "";
}

std::string words_of(const std::exception& error) {
    const auto* about_file = dynamic_cast<const fs::filesystem_error*>(&error);
    const auto* of_system = dynamic_cast<const std::system_error*>(&error);
    if (of_system && std::string_view(error.what()).starts_with("cannot write to file"))  // fmt
        return "the output cannot be written: " + reason_of_system(of_system->code().value());
    if (about_file == nullptr)
        return std::string_view(error.what()).starts_with("std::bad_alloc") ? "out of memory"
                                                                            : error.what();
    const int reason = about_file->code().value();
    const fs::path& path = about_file->path1();
    if (path.empty() && reason == ENOENT)
        return "the folder in which you stand is there no longer: go to another one with cd";
    std::string text = path.string() + ": " + reason_of_system(reason);
    if (reason == ENOTDIR)
        text = fmt::format("{}: expected a folder, found {}", path.string(), kind_of_file(path));
    if (reason == EEXIST)
        text = fmt::format("{}: expected nothing or a folder, found {}", path.string(),
                           kind_of_file(path));
    if (reason == EACCES || reason == EPERM)
        text += fmt::format("; ls -ld {} says who has it", shell_word(path.parent_path().string()));
    return text;
}

std::string commit() {
    const char* home = std::getenv("HEED_HOME");
    if (!home) return "";
    const std::string command =
        fmt::format("git -C {} rev-parse --short HEAD 2>/dev/null", shell_word(home));
    char text[64] = "";
    if (FILE* git = popen(command.c_str(), "r")) {
        if (std::fgets(text, sizeof text, git)) text[std::strcspn(text, "\n")] = 0;
        pclose(git);
    }
    return text;
}

void check_output() {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
    std::clearerr(stdout);  // the reason of an earlier failure is gone: it fails once more
    errno = 0;
    std::fputc('\n', stdout), std::fflush(stdout);
    fail("the output cannot be written: {}", reason_of_system(errno != 0 ? errno : EIO));
}

std::string field(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace heed::course
