#include "autograd/base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "autograd/base/error.h"
#include "autograd/base/files.h"

namespace heed {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

// On macOS, fsync() only hands the bytes to the drive; F_FULLFSYNC waits until they are written.
bool flush_to_disk(int file) {
#ifdef F_FULLFSYNC
    if (fcntl(file, F_FULLFSYNC) == 0) return true;
#endif
    while (fsync(file) != 0)
        if (errno != EINTR) return false;
    return true;
}

}  // namespace

void flush_folder(const std::string& folder) {
    const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    flush_to_disk(opened);
    close(opened);
}

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)), target_(file_to_write(path_)), unfinished_(target_ + ".tmp") {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    file_ = open(unfinished_.c_str(), flags, 0666);
    if (file_ < 0) fail("{}: cannot be written: {}", path_, reason_of_system(errno));
    buffer_.reserve(buffer_size);
}

WholeFile::~WholeFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(unfinished_.c_str());
}

void WholeFile::fail_writing() {
    fail("{}: cannot be written: {}; the file of before is unchanged", path_,
         reason_of_system(errno));
}

void WholeFile::write(const void* bytes, std::size_t count) {
    const char* next = static_cast<const char*>(bytes);
    while (count > 0) {
        const std::size_t some = std::min(count, buffer_size - buffer_.size());
        buffer_.append(next, some);
        next += some, count -= some;
        if (buffer_.size() == buffer_size) flush();
    }
}

// write() may take a part of the bytes, when the disk is nearly full or a signal arrives.
void WholeFile::flush() {
    const char* next = buffer_.data();
    for (std::size_t left = buffer_.size(); left > 0;) {
        const ssize_t written = ::write(file_, next, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_writing();
        next += written, left -= static_cast<std::size_t>(written);
    }
    buffer_.clear();
}

void WholeFile::replace() {
    flush();
    if (!flush_to_disk(file_)) fail_writing();
    if (std::rename(unfinished_.c_str(), target_.c_str()) != 0) fail_writing();
    close(std::exchange(file_, -1));
    flush_folder(std::filesystem::path(target_).parent_path().string());
}

void write_whole_file(const std::string& path, std::string_view bytes) {
    WholeFile file(path);
    file.write(bytes.data(), bytes.size());
    file.replace();
}

}  // namespace heed
