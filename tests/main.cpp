// The main function of all tests. It runs them as Catch2 does, and leaves the line "N passed, N
// failed" in the file named by HEED_COUNTS, also when a test crashes: Catch2 ends a run in good
// order on a signal.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

#include <cstdlib>
#include <fstream>

namespace {

struct Counts : Listener {
    using Listener::Listener;

    void testRunEnded(const Catch::TestRunStats& run) override {
        if (const char* path = std::getenv("HEED_COUNTS")) {
            const Catch::Counts& cases = run.totals.testCases;
            std::ofstream(path) << cases.passed + cases.failedButOk << " passed, " << cases.failed
                                << " failed\n";
        }
    }
};

CATCH_REGISTER_LISTENER(Counts)

}  // namespace

int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
