#include "lessons/course/terminal/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "autograd/base/error.h"
#include "autograd/base/files.h"

namespace heed::course {

pid_t start(std::vector<std::string> words, const std::function<void()>& prepare) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(nullptr);  // or the child would print it again
    const pid_t child = fork();
    check(child >= 0, "{}: no process can be started", words[0]);
    if (child == 0) {
        prepare();
        execvp(argv[0], argv.data());
        _exit(127);
    }
    return child;
}

std::function<void()> writing_into(const std::string& file) {
    return [target = file_to_write(file)] {
        const int input = open("/dev/null", O_RDONLY),
                  output = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(input, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
    };
}

std::function<void()> reading(const std::string& text) {
    int ends[2];
    check(pipe(ends) == 0, "no pipe can be made");
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    const bool written =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(ends[1]);
    const std::shared_ptr<const int> input(new int(ends[0]), [](const int* end) {
        close(*end);
        delete end;
    });
    check(written, "a pipe takes no text");
    return [input] { dup2(*input, STDIN_FILENO); };
}

int wait_for(pid_t child, double limit) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    int status = 0;
    while (waitpid(child, &status, limit > 0 ? WNOHANG : 0) == 0) {
        if (std::chrono::duration<double>(Clock::now() - start).count() > limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void check_could_write(const std::string& log) {
    constexpr std::pair<std::string_view, int> ends[] = {{": File too large", EFBIG},
                                                         {"File size limit exceeded", EFBIG},
                                                         {"SIGXFSZ", EFBIG},
                                                         {": No space left on device", ENOSPC}};
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        for (const auto& [end, error] : ends)
            if (line.ends_with(end))
                fail("the compiler cannot write a file: {}", reason_of_system(error));
}

}  // namespace heed::course
