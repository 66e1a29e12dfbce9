// heed for pages. In the browser, heed_answer() is called by the worker of a page
// (lessons/course/pages/live.js). As a native program it answers each line of its input by a
// line, so that the tests can compare the two.
#include <iostream>
#include <string>

#include "lessons/course/live/answer.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>

// The answer stays valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* heed_answer(const char* request) {
    static heed::course::Answers answers;
    static std::string answer;
    answer = answers.to(request);
    return answer.c_str();
}
#else
int main() {
    heed::course::Answers answers;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << answers.to(line) << std::endl;
}
#endif
