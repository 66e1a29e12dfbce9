#include "autograd/base/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "autograd/base/error.h"

namespace heed {
namespace fs = std::filesystem;

const char* kind_of_file(const std::string& path) {
    std::error_code error;
    switch (fs::status(path, error).type()) {
        case fs::file_type::regular:
            return "a file";
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::block:
        case fs::file_type::character:
            return "a device";
        case fs::file_type::fifo:
            return "a pipe";
        case fs::file_type::socket:
            return "a socket";
        default:
            return "nothing";
    }
}

std::string file_to_write(const std::string& path) {
    const std::string_view kind = kind_of_file(path);
    check(kind == "a file" || kind == "nothing",
          "{}: cannot be written: expected a file or nothing, found {}", path, kind);
    std::error_code error;
    fs::path target = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        check(links < 40, "{}: cannot be written: its links lead in a circle", path);
        target = target.parent_path() / fs::read_symlink(target, error);
    }
    return target.string();
}

std::string reason_of_system(int error) {
    switch (error) {
        case ENOENT:
            return "there is no such file or folder";
        case EACCES:
        case EPERM:
            return "you have no permission";
        case ENOSPC:
        case EDQUOT:
            return "the disk is full";
        case EFBIG:
            return "it would be larger than a file may be (see ulimit -f)";
        case EROFS:
            return "the disk is read-only";
        case ENOTDIR:
            return "a part of its path is no folder";
        case EISDIR:
            return "a folder is there";
        case ENAMETOOLONG:
            return "its name is too long";
        case ELOOP:
            return "its links lead in a circle";
        case EBADF:
            return "it is closed";
        case EMFILE:
        case ENFILE:
            return "too many files are open";
        default:
            return std::strerror(error);
    }
}

}  // namespace heed
