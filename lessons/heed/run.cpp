// ./heed run FILE.cpp [ARGS]: compiles the reader's file against the libraries, and runs it. The headers of
// heed are precompiled. Each file is written under a name of this process and renamed when it is complete.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/printable.h"
#include "lessons/course/terminal/process.h"
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

// Whether the linker has said this line: "/usr/bin/ld: ...", "ld.lld: ...", "mold: ...".
bool is_of_linker(const std::string& line) {
    const std::string program = fs::path(line.substr(0, line.find(": "))).filename().string();
    return program == "ld" || program.ends_with("-ld") || program.starts_with("ld.") ||
           program == "mold";
}

// What the compiler has said, in our words where the linker has missed something that the file should have.
std::string in_our_words(const std::string& source, const std::string& log) {
    std::istringstream lines(log);
    std::string before;  // the compiler's own messages
    Words names;
    bool linker = false;
    for (std::string line; std::getline(lines, line);) {
        linker = linker || is_of_linker(line);
        if (!linker) before += line + "\n";
        for (const std::string mark : {"undefined reference to ", "undefined symbol: "}) {
            const std::size_t at = line.find(mark);
            if (!linker || at == std::string::npos) continue;
            std::string name = line.substr(at + mark.size());
            if (mark.ends_with("to ") && name.size() > 2) name = name.substr(1, name.size() - 2);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    if (names.empty()) return log;
    const bool no_main = std::find(names.begin(), names.end(), "main") != names.end();
    return before + "heed: " +
           escaped(fmt::format("{}: expected a definition of {}, found none; {}", source,
                               no_main ? "main()" : fmt::format("{}", fmt::join(names, ", ")),
                               no_main ? "a program begins there: int main() { ... }"
                                       : "write it, or leave out what calls it")) +
           "\n";
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
    words.insert(
        words.end(),
        {"-MMD", "-MT", "heed", "-MF", list, "-include", place.build() + "/run/heed.h", "-include",
         place.build() + "/run/assert.h", "-include", place.root + "/lessons/heed/uncaught.h", "-x",
         "c++", source.starts_with('-') ? "./" + source : source, "-x", "none", "-o", part,
         "@" + place.build() + "/run/link.rsp"});
    const int status = run_program(words);
    status_line("");
    const std::string said = text_of(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (status == 0) {
        fs::rename(list, file_to_write(program + ".d"));
        fs::rename(part, file_to_write(program));
    }
    fs::remove(list, ignored);
    fs::remove(part, ignored);
    if (status != 0) check_could_write(said);
    fmt::print(stderr, "{}", status == 0 ? said : in_our_words(source, said));
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
    check(text_of(source).find('\0') == std::string::npos,
          "{}: expected C++ source, found a file that is no text: it contains bytes that are 0",
          source);
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
