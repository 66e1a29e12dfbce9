// A file that is either the old one or the new one, at every moment: also when the program is
// killed, the disk is full, or the power fails.
//
//     WholeFile file("model.safetensors");
//     file.write(bytes, count);              // as often as needed
//     file.replace();
//
// Links are followed: the file that they lead to is the one that is written. What is neither a file
// nor nothing, as /dev/null, is refused (autograd/base/files.h).
//
// The bytes go to `path`.tmp beside the file. replace() flushes them to the disk, renames, and
// flushes the folder, so that the new name survives a power failure too. Without replace(), for
// example because of an exception, the temporary file is removed and the old one stays. A temporary
// file that a killed program has left is overwritten by the next write.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed {

class WholeFile {
  public:
    explicit WholeFile(std::string path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    // All three throw heed::Error with the path and the reason that the system gives.
    void write(const void* bytes, std::size_t count);
    void replace();

  private:
    void flush();
    [[noreturn]] void fail_writing();

    std::string path_, target_, unfinished_, buffer_;
    int file_ = -1;
};

// All of a file at once.
void write_whole_file(const std::string& path, std::string_view bytes);

// Flushes the names in a folder to the disk. File systems that cannot do this are left alone.
void flush_folder(const std::string& folder);

}  // namespace heed
