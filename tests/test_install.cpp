// `cmake --install`, then the small project in tests/install, which knows only find_package(heed);
// in it the programs of README.md, as they stand there.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

// Runs a command; when it fails, so does the test, and shows what the command said.
void must_run(const std::string& command) {
    const int status = std::system((command + " >install.log 2>&1").c_str());
    std::stringstream said;
    said << std::ifstream("install.log").rdbuf();
    INFO(command << "\n" << said.str().substr(0, 4000));
    REQUIRE(status == 0);
}

// The blocks ```cpp ... ``` of the README.
std::vector<std::string> readme_programs() {
    std::ifstream file(HEED_SOURCE_DIR "/README.md");
    std::vector<std::string> programs;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line == "```cpp") programs.emplace_back();
        if (inside && line != "```") programs.back() += line + "\n";
        inside = line == "```cpp" || (inside && line != "```");
    }
    return programs;
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

}  // namespace

TEST_CASE("a project outside builds against what was installed", "[install]") {
    const std::filesystem::path place = std::filesystem::current_path() / "install_test";
    std::filesystem::create_directories(place);
    const std::string cmake = quoted(HEED_CMAKE);
    std::string names;
    const std::vector<std::string> programs = readme_programs();
    REQUIRE(programs.size() == 2);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::string name = "readme_" + std::to_string(i + 1);
        std::ofstream(place / (name + ".cpp")) << programs[i];
        names += (i == 0 ? "" : ";") + name;
    }

    must_run(cmake + " --install " + quoted(HEED_BUILD_DIR) + " --prefix " +
             quoted(place / "heed"));
    must_run(cmake + " -S " + quoted(HEED_SOURCE_DIR "/tests/install") + " -B " +
             quoted(place / "build") + " -G '" HEED_GENERATOR "' -DCMAKE_BUILD_TYPE=Debug" +
             " -DCMAKE_CXX_COMPILER=" + quoted(HEED_CXX) +
             " -DCMAKE_EXE_LINKER_FLAGS='" HEED_LINK_OPTIONS "'" +
             " -DCMAKE_PREFIX_PATH=" + quoted(place / "heed") + " -DREADME_PROGRAMS='" + names +
             "' -DREADME_FOLDER=" + quoted(place));
    must_run(cmake + " --build " + quoted(place / "build"));
    must_run(quoted(place / "build" / "outside"));
    for (const char* name : {"readme_1", "readme_2"}) {
        must_run(quoted(place / "build" / name));
        std::stringstream said;
        said << std::ifstream("install.log").rdbuf();
        CHECK(said.str().find("pass order") != std::string::npos);  // its gradient check
    }
}
