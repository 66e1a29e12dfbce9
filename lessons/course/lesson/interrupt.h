// Ctrl-C at any moment, also in the middle of a matrix product: the program says so and ends with
// status 130 (143 for a polite kill). Since results are written only when a run is over, and each
// file is renamed into its place, nothing is left half done.
#pragma once

namespace heed::course {

// While one of these lives, a signal ends the program as said above. Afterwards signals mean what
// they meant before.
class EndsWhenInterrupted {
  public:
    EndsWhenInterrupted();
    ~EndsWhenInterrupted();
    EndsWhenInterrupted(const EndsWhenInterrupted&) = delete;
    EndsWhenInterrupted& operator=(const EndsWhenInterrupted&) = delete;

    // From now on results are written: too late to stop.
    void finishing();

  private:
    void (*interrupt_before_)(int);
    void (*terminate_before_)(int);
};

}  // namespace heed::course
