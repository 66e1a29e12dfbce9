// ./heed book [N]: writes the course, or lesson N, as pages for a browser.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "autograd/base/error.h"
#include "lessons/course/book/book.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace {

constexpr const char* usage =
    "./heed book [N] [--out DIR] [--no-run] [--no-web]\n"
    "Writes the course as pages for a browser, or lesson N only; to out/book, or to DIR.\n"
    "The figures are those of your runs. Lessons that you have not run are then run in quick "
    "mode,\n"
    "once, unless --no-run is given. heed is compiled for browsers, so that you can change "
    "figures\n"
    "there, unless --no-web is given. The pages are then written again.\n";

}  // namespace

int main(int argc, char** argv) {
    using namespace heed::course;
    try {
        BookFolders folders;
        const char* home = std::getenv("HEED_HOME");
        folders.root = home && *home ? home : HEED_ROOT;
        int lesson = 0;
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (word == "--out" && i + 1 < argc)
                folders.out = argv[++i];
            else if (word == "--help" || word == "-h")
                return fmt::print("{}", fitted(usage, screen_of_stdout().limit())), 0;
            else
                lesson = static_cast<int>(parse_whole("book", word, 1, 99));
        }
        const auto pages = write_book(folders, lesson);
        fmt::print("{} page{}; open {}/{} in a browser\n", pages.size(),
                   pages.size() == 1 ? "" : "s", folders.out, pages.back());
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "heed: {}\n", error.what());
        return 2;
    }
}
