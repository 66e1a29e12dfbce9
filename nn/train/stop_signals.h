// Ctrl-C (SIGINT) and SIGTERM as a question that a loop asks: has the program been told to stop?
#pragma once

namespace heed {

// While an object of this class exists, the two signals do not end the program: the first one is
// only remembered. A second one ends the program at once, as if the class did not exist. A signal
// that the program ignores stays ignored. The destructor restores the handlers of before; a signal
// that nobody has taken by then is sent again, so that it is not lost.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // SIGINT or SIGTERM if one has arrived, otherwise 0.
    static int received();
    // The signal of received() is dealt with and is not sent again.
    static void taken();
};

}  // namespace heed
