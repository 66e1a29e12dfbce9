// The main function of all tests. It runs them as Catch2 does, and adds four things:
//
// * Each run has a temporary folder of its own, which is the current folder and that of all
//   temporary files while the tests run. So two runs at the same time never share a file.
// * A test that checks nothing fails, unless it says that it was skipped (tests/skipped.h).
// * HEED_SHARE=2/16 runs share 2 of the 16 shares, 0 to 15, of the tests that the command line selects:
//   ./heed test runs shares side by side.
// * The line "N passed, N failed, N skipped" is left in the file named by HEED_COUNTS, also when a
//   test crashes: Catch2 ends a run in good order on a signal.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using Listener = Catch::EventListenerBase;
#else
using Listener = Catch::TestEventListenerBase;
#endif

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/skipped.h"

#if defined(__SANITIZE_ADDRESS__)
// What other libraries lose: libsndfile never frees what libvorbis has allocated for an Ogg file that it
// refuses, and the tests of damaged files have many of them.
extern "C" const char* __lsan_default_suppressions() { return "leak:vorbis_info_init\n"; }
#endif

namespace {

namespace fs = std::filesystem;

std::string running;  // the name of the test
bool skips = false;   // whether it was skipped
int tests_skipped = 0, tests_without_checks = 0;

struct Counts : Listener {
    using Listener::Listener;

    void testRunStarting(const Catch::TestRunInfo&) override {
        before_ = fs::current_path();
        std::string name = (fs::temp_directory_path() / "heed_tests_XXXXXX").string();
        folder_ = mkdtemp(name.data());
        setenv("TMPDIR", folder_.c_str(), 1);
        fs::current_path(folder_);
    }

    void testCaseStarting(const Catch::TestCaseInfo& test) override {
        running = test.name;
        skips = false;
    }

    void testCaseEnded(const Catch::TestCaseStats& test) override {
        if (test.totals.assertions.failed > 0) return;
        if (skips) {
            ++tests_skipped;
        } else if (test.totals.assertions.total() == 0) {
            ++tests_without_checks;
            std::printf("\nFAILED: '%s' checked nothing\n", running.c_str());
        }
    }

    void testRunEnded(const Catch::TestRunStats& run) override {
        std::error_code ignored;
        fs::current_path(before_, ignored);
        fs::remove_all(folder_, ignored);
        const Catch::Counts& cases = run.totals.testCases;
        const auto passed = static_cast<int>(cases.passed + cases.failedButOk);
        if (const char* path = std::getenv("HEED_COUNTS"))
            std::ofstream(path) << passed - tests_skipped - tests_without_checks << " passed, "
                                << static_cast<int>(cases.failed) + tests_without_checks
                                << " failed, " << tests_skipped << " skipped\n";
    }

  private:
    fs::path before_, folder_;
};

CATCH_REGISTER_LISTENER(Counts)

}  // namespace

bool skipped(const std::string& reason) {
    skips = true;
    std::printf("skipped: %s: %s\n", running.c_str(), reason.c_str());
    return true;
}

namespace {

// The share that HEED_SHARE names, if it is set.
void take_share(Catch::Session& session) {
    const char* share = std::getenv("HEED_SHARE");
    unsigned index, count;
    if (!share || std::sscanf(share, "%u/%u", &index, &count) != 2) return;
    unsetenv("HEED_SHARE");  // it is not for programs that a test runs
#if __has_include(<catch2/catch_session.hpp>)
    session.configData().shardIndex = index;
    session.configData().shardCount = count;
    session.configData().allowZeroTests = true;  // few tests leave some shares without any
#else
    const Catch::Config& config = session.config();
    const auto tests = filterTests(Catch::getAllTestCasesSorted(config), config.testSpec(), config);
    Catch::ConfigData data = session.configData();
    data.testsOrTags.clear();
    for (std::size_t i = index; i < tests.size(); i += count) {
        std::string name = "\"";
        for (const char c : tests[i].name) {
            if (c == '\\' || c == '"' || c == ',') name += '\\';
            name += c;
        }
        data.testsOrTags.push_back(name + "\",");
    }
    if (data.testsOrTags.empty()) data.testsOrTags = {"no test"};  // or Catch2 would run all
    session.useConfigData(data);
#endif
}

}  // namespace

// 0 if all tests hold, 1 if one does not, 2 if the command line is wrong.
int main(int argc, char* argv[]) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what else is printed comes between lines
    Catch::Session session;
    if (session.applyCommandLine(argc, argv) != 0) return 2;
    take_share(session);
    return session.run() == 0 && tests_without_checks == 0 ? 0 : 1;
}
