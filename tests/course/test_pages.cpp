// The files that pages are made of: the program has those of the tree, templates are filled in
// completely, and the scripts are JavaScript.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "autograd/base/input_file.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/page.h"
#include "tests/catch.h"
#include "tests/course/well_formed.h"
#include "tests/skipped.h"

using namespace heed;
using namespace heed::course;
namespace fs = std::filesystem;

TEST_CASE("pages: the program has the files of the tree, byte for byte", "[lesson]") {
    const std::set<std::string> sources{".h", ".cpp", ".txt"};
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(HEED_SOURCE_DIR "/lessons/course/pages")) {
        if (sources.contains(entry.path().extension().string())) continue;
        const std::string name = entry.path().filename().string();
        INFO(name);
        CHECK((page_file(name) == read_file(entry.path().string())));
        ++files;
    }
    CHECK(files == page_files().size());
    CHECK(files >= 10);
    CHECK_THROWS_WITH(page_file("none.css"), "pages: there is no file none.css");
}

TEST_CASE("pages: a template takes each of its values, and no other", "[lesson][errors]") {
    CHECK(fill("no names", {}) == "no names");
    CHECK(fill("{{a}}, {{b}} and {{a}}.", {{"a", "one"}, {"b", "{{a}}"}}) ==
          "one, {{a}} and one.");  // what stands in a value stays
    CHECK_THROWS_WITH(fill("{{a}}", {}), "template: {{a}} has no value");
    CHECK_THROWS_WITH(fill("{{a}}", {{"a", ""}, {"b", ""}}), "template: there is no {{b}}");
    CHECK_THROWS_WITH(fill("{{a", {{"a", ""}}), "template: expected }} after {{a");
}

TEST_CASE("pages: a page has the style and the script that it needs", "[lesson]") {
    const std::string plain =
        page_html("1 < 2", "<main>words</main>\n", ".own { color: red; }\n", "own();\n");
    CHECK(well_formed::fault(plain) == "");
    CHECK(plain.find("<title>1 &lt; 2</title>") != std::string::npos);
    CHECK(plain.find("<body>\n<main>words</main>\n") != std::string::npos);
    CHECK(plain.find(page_file("page.css")) != std::string::npos);
    CHECK(plain.find(".own { color: red; }") != std::string::npos);
    CHECK(plain.find(page_file("page.js")) != std::string::npos);
    CHECK(plain.find("own();") != std::string::npos);
    CHECK(plain.find("Heed Math\"; src") == std::string::npos);  // the font, only for formulas
    CHECK(page_html("", "<math></math>").find("Heed Math\"; src") != std::string::npos);
    CHECK(plain.find(page_file("live.js")) == std::string::npos);
    const std::string live = page_html("live", "<figure class=\"live\"></figure>\n");
    CHECK(live.find(page_file("live.css")) != std::string::npos);
    CHECK(live.find(page_file("live.js")) != std::string::npos);
}

TEST_CASE("pages: the scripts are JavaScript", "[lesson]") {
    if (std::system("node --version >node.log 2>&1") != 0 && skipped("there is no node")) return;
    const auto fault = [](const std::string& script) {
        std::ofstream("script.js") << script;
        return std::system("node --check script.js >node.log 2>&1") == 0 ? ""
                                                                         : read_file("node.log");
    };
    for (const auto& [name, bytes] : page_files())
        if (name.ends_with(".js")) CHECK(fault(std::string(bytes)) == "");
    const std::string web = HEED_SOURCE_DIR "/lessons/web/";  // what emscripten puts around heed
    CHECK(fault(read_file(web + "before.js") + read_file(web + "after.js")) == "");
    CHECK(fault("if (") != "");
}
