#include "lessons/course/book/epub.h"

#include <fmt/format.h>

#include <vector>

#include "autograd/base/error.h"
#include "lessons/course/book/chapters.h"
#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/book/glossary.h"
#include "lessons/course/book/lesson_body.h"
#include "lessons/course/book/plain_html.h"
#include "lessons/course/book/zip.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

struct EpubChapter {
    std::string name, title, body;  // 10_scores; XHTML
};

std::string document(const std::string& title, const std::string& body) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"
        "<html xmlns=\"http://www.w3.org/1999/xhtml\" "
        "xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"en\" xml:lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<title>{}</title>\n"
        "<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n<body>\n"
        "{}</body>\n</html>\n",
        title, body);
}

std::string contents_document(const std::vector<EpubChapter>& chapters) {
    std::string list;
    for (const EpubChapter& chapter : chapters)
        list += fmt::format("<li><a href=\"{}.xhtml\">{}</a></li>\n", chapter.name, chapter.title);
    return document("Contents",
                    "<nav epub:type=\"toc\" id=\"toc\">\n<h1>heed: a course on attention</h1>\n"
                    "<ol>\n" +
                        list + "</ol>\n</nav>\n");
}

// What kinds of content a chapter has beside HTML.
std::string properties_of(const std::string& body) {
    std::string words;
    if (body.find("<math") != std::string::npos) words += "mathml ";
    if (body.find("<svg") != std::string::npos) words += "svg ";
    if (!words.empty()) words.pop_back();
    return words.empty() ? "" : fmt::format(" properties=\"{}\"", words);
}

std::string package_document(const std::vector<EpubChapter>& chapters) {
    std::string manifest, spine;
    for (const EpubChapter& chapter : chapters) {
        manifest += fmt::format(
            "<item id=\"c{0}\" href=\"{0}.xhtml\" media-type=\"application/xhtml+xml\"{1}/>\n",
            chapter.name, properties_of(chapter.body));
        spine += fmt::format("<itemref idref=\"c{}\"/>\n", chapter.name);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" "
        "unique-identifier=\"id\" xml:lang=\"en\">\n"
        "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
        "<dc:identifier id=\"id\">urn:heed:course-on-attention</dc:identifier>\n"
        "<dc:title>heed: a course on attention</dc:title>\n<dc:language>en</dc:language>\n"
        "<meta property=\"dcterms:modified\">{}</meta>\n"
        "<meta property=\"schema:accessMode\">textual</meta>\n"
        "<meta property=\"schema:accessMode\">visual</meta>\n"
        "<meta property=\"schema:accessibilityFeature\">MathML</meta>\n"
        "<meta property=\"schema:accessibilityFeature\">alternativeText</meta>\n"
        "<meta property=\"schema:accessibilityHazard\">none</meta>\n"
        "</metadata>\n<manifest>\n"
        "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" "
        "properties=\"nav\"/>\n"
        "<item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n"
        "<item id=\"math\" href=\"math.woff2\" media-type=\"font/woff2\"/>\n"
        "<item id=\"hangul\" href=\"hangul.woff2\" media-type=\"font/woff2\"/>\n"
        "{}</manifest>\n<spine>\n<itemref idref=\"nav\"/>\n{}</spine>\n</package>\n",
        timestamp(), manifest, spine);
}

}  // namespace

std::string as_xhtml(std::string body) {
    body = without_controls(std::move(body));
    body = replaced(std::move(body), "<br>", "<br/>");
    body = replaced(std::move(body), "<hr>", "<hr/>");
    body = replaced(std::move(body), "<math", "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"");
    body =
        replaced(std::move(body), "<svg class", "<svg xmlns=\"http://www.w3.org/2000/svg\" class");
    body = replaced(std::move(body), "href=\"index.html\"", "href=\"nav.xhtml\"");
    for (const char* end : {".html\"", ".html#"}) {
        std::string other = end;
        body = replaced(std::move(body), end, other.replace(1, 4, "xhtml"));
    }
    return body;
}

void write_epub(const BookFolders& folders, const std::string& path) {
    const std::vector<LessonPage> lessons = lessons_in(folders.root);
    check(!lessons.empty(), "book: there are no lessons in {}/lessons", folders.root);
    const std::vector<Exercise> all = exercises(folders.root);
    std::vector<EpubChapter> chapters;
    const auto add = [&](const std::string& name, const std::string& title,
                         const std::string& body) {
        chapters.push_back({name, title, "<h1>" + title + "</h1>\n" + as_xhtml(body)});
    };
    for (const LessonPage& lesson : lessons)
        add(lesson.folder, fmt::format("{}. {}", lesson.number(), markup_to_html(lesson.title)),
            lesson_body(lesson, all, folders));
    add("exercises", "Exercises", exercise_list_html(all, lessons, folders.root));
    add("glossary", "Glossary", glossary_html(glossary_of(folders.root)));

    Zip zip;
    zip.add("mimetype", "application/epub+zip", Zip::stored);
    zip.add("META-INF/container.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" "
            "version=\"1.0\">\n<rootfiles><rootfile full-path=\"EPUB/package.opf\" "
            "media-type=\"application/oebps-package+xml\"/></rootfiles>\n</container>\n");
    zip.add("EPUB/package.opf", package_document(chapters));
    zip.add("EPUB/nav.xhtml", contents_document(chapters));
    zip.add("EPUB/style.css", fmt::format("{}{}", page_file("epub.css"), svg_style()));
    for (const char* font : {"math.woff2", "hangul.woff2"})
        zip.add(fmt::format("EPUB/{}", font), std::string(page_file(font)), Zip::stored);
    for (const EpubChapter& chapter : chapters)
        zip.add("EPUB/" + chapter.name + ".xhtml", document(chapter.title, chapter.body));
    write_file(path, zip.finish());
}

}  // namespace heed::course
