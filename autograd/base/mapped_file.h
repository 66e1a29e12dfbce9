// The bytes of a file in memory without reading it: the system fetches a page when somebody first looks
// at it, keeps it once for all programs, and takes it back when memory is short.
//
//     const std::shared_ptr<const MappedFile> file = MappedFile::open("model.gguf");
//     file->bytes();                                   // all of them, as long as `file` lives
//
// Written for weights: what is used as it stands in the file is never copied. If another program cuts
// the file short while it is mapped, looking behind its new end ends this program; the writers of heed
// never do that, they put a whole new file in the place of the old one (whole_file.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

class MappedFile {
  public:
    // Throws InputError, with the reason that the system gives, for what is missing or not a file.
    static std::shared_ptr<const MappedFile> open(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const { return {first_, size_}; }

  private:
    MappedFile(const char* first, std::size_t size) : first_(first), size_(size) {}

    const char* first_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace heed
