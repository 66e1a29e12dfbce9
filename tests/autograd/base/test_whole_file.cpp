// What stands at the name of a file that is to be written: links, devices, pipes, folders, sockets.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/files.h"
#include "autograd/base/whole_file.h"
#include "lessons/course/report/files.h"
#include "nn/nn.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
namespace fs = std::filesystem;

namespace {

using Writer = std::function<void(const std::string& path)>;

// Everything in the libraries that writes a file; test_house.cpp finds those that do not ask.
std::vector<std::pair<std::string, Writer>> all_writers() {
    static Rng rng(1);
    static const Linear model(2, 3, rng);
    static const Adam optimiser(parameters(model), {});
    static AverageOfWeights average(parameters(model));
    if (average.updates() == 0) average.update();
    return {{"save_safetensors",
             [](auto& path) {
                 save_safetensors(path, {{{"x", ones({2})}}, {}});
             }},
            {"save_model", [](auto& path) { save_model(model, path); }},
            {"save_state", [](auto& path) { save_state(path, NamedState()); }},
            {"Optimiser::save", [](auto& path) { optimiser.save(path); }},
            {"AverageOfWeights::save", [](auto& path) { average.save(path); }},
            {"Vocabulary::save", [](auto& path) { Vocabulary(TokenLevel::word).save(path); }},
            {"write_whole_file", [](auto& path) { write_whole_file(path, "bytes"); }},
            {"course::write_file", [](auto& path) { course::write_file(path, "bytes"); }}};
}

// What cannot be written to, with the word for it.
std::vector<std::pair<std::string, std::string>> no_files(const Scratch& scratch) {
    std::vector<std::pair<std::string, std::string>> all;
    const auto add = [&](const std::string& name, const std::string& kind) {
        all.emplace_back(scratch.path + "/" + name, kind);
        fs::create_symlink(name, scratch.path + "/link_to_" + name);
        all.emplace_back(scratch.path + "/link_to_" + name, kind);
        return scratch.path + "/" + name;
    };
    REQUIRE(mkfifo(add("pipe", "a pipe").c_str(), 0600) == 0);
    REQUIRE(fs::create_directory(add("folder", "a folder")));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = add("socket", "a socket");
    REQUIRE(name.size() < sizeof address.sun_path);
    name.copy(address.sun_path, name.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(socket);
    // Devices of its own, the same as /dev/null, need rights that not everybody has; without them
    // those of /dev cannot be replaced either.
    const std::string device = scratch.path + "/device";
    if (mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0)
        add("device", "a device");
    else if (geteuid() != 0)
        all.emplace_back("/dev/null", "a device");
    return all;
}

struct stat state_of(const std::string& path) {
    struct stat state {};
    REQUIRE(lstat(path.c_str(), &state) == 0);
    return state;
}

std::string bytes_of(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("no writer replaces a device, a pipe or a folder", "[data][errors]") {
    const Scratch scratch;
    for (const auto& [path, kind] : no_files(scratch))
        for (const auto& [name, write] : all_writers()) {
            INFO(name << " to " << path);
            const struct stat before = state_of(path);
            CHECK(error_of([&] { write(path); }) ==
                  path + ": cannot be written: expected a file or nothing, found " + kind);
            CHECK(state_of(path).st_ino == before.st_ino);
            CHECK(state_of(path).st_mode == before.st_mode);
            CHECK_FALSE(fs::exists(path + ".tmp"));
        }
}

TEST_CASE("every writer writes through links", "[data]") {
    for (const auto& [name, write] : all_writers()) {
        INFO(name);
        const Scratch scratch;
        const auto path = [&](const std::string& file) { return scratch.path + "/" + file; };
        fs::create_directory(path("models"));
        write(path("plain"));
        const std::string expected = bytes_of(path("plain"));

        // link -> second (relative, in another folder) -> file; nowhere -> a file that is not there yet.
        std::ofstream(path("models/file")) << "old";
        fs::create_symlink("file", path("models/second"));
        fs::create_symlink("models/second", path("link"));
        fs::create_symlink(path("models/new"), path("nowhere"));
        write(path("link")), write(path("nowhere"));
        for (const char* link : {"link", "models/second", "nowhere"})
            CHECK(fs::is_symlink(path(link)));
        for (const char* file : {"models/file", "models/new"}) {
            CHECK_FALSE(fs::is_symlink(path(file)));
            CHECK(bytes_of(path(file)) == expected);
        }

        fs::create_symlink("b", path("a")), fs::create_symlink("a", path("b"));
        CHECK(error_of([&] { write(path("a")); }) ==
              path("a") + ": cannot be written: its links lead in a circle");
        CHECK(fs::is_symlink(path("a")));
    }
}

TEST_CASE("an unfinished file that is a link or a pipe is not followed", "[data][errors]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/x", other = scratch.file("other", "mine");
    fs::create_symlink(other, path + ".tmp");
    CHECK(error_of([&] {
              write_whole_file(path, "bytes");
          }).starts_with(path + ": cannot be written"));
    CHECK(bytes_of(other) == "mine");
    fs::remove(path + ".tmp");
    REQUIRE(mkfifo((path + ".tmp").c_str(), 0600) == 0);
    CHECK(error_of([&] {
              write_whole_file(path, "bytes");
          }).starts_with(path + ": cannot be written"));
}

TEST_CASE("a model is read from a file, and nothing waits for a pipe", "[data][errors]") {
    const Scratch scratch;
    for (const auto& [path, kind] : no_files(scratch))
        CHECK(error_of([&] { load_safetensors(path); }) ==
              path + ": expected a file, found " + kind);
}

TEST_CASE("the reader's records leave alone what is no file", "[data][errors]") {
    const Scratch scratch;
    const WithHome home(scratch.path);
    fs::create_directory(scratch.path + "/.heed");
    const std::string path = scratch.path + "/.heed/progress.tsv";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(course::append_record("progress.tsv", "a line") ==
          path + ": cannot be written: expected a file, found a pipe; this is not in your records");
    CHECK(fs::is_fifo(path));
    fs::remove(path);
    fs::create_symlink("elsewhere", path);
    CHECK(course::append_record("progress.tsv", "a line") == "");
    CHECK(bytes_of(scratch.path + "/.heed/elsewhere") == "a line\n");
    CHECK(fs::is_symlink(path));
}
