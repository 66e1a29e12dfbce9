#include "autograd/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "autograd/base/files.h"
#include "autograd/base/input_file.h"

namespace heed {

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
    // A pipe or a device has no end to map.
    if (const std::string_view kind = kind_of_file(path); kind != "a file" && kind != "nothing")
        throw InputError(fmt::format("{}: expected a file, found {}", path, kind));
    const auto fail_with = [&](const char* what) {
        throw InputError(fmt::format("{}: cannot be {}: {}", path, what, reason_of_system(errno)));
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail_with("opened");
    const struct Close {
        int file;
        ~Close() { ::close(file); }
    } close{file};
    struct stat status = {};
    if (::fstat(file, &status) != 0) fail_with("read");
    const auto size = static_cast<std::size_t>(status.st_size);
    void* first = nullptr;  // nothing is mapped of an empty file
    if (size > 0) first = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (first == MAP_FAILED) fail_with("mapped into memory");
    return std::shared_ptr<const MappedFile>(new MappedFile(static_cast<const char*>(first), size));
}

MappedFile::~MappedFile() {
    if (size_ > 0) ::munmap(const_cast<char*>(first_), size_);
}

}  // namespace heed
