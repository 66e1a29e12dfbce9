// The course as one file: the ePub is a sound archive of well-formed chapters whose links lead somewhere,
// and the page to print has nothing that needs a browser. epubcheck says the rest (tests/README.md).
#include <zlib.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "autograd/base/input_file.h"
#include "lessons/course/book/book.h"
#include "lessons/course/book/epub.h"
#include "lessons/course/book/plain_html.h"
#include "lessons/course/book/zip.h"
#include "lessons/course/contents/course_list.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;
using well_formed::occurrences;

namespace {

std::size_t number(const std::string& bytes, std::size_t at, int count) {
    std::size_t value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
    return value;
}

// The files of an archive, found through its directory, as a reader of zip files does.
std::map<std::string, std::string> unzipped(const std::string& bytes) {
    const std::size_t end = bytes.rfind("PK\x05\x06");
    REQUIRE(end != std::string::npos);
    std::map<std::string, std::string> files;
    std::size_t entry = number(bytes, end + 16, 4);
    for (std::size_t i = 0; i < number(bytes, end + 10, 2); ++i) {
        REQUIRE(bytes.compare(entry, 4, "PK\x01\x02") == 0);
        const std::size_t method = number(bytes, entry + 10, 2), sum = number(bytes, entry + 16, 4),
                          packed = number(bytes, entry + 20, 4),
                          size = number(bytes, entry + 24, 4),
                          name_size = number(bytes, entry + 28, 2),
                          at = number(bytes, entry + 42, 4);
        const std::string name = bytes.substr(entry + 46, name_size);
        INFO(name);
        REQUIRE(bytes.compare(at, 4, "PK\x03\x04") == 0);
        REQUIRE(bytes.compare(at + 30, name_size, name) == 0);
        const std::string data =
            bytes.substr(at + 30 + name_size + number(bytes, at + 28, 2), packed);
        std::string text(size, '\0');
        if (method == 0) {
            text = data;
        } else {
            z_stream stream{};
            REQUIRE(inflateInit2(&stream, -15) == Z_OK);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
            stream.avail_in = static_cast<uInt>(data.size());
            stream.next_out = reinterpret_cast<Bytef*>(text.data());
            stream.avail_out = static_cast<uInt>(text.size());
            CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
            inflateEnd(&stream);
        }
        CHECK(crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                    static_cast<uInt>(text.size())) == sum);
        files[name] = text;
        entry += 46 + name_size;
    }
    CHECK(entry == end);
    return files;
}

}  // namespace

TEST_CASE("zip: files come out as they went in", "[lesson]") {
    Zip zip;
    const std::string long_text(100000, 'x');
    zip.add("mimetype", "application/epub+zip", Zip::stored);
    zip.add("a/long.txt", long_text);
    zip.add("empty", "");
    const std::string bytes = zip.finish();
    CHECK(bytes.compare(30, 28, "mimetypeapplication/epub+zip") == 0);  // where readers look for it
    CHECK(bytes.size() < 1000);
    const auto files = unzipped(bytes);
    CHECK(files.size() == 3);
    CHECK((files.at("a/long.txt") == long_text));
    CHECK(files.at("empty").empty());
}

TEST_CASE("epub: HTML as XHTML", "[lesson]") {
    CHECK(as_xhtml("a<br>b<hr>") == "a<br/>b<hr/>");
    CHECK(as_xhtml("<a href=\"10_scores.html#x\">a</a><a href=\"index.html\">b</a>") ==
          "<a href=\"10_scores.xhtml#x\">a</a><a href=\"nav.xhtml\">b</a>");
    CHECK(as_xhtml("<math><mi>x</mi></math>").starts_with("<math xmlns=\"http://www.w3.org/"));
    const std::string figure =
        "<figure class=\"live\"><svg xmlns=\"x\"></svg><form class=\"controls\">\n"
        "<input type=\"range\">\n</form>\n"
        "<p class=\"trouble\" role=\"status\"></p>\n</figure>";
    CHECK(without_controls(figure) == "<figure class=\"live\"><svg xmlns=\"x\"></svg></figure>");
}

TEST_CASE("epub: the whole course", "[lesson]") {
    const Scratch scratch;
    const BookFolders folders{HEED_SOURCE_DIR, scratch.path + "/runs", scratch.path};
    write_epub(folders, scratch.path + "/heed.epub");
    const auto files = unzipped(heed::read_file(scratch.path + "/heed.epub"));
    CHECK(files.at("mimetype") == "application/epub+zip");
    const std::string& package = files.at("EPUB/package.opf");
    const std::vector<std::string> listed = well_formed::values_of(package, "href");
    CHECK(listed.size() == files.size() - 3);  // all but mimetype, container and package
    int chapters = 0;
    for (const std::string& href : listed) {
        INFO(href);
        REQUIRE(files.contains("EPUB/" + href));
        if (!href.ends_with(".xhtml")) continue;
        const std::string& page = files.at("EPUB/" + href);
        CHECK(well_formed::fault(page) == "");
        for (const char* part : {"<form", "<script", "<input", "<br>", "<hr>", "tabindex"})
            CHECK(occurrences(page, part) == 0);
        CHECK(occurrences(page, "<math") == occurrences(page, "<math xmlns="));
        CHECK(occurrences(page, "<svg") == occurrences(page, "<svg xmlns="));
        for (const std::string& link : well_formed::values_of(page, "href")) {
            if (link == "style.css") continue;
            INFO(link);
            const std::size_t mark = std::min(link.find('#'), link.size());
            const std::string target = mark == 0 ? href : link.substr(0, mark);
            REQUIRE(files.contains("EPUB/" + target));
            if (mark < link.size())
                CHECK(files.at("EPUB/" + target).find("id=\"" + link.substr(mark + 1) + "\"") !=
                      std::string::npos);
        }
        chapters += page.find("<math") != std::string::npos;
    }
    CHECK(chapters >= 30);  // every lesson has formulas
}

TEST_CASE("book: the page to print", "[lesson]") {
    const Scratch scratch;
    const BookFolders folders{HEED_SOURCE_DIR, scratch.path + "/runs", scratch.path + "/book"};
    const std::string page = heed::read_file(write_print_page(folders));
    CHECK(well_formed::fault(page) == "");
    CHECK(occurrences(page, "<form") == 0);
    // The lessons, the exercises and the glossary.
    CHECK(occurrences(page, "<h1 class=\"chapter\"") ==
          static_cast<int>(course_lessons(HEED_SOURCE_DIR).size()) + 2);
    const std::vector<std::string> ids = well_formed::values_of(page, "id");
    const std::set<std::string> names(ids.begin(), ids.end());
    CHECK(names.size() == ids.size());
    int links = 0;
    for (const std::string& link : well_formed::values_of(page, "href")) {
        INFO(link);
        CHECK(link.starts_with('#'));
        CHECK(names.contains(link.substr(1)));
        ++links;
    }
    CHECK(links > 300);
    // Folded code stays folded: no rule of the style sheet opens it.
    CHECK(page.find("details-content") == std::string::npos);
}
