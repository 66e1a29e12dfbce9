// Building what a command needs. ./heed has configured the folder and built this program before; a file
// heed.ready there says for which tree and with which tools (cmake/run.cmake).
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace heed::course {

// The tree, and a folder of it that is configured.
struct Place {
    std::string root;    // $HEED_HOME
    std::string preset;  // $HEED_PRESET, or release
    std::string cmake, cxx;

    std::string build() const { return root + "/build/" + preset; }
    std::string program(const std::string& name) const { return build() + "/bin/" + name; }
};

// Throws heed::Error if the folder is not configured for this tree.
Place configured_place(const std::string& root, const std::string& preset);

// A build that goes on in the background. One process at a time builds in a folder; the others say what
// they wait for.
class Build {
  public:
    Build(const Place& place, std::vector<std::string> targets);
    ~Build();  // waits

    bool over() const { return over_; }
    std::string progress();  // "building [12/80] gemm.cpp"; empty before the first file

    // Waits, with the progress in a line that is overwritten. Shows what the compiler said; throws Failed
    // if something could not be built.
    void finish();

    struct Failed {};

  private:
    void run();
    void read_output(int descriptor);

    Place place_;
    std::vector<std::string> targets_;
    std::mutex mutex_;  // guards the next two
    std::string progress_;
    std::string log_;  // the messages of the compiler
    std::atomic<bool> over_ = false;
    bool failed_ = false;
    std::thread thread_;
};

// Builds and waits. In a folder that cannot be written to, the first target's program is used as it
// is; throws heed::Error if it is not there.
void build(const Place& place, const std::vector<std::string>& targets);

// Holds the lock of a build folder; says once what it waits for.
class Locked {
  public:
    Locked(const Place& place, const std::string& doing);
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    int file_;
};

// "heed: text" on standard error, which fits the window there.
void say(const std::string& text);

// The line of standard error that is overwritten by the next one, if it is a terminal that can.
void status_line(const std::string& text);

// What is in a file; empty if it cannot be read.
std::string text_of(const std::string& path);

// Runs a program and waits for it; its exit status, 128 + n after signal n.
int run_program(const std::vector<std::string>& words);

// Becomes the program.
[[noreturn]] void become(const std::vector<std::string>& words);

}  // namespace heed::course
