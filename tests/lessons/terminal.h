// Running a program in a pseudo-terminal with a given number of columns. Keys are typed when a
// given text has been printed.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "lessons/course/terminal/process.h"
#include "tests/skipped.h"

struct Typing {
    std::string after;       // wait until this is printed, after the last keys were typed
    std::string keys;        // "\x03" is Ctrl-C, "\x04" the end of input
    std::string or_after{};  // another text that does as well, if it is printed first
    int columns = 0;         // the window gets this width before the keys are typed
};

struct Window {
    int status = -1;   // 128 + n after signal n
    std::string text;  // the output, lines ended by \n
};

// Whether this system has no pseudo-terminals, as in a chroot without /dev/pts; the test is skipped
// then.
inline bool no_windows() {
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    const char* name = ours < 0 ? nullptr : ptsname(ours);
    const bool works = name && access(name, R_OK | W_OK) == 0;
    if (ours >= 0) close(ours);
    return !works && skipped("this system has no pseudo-terminals");
}

inline Window in_window(int columns, const std::vector<std::string>& words,
                        const std::vector<Typing>& typings = {}, int rows = 40) {
    // Several may run at the same time: ptsname() has one buffer for all, and a terminal that another program
    // has inherited would not end with its own.
    static std::mutex one_at_a_time;
    std::unique_lock lock(one_at_a_time);
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    Window window;
    if (ours < 0 || grantpt(ours) != 0 || unlockpt(ours) != 0) return window;
    fcntl(ours, F_SETFD, FD_CLOEXEC);
    const std::string name = ptsname(ours);
    const pid_t child = heed::course::start(words, [&] {
        setsid();
        const int theirs = open(name.c_str(), O_RDWR);  // it becomes the terminal of the session
        const winsize size{static_cast<unsigned short>(rows), static_cast<unsigned short>(columns),
                           0, 0};
        ioctl(theirs, TIOCSCTTY, 0);
        ioctl(theirs, TIOCSWINSZ, &size);
        for (int stream : {0, 1, 2}) dup2(theirs, stream);
        setenv("TERM", "xterm-256color", 1);
    });
    lock.unlock();

    std::size_t read_up_to = 0, typed = 0;
    pollfd waiting{ours, POLLIN, 0};
    char bytes[4096];
    while (true) {
        if (poll(&waiting, 1, 60'000) <= 0) {  // it waits for keys that are not typed
            kill(child, SIGKILL);
            break;
        }
        const ssize_t count = read(ours, bytes, sizeof bytes);
        if (count <= 0) break;  // the program has ended
        window.text.append(bytes, static_cast<std::size_t>(count));
        while (typed < typings.size()) {
            const Typing& next = typings[typed];
            std::size_t at = window.text.find(next.after, read_up_to), size = next.after.size();
            if (!next.or_after.empty())
                if (const std::size_t other = window.text.find(next.or_after, read_up_to);
                    other < at)
                    at = other, size = next.or_after.size();
            if (at == std::string::npos) break;
            read_up_to = at + size;
            if (next.columns > 0) {
                const winsize window_now{static_cast<unsigned short>(rows),
                                         static_cast<unsigned short>(next.columns), 0, 0};
                ioctl(ours, TIOCSWINSZ, &window_now);
            }
            const std::string& keys = typings[typed++].keys;
            if (write(ours, keys.data(), keys.size()) < 0) break;
        }
    }
    window.status = heed::course::wait_for(child);
    close(ours);
    std::string lines;
    for (const char letter : window.text)
        if (letter != '\r') lines += letter;
    window.text = lines;
    return window;
}

// The lines that a reader sees; a line that replaces another one counts as a separate line.
inline std::vector<std::string> lines_on_screen(std::string text) {
    for (std::size_t at; (at = text.find("\x1b[K")) != std::string::npos;)
        text.replace(at, 3, "\n");
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}
