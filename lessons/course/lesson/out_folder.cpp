#include "lessons/course/lesson/out_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/lesson/interrupt.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// The folders of the path that are not there, the innermost first.
std::vector<std::string> missing(const std::string& path) {
    std::vector<std::string> all;
    std::error_code ignored;
    for (fs::path folder = fs::path(path); !folder.empty() && !fs::exists(folder, ignored);
         folder = folder.parent_path()) {
        if (folder.has_filename()) all.push_back(folder.string());
        if (folder == folder.parent_path()) break;
    }
    return all;
}

// Writes as much as a report needs at least, and removes it.
void try_to_write(const std::string& path) {
    const std::string file = file_to_write(fmt::format("{}/.{}.part", path, getpid()));
    const std::string bytes(1 << 16, '\n');
    const int trial = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int error = trial < 0 ? errno : 0;
    if (trial >= 0) {
        error = write_all(trial, bytes);
        if (close(trial) != 0 && error == 0) error = errno;
        unlink(file.c_str());
    }
    if (error != 0) fail("--out: {}: cannot be written to: {}", path, reason_of_system(error));
}

int locked(const std::string& path) {
    const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(folder);
        return -1;
    }
    return folder;
}

}  // namespace

std::string taken(const std::string& path) {
    return fmt::format(
        "{}: another run of this lesson is writing here; give this one a folder of its own with --out",
        path);
}

bool is_written_by_another_run(const std::string& path) {
    if (!fs::is_directory(path)) return false;
    const int folder = locked(path);
    if (folder >= 0) close(folder);
    return folder < 0;
}

OutFolder::OutFolder(const std::string& path) : made_(missing(path)) {
    check_folder(path);
    try {
        make_folder(path);
        lock_ = locked(path);
        if (lock_ < 0) fail("{}", taken(path));
        try_to_write(path);
    } catch (...) {
        for (const std::string& folder : made_) rmdir(folder.c_str());
        if (lock_ >= 0) close(lock_);
        throw;
    }
    EndOnInterrupt::remove_if_empty(made_);
    EndOnInterrupt::say_of_earlier_run(path + "/results.json");
}

OutFolder::~OutFolder() {
    EndOnInterrupt::remove_if_empty({});
    for (const std::string& folder : made_) rmdir(folder.c_str());  // fails unless it is empty
    if (lock_ >= 0) close(lock_);
}

}  // namespace heed::course
