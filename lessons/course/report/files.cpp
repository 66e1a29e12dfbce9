#include "lessons/course/report/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/contents/course_list.h"

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
        const std::string reason = std::strerror(errno);
        std::remove(temporary.c_str());
        fail("{}: cannot be written: {}", path, reason);
    }
}

void check_folder(const std::string& path) {
    fs::path folder = fs::absolute(path);
    while (!fs::exists(folder) && folder.has_parent_path() && folder != folder.parent_path())
        folder = folder.parent_path();
    check(fs::is_directory(folder), "{}: expected a folder, found a file", folder.c_str());
    if (access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot be written to: {}", folder.string(), std::strerror(errno));
}

void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (!fs::is_directory(path)) fail("{}: cannot be made: {}", path, error.message());
}

void append_record(const std::string& name, const std::string& line) {
    if (home().empty()) return;
    std::error_code error;
    fs::create_directories(home() / ".heed", error);
    if (error) return;
    const std::string path = home() / ".heed" / name;
    if (const std::string_view kind = kind_of_file(path); kind != "a file" && kind != "nothing")
        return;
    std::ofstream(path, std::ios::app | std::ios::binary) << line + "\n";
}

std::string lesson_folder(int number) {
    if (home().empty()) return "";
    const std::string prefix = fmt::format("{:02}_", number);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(home() / "lessons", error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && entry.is_directory(error)) return name;
    }
    return "";
}

int exercises_of(int number) {
    const std::string lesson = lesson_folder(number);
    if (lesson.empty()) return 0;
    std::error_code error;
    int count = 0;
    for (const auto& entry :
         fs::directory_iterator(home() / "lessons" / lesson / "exercises", error))
        count += entry.is_directory(error);
    return count;
}

std::string expected_time(int number) {
    if (!fs::exists(home() / "lessons/course.toml")) return "";
    for (const ListedLesson& lesson : course_lessons(home()))
        if (lesson.number() == number) return expected_time(lesson);
    return "";
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
