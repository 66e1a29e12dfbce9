// ./heed run FILE.cpp [ARGS]: compiles the reader's file against the libraries, and runs it. The headers of
// heed are precompiled. Each file is written under a name of this process and renamed when it is complete.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// The files that a program was made of, as the compiler has listed them: "heed: a.cpp b.h \", with blanks
// in names written "\ ".
Words dependencies(const std::string& list) {
    Words files{""};
    const std::string text = text_of(list);
    for (std::size_t i = std::min(text.find(':') + 1, text.size()); i < text.size(); ++i) {
        const bool escapes = text[i] == '\\' && i + 1 < text.size();
        if (escapes && text[i + 1] == ' ')
            files.back() += text[++i];
        else if (text[i] == ' ' || text[i] == '\n' || escapes)
            files.emplace_back();
        else
            files.back() += text[i];
    }
    std::erase(files, "");
    return files;
}

// Whether the file, a header it includes or a library is newer than the program.
bool is_stale(const Place& place, const std::string& program) {
    std::error_code error;
    const auto made = fs::last_write_time(program, error);
    if (error || !fs::exists(program + ".d")) return true;
    Words files = dependencies(program + ".d");
    files.insert(files.end(),
                 {place.build() + "/run/compile.rsp", place.build() + "/run/heed.h.gch"});
    for (const auto& entry : fs::directory_iterator(place.build()))
        if (entry.path().extension() == ".a") files.push_back(entry.path());
    for (const std::string& file : files) {
        const auto time = fs::last_write_time(file, error);
        if (error || time > made) return true;
    }
    return false;
}

// Runs the compiler in the build folder's terms; its messages are shown.
bool compile(const Place& place, const std::string& source, const std::string& program) {
    const Locked locked(place, "compiling " + source);
    if (!is_stale(place, program)) return true;
    status_line("compiling " + source);
    const std::string part = fmt::format("{}.{}", program, getpid()), log = part + ".log",
                      list = part + ".d";
    Words words{"sh", "-c",      "log=$1; shift; exec \"$@\" 2>\"$log\"", "sh",
                log,  place.cxx, "@" + place.build() + "/run/compile.rsp"};
    if (isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"))
        words.push_back("-fdiagnostics-color=always");
    words.insert(words.end(),
                 {"-MMD", "-MT", "heed", "-MF", list, "-include", place.build() + "/run/heed.h",
                  "-include", place.build() + "/run/assert.h", "-x", "c++",
                  source.starts_with('-') ? "./" + source : source, "-x", "none", "-o", part,
                  "@" + place.build() + "/run/link.rsp"});
    const int status = run_program(words);
    status_line("");
    fmt::print(stderr, "{}", text_of(log));
    std::error_code ignored;
    fs::remove(log, ignored);
    if (status == 0) {
        fs::rename(list, file_to_write(program + ".d"));
        fs::rename(part, file_to_write(program));
    }
    fs::remove(list, ignored);
    fs::remove(part, ignored);
    return status == 0;
}

}  // namespace

int run(const Place& place, const Words& words) {
    check(!words.empty(), "run needs a file: ./heed run FILE.cpp [ARGS]");
    const std::string& source = words[0];
    if (source == "--help" || source == "-h") {
        fmt::print(
            "./heed run FILE.cpp [ARGS]\nCompiles your file against the three libraries and runs it.\n");
        return 0;
    }
    const std::string_view kind = kind_of_file(source);
    check(kind != "nothing", "there is no file {}", source);
    check(kind == "a file", "{}: expected a file, found {}", source, kind);
    const std::string folder = place.build() + "/run";
    if (access(place.build().c_str(), W_OK) == 0) build(place, {"heed_run"});
    check(access(folder.c_str(), W_OK) == 0,
          "cannot write to {}, where ./heed run puts its programs", folder);
    const std::size_t key = std::hash<std::string>()(fs::absolute(source).string());
    const std::string program =
        fmt::format("{}/{}-{:x}", folder, fs::path(source).stem().string(), key);
    if (!compile(place, source, program)) return 1;
    Words rest(words.begin(), words.end());
    rest[0] = program;
    become(rest);
}

}  // namespace heed::course
