// A lesson for tests, running it, and capturing its output.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/input_file.h"
#include "lessons/course/course.h"

// Redirects standard output and standard error into files until it is destroyed or read.
class Captured {
  public:
    explicit Captured(const std::string& folder)
        : out_(folder + "/stdout"), err_(folder + "/stderr") {
        redirect(STDOUT_FILENO, out_, stdout_before_);
        redirect(STDERR_FILENO, err_, stderr_before_);
    }
    ~Captured() { end(); }

    std::string out() { return end(), heed::read_file(out_); }
    std::string err() { return end(), heed::read_file(err_); }

  private:
    static void redirect(int stream, const std::string& path, int& before) {
        std::fflush(nullptr);
        before = dup(stream);
        const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, stream);
        close(file);
    }
    void end() {
        std::fflush(nullptr);
        for (auto [stream, before] : {std::pair(STDOUT_FILENO, &stdout_before_),
                                      std::pair(STDERR_FILENO, &stderr_before_)}) {
            if (*before < 0) continue;
            dup2(*before, stream);
            close(*before);
            *before = -1;
        }
    }

    std::string out_, err_;
    int stdout_before_ = -1, stderr_before_ = -1;
};

inline heed::course::About about() {
    return {.number = 98,
            .name = "trial",
            .title = "A <trial> & more",
            .question = "Does *it* work?",
            .data = "pairs of source<TAB>target",
            .own_data = "three numbers",
            .saves_model = true};
}

inline int run(heed::course::Lesson& lesson, std::vector<std::string> words,
               const std::function<void()>& body) {
    words.insert(words.begin(), "lesson_98");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    return lesson.run(static_cast<int>(words.size()), argv.data(), body);
}
