// ./heed book [N]: writes the course, or lesson N, as pages for a browser; --epub, --pdf: as one file.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "autograd/base/error.h"
#include "lessons/course/book/book.h"
#include "lessons/course/book/epub.h"
#include "lessons/course/lesson/options.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace {

constexpr const char* usage =
    "./heed book [N ...] [--out DIR] [--full] [--no-run] [--no-web]\n"
    "./heed book --epub | --pdf [--out DIR] [--full] [--no-run]\n"
    "Writes the course as pages for a browser, or some lessons only; to out/book, or to DIR.\n"
    "The figures are those of your runs. Lessons that you have not run are then run in quick "
    "mode,\n"
    "once, unless --no-run is given, and the pages are written again. --full runs them in full, which\n"
    "takes half an hour: then the figures show what the text tells. Last of all heed is compiled\n"
    "for browsers, so that you can change figures there, unless --no-web is given.\n"
    "--epub writes the lessons, exercises and glossary as heed.epub for an e-reader, --pdf as\n"
    "heed.pdf, for which Chromium is needed. Code that is folded on a page stays folded on paper.\n";

// Prints the page with Chromium or Chrome, whichever is there. Returns whether there is one.
bool print(const std::string& page, const std::string& pdf) {
    using namespace heed::course;
    const std::string log = pdf + ".log";
    for (const char* browser :
         {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}) {
        const int status = wait_for(
            start({browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                   "--print-to-pdf=" + pdf, "file://" + std::filesystem::absolute(page).string()},
                  writing_into(log)));
        if (status == 127) continue;  // it is not there
        heed::check(status == 0 && std::filesystem::exists(pdf),
                    "{} has ended with status {}; see {}", browser, status, log);
        std::filesystem::remove(log);
        return true;
    }
    std::filesystem::remove(log);
    return false;
}

// "11" or "W3"
heed::course::LessonNumber numbered(const std::string& word) {
    const auto number = heed::course::LessonNumber::from(word);
    if (word != number.typed() && word != number.padded() && word != number.file())
        heed::fail("book: expected the number of a lesson, such as 11 or W3, found '{}'", word);
    return number;
}

// What was asked for. Returns the exit status.
int write_pages(int argc, char** argv) {
    using namespace heed::course;
    BookFolders folders;
    const char* home = std::getenv("HEED_HOME");
    folders.root = home && *home ? home : HEED_ROOT;
    std::vector<LessonNumber> lessons;
    bool epub = false, pdf = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--out") {
            folders.out = i + 1 < argc ? argv[++i] : "";
            heed::check(!folders.out.empty(), "--out: expected a folder after it");
        } else if (word == "--epub")
            epub = true;
        else if (word == "--pdf")
            pdf = true;
        else if (word == "--help" || word == "-h")
            return fmt::print("{}", fitted(usage, screen_of_stdout().limit())), 0;
        else if (word.starts_with('-'))
            heed::fail("{}: unknown option; ./heed book --help lists all options", word);
        else
            lessons.push_back(numbered(word));
    }
    heed::check(lessons.empty() || !(epub || pdf),
                "book: --epub and --pdf are of the whole course");
    if (epub) {
        make_folder(folders.out);
        write_epub(folders, folders.out + "/heed.epub");
        fmt::print("{}/heed.epub\n", folders.out);
    }
    if (pdf) {
        const std::string page = write_print_page(folders), file = folders.out + "/heed.pdf";
        heed::check(print(page, file),
                    "Chromium is not installed. Open {} in a browser and print it, or install "
                    "the package chromium",
                    page);
        fmt::print("{}\n", file);
    }
    if (epub || pdf) return 0;
    const auto pages = write_book(folders, lessons);
    fmt::print("{} page{}; open {}/{} in a browser\n", pages.size(), pages.size() == 1 ? "" : "s",
               folders.out, pages.back());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace heed::course;
    try {
        check_environment();
        const int status = write_pages(argc, argv);
        check_output();
        return status;
    } catch (const std::exception& error) {
        complain("heed: " + words_of(error) + "\n");
        return 2;
    }
}
