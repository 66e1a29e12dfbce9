// Ctrl-C ends the program at any moment, also in the middle of a matrix product: it prints a
// message and exits with status 130 (143 for SIGTERM). Results are written only when a run is over,
// and each file is renamed when it is complete, so no incomplete file is left. While a model is
// trained, its training saves a checkpoint first (checkpoints.h).
#pragma once

#include <string>
#include <vector>

namespace heed::course {

// What a stopped run says. `command` goes on with it.
std::string stopped_text(const std::string& command);

// While an object of this class exists, a signal ends the program in this way. The destructor
// restores the signal handlers of before.
class EndOnInterrupt {
  public:
    EndOnInterrupt();
    ~EndOnInterrupt();
    EndOnInterrupt(const EndOnInterrupt&) = delete;
    EndOnInterrupt& operator=(const EndOnInterrupt&) = delete;

    // Ignores signals from now on, because results are being written.
    void ignore();
    // From now on a signal says that no results were written; before, there were none to be written.
    static void results_begin();
    // The message from now on, if that file exists at the end: what was saved, and how to go on.
    static void say_if_saved(const std::string& text, const std::string& path);
    // Says that earlier results are unchanged, if this file exists at the end and nothing was saved.
    static void say_of_earlier_run(const std::string& path);
    // Folders that a signal removes if they are empty, in this order.
    static void remove_if_empty(std::vector<std::string> folders);

  private:
    void (*interrupt_before_)(int);
    void (*terminate_before_)(int);
};

}  // namespace heed::course
