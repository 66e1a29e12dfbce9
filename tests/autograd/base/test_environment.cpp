// Nonsense in the environment is named, for every variable that a program of heed reads.
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "autograd/base/environment.h"
#include "autograd/base/input_file.h"
#include "tests/catch.h"

using namespace heed;
namespace fs = std::filesystem;

namespace {

struct Kept {
    explicit Kept(const char* variable) : name(variable) {
        if (const char* value = std::getenv(variable)) before = value;
    }
    ~Kept() { before.empty() ? unsetenv(name) : setenv(name, before.c_str(), 1); }
    Kept(const Kept&) = delete;
    const char* name;
    std::string before{};
};

}  // namespace

TEST_CASE("environment: each variable with nonsense is named, once, and not used", "[errors]") {
    int refused = 0;
    for (const EnvironmentVariable& variable : environment_variables()) {
        const Kept kept(variable.name);
        setenv(variable.name, "/no\x1b/such thing", 1);
        const std::vector<std::string> said = refuse_in_environment();
        INFO(variable.name);
        if (*variable.expected == '\0') {
            CHECK(said.empty());
            continue;
        }
        ++refused;
        REQUIRE(said.size() == 1);
        CHECK(said[0] == std::string(variable.name) + "=/no\\x1B/such thing: expected " +
                             variable.expected + "; it is not used");
        CHECK(std::getenv(variable.name) == nullptr);
        CHECK(refuse_in_environment().empty());
        setenv(variable.name, "", 1);
        CHECK(refuse_in_environment().empty());
    }
    CHECK(refused >= 4);
}

TEST_CASE("environment: what has a meaning is left as it is", "[errors]") {
    for (const auto& [name, value] :
         {std::pair("OMP_NUM_THREADS", "4,2"), std::pair("HEED_MEMORY", "1"),
          std::pair("HEED_CHECK", "finite"), std::pair("HEED_HOME", "/")}) {
        const Kept kept(name);
        setenv(name, value, 1);
        INFO(name);
        CHECK(refuse_in_environment().empty());
        CHECK(std::string(std::getenv(name)) == value);
    }
}

// A variable that is read somewhere stands in the list, and each program looks at the list first.
TEST_CASE("environment: the list has all variables that programs read", "[house]") {
    std::set<std::string> known;
    for (const EnvironmentVariable& variable : environment_variables()) known.insert(variable.name);
    const std::regex reads("getenv\\(\"([A-Z_]+)\"\\)|setting\\(\"([A-Z_]+)\"\\)");
    int count = 0;
    for (const char* folder : {"autograd", "nn", "attention", "mpi", "lessons", "bench"}) {
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            const std::string source = read_file(entry.path().string());
            for (std::sregex_iterator match(source.begin(), source.end(), reads), none;
                 match != none; ++match) {
                INFO(entry.path().string() << ": " << match->str());
                CHECK(known.count((*match)[1].str() + (*match)[2].str()) == 1);
                ++count;
            }
        }
    }
    CHECK(count > 15);
    for (const char* program :
         {"lessons/heed/main.cpp", "lessons/book/main.cpp", "lessons/exercise/main.cpp",
          "lessons/chat/main.cpp", "lessons/course/lesson/lesson.cpp", "tests/gradcheck/main.cpp",
          "bench/main.cpp"}) {
        INFO(program);
        CHECK(read_file(std::string(HEED_SOURCE_DIR "/") + program).find("check_environment();") !=
              std::string::npos);
    }
}
