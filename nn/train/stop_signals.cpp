#include "nn/train/stop_signals.h"

#include <signal.h>

namespace heed {
namespace {

constexpr int stopping[] = {SIGINT, SIGTERM};
constexpr int count = 2;

volatile sig_atomic_t arrived = 0;
volatile sig_atomic_t objects = 0;
struct sigaction before[count];

// Only what is allowed in a signal handler: flags, sigaction() and raise().
void remember(int number) {
    if (arrived != 0)
        for (int i = 0; i < count; ++i)
            if (stopping[i] == number) {
                sigaction(number, &before[i], nullptr);
                raise(number);
                return;
            }
    arrived = number;
}

}  // namespace

StopSignals::StopSignals() {
    objects = objects + 1;
    if (objects > 1) return;
    arrived = 0;
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < count; ++i) {
        sigaction(stopping[i], nullptr, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(stopping[i], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    objects = objects - 1;
    if (objects > 0) return;
    for (int i = 0; i < count; ++i) sigaction(stopping[i], &before[i], nullptr);
    const int left = arrived;
    arrived = 0;
    if (left != 0) raise(left);
}

int StopSignals::received() { return arrived; }
void StopSignals::taken() { arrived = 0; }

}  // namespace heed
