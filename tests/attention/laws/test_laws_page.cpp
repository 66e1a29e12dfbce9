// Every attention mechanism of the library against every law, and every wrong attention against the
// laws that its right version obeys. attention/laws/laws.md shows both tables; this test makes the
// page anew and compares. To write it: HEED_UPDATE=1 ./heed test '[laws-page]'
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/attention/laws/mechanisms.h"
#include "tests/attention/laws/wrong_list.h"
#include "tests/catch.h"

namespace heed::laws {
namespace {

namespace fs = std::filesystem;

const fs::path root = HEED_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// The laws that a subject obeys.
std::set<std::string> obeyed(const Subject& subject) {
    std::set<std::string> names;
    for (const Law& law : all_laws())
        if (law.judge(subject).holds) names.insert(law.name);
    return names;
}

// Why a law is kept although no wrong version is caught by it alone.
const std::map<std::string, std::string> why_kept{
    {"distribution",
     "the definition of weights: what breaks it breaks other laws too, but this one names the sum"},
    {"permutation",
     "what breaks it breaks other laws too, but this one says that order is the mistake"},
    {"equal_keys",
     "it follows from distribution and permutation; its answer is known beforehand, so its message "
     "says how far the weights are off"},
    {"not_read",
     "the versions are made from plain products of weights and values, of which none obeys it; it "
     "holds those of the library"},
    {"repeatable",
     "the gradient check refuses a function that gives other numbers when it is called again; this "
     "one also names an input that the call has changed, and needs no gradient"},
};

// --- the page -----------------------------------------------------------------------------------

std::string join(const std::vector<std::string>& words, const std::string& between) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
    return all;
}

// Reasons as numbered footnotes, in the order of their first use.
struct Footnotes {
    std::vector<std::string> reasons;
    std::size_t number(const std::string& reason) {
        const auto found = std::find(reasons.begin(), reasons.end(), reason);
        if (found != reasons.end()) return found - reasons.begin() + 1;
        reasons.push_back(reason);
        return reasons.size();
    }
};

std::string table_of_mechanisms() {
    Footnotes exempt;
    std::vector<std::string> head{"mechanism"}, line{"---"};
    for (const Law& law : all_laws()) {
        head.push_back("`" + law.name + "`");
        line.push_back(":-:");
    }
    std::string table = "| " + join(head, " | ") + " |\n| " + join(line, " | ") + " |\n";
    for (const Mechanism& m : all_mechanisms()) {
        std::vector<std::string> row{m.subject.name};
        for (const Law& law : all_laws()) {
            if (m.exempt.count(law.name))
                row.push_back(fmt::format("{}", exempt.number(m.exempt.at(law.name))));
            else if (m.not_asked.count(law.name))
                row.push_back(fmt::format("({})", exempt.number(m.not_asked.at(law.name))));
            else
                row.push_back("✓");
        }
        table += "| " + join(row, " | ") + " |\n";
    }
    table += "\n";
    for (std::size_t i = 0; i < exempt.reasons.size(); ++i)
        table += fmt::format("{}. {}\n", i + 1, exempt.reasons[i]);
    return table;
}

// The wrong versions and the laws that catch each, and which laws are the only ones to catch one.
struct Trial {
    std::string table;
    std::map<std::string, std::string> alone;  // law -> a wrong version that only it catches
    std::vector<std::string> free;             // wrong versions that pass all laws
};

const Trial& trial_of_wrong_versions() {
    static const Trial trial = [] {
        Trial t;
        std::map<std::string, std::set<std::string>> kept;
        for (const wrong::Right& right : wrong::right_versions())
            kept[right.name] = obeyed(right.subject);
        t.table = "| wrong attention | made from | caught by |\n| --- | --- | --- |\n";
        for (const wrong::Wrong& version : wrong::wrong_list()) {
            const Subject subject = subject_of(version);
            std::vector<std::string> caught;
            for (const Law& law : all_laws())
                if (kept.at(version.of).count(law.name) && !law.judge(subject).holds)
                    caught.push_back("`" + law.name + "`");
            if (caught.empty()) t.free.push_back(version.name);
            if (caught.size() == 1)
                t.alone[caught[0].substr(1, caught[0].size() - 2)] = version.name;
            t.table +=
                fmt::format("| {} | {} | {} |\n", version.name, version.of, join(caught, ", "));
        }
        return t;
    }();
    return trial;
}

std::string make_page() {
    std::string page =
        "# Which attention obeys which law\n\n"
        "Made by tests/attention/laws/test_laws_page.cpp from what it measures; the laws are "
        "stated in\n"
        "laws.h. ✓: the law holds. A number: the mechanism breaks the law on purpose, for the "
        "reason\n"
        "below the table, and the test makes sure that it does break it. A number in parentheses: "
        "the\n"
        "law cannot be asked of this mechanism.\n\n";
    page += table_of_mechanisms();
    page += fmt::format(
        "\n# {} wrong attentions, and the laws that catch them\n\n"
        "The mistakes are in tests/attention/laws/wrong_versions.h. Each is judged by the laws "
        "that the\n"
        "right version it was made from obeys.\n\n",
        wrong::wrong_list().size());
    page += trial_of_wrong_versions().table;
    page += "\n# Why each law is needed\n\n| law | because |\n| --- | --- |\n";
    for (const Law& law : all_laws()) {
        const auto& alone = trial_of_wrong_versions().alone;
        const auto why = why_kept.find(law.name);
        page += fmt::format("| `{}` | {} |\n", law.name,
                            alone.count(law.name) ? "only it catches \"" + alone.at(law.name) + "\""
                            : why != why_kept.end() ? why->second
                                                    : "?");
    }
    return page;
}

// The page without the lists of laws that catch a mistake. Whether a further law catches it can depend
// on the last bit, and so on the build; that each is caught by the law that names it is tested below.
std::string without_lists(const std::string& page) {
    std::istringstream lines(page);
    std::string kept;
    bool in_lists = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("wrong attentions, and the laws") != std::string::npos) in_lists = true;
        if (in_lists && line.rfind("| ", 0) == 0) line = line.substr(0, line.find(" | ", 2));
        kept += line + "\n";
    }
    return kept;
}

}  // namespace

// --- the tests ----------------------------------------------------------------------------------

TEST_CASE("every mechanism obeys every law that it is not exempt from", "[laws][attention]") {
    for (const Mechanism& m : all_mechanisms())
        for (const Law& law : all_laws()) {
            if (m.not_asked.count(law.name)) continue;
            const Verdict verdict = law.judge(m.subject);
            INFO(m.subject.name << ", " << law.name << ": " << verdict.message);
            if (m.exempt.count(law.name)) {
                INFO("it is exempt (" << m.exempt.at(law.name) << "), but obeys the law");
                CHECK_FALSE(verdict.holds);
            } else {
                CHECK(verdict.holds);
            }
        }
}

TEST_CASE("the right versions obey the laws that their mistakes are judged by",
          "[laws][attention]") {
    const std::map<std::string, std::set<std::string>> breaks{
        {"one head", {"scaled_dot", "scaled", "not_read", "causal", "window"}},
        {"two heads", {"not_read", "causal", "window", "every_parameter"}},
        {"projected", {"not_read", "heads_apart", "scaled_dot", "causal", "window"}},
    };
    for (const wrong::Right& right : wrong::right_versions()) {
        if (!breaks.count(right.name)) continue;
        for (const Law& law : all_laws()) {
            const Verdict verdict = law.judge(right.subject);
            INFO(right.name << ", " << law.name << ": " << verdict.message);
            CHECK(verdict.holds != (breaks.at(right.name).count(law.name) > 0));
        }
    }
    for (const char* law : {"causal", "weighted_mean", "heads_apart", "queries_apart", "gradient"})
        CHECK(obeyed(wrong::right_versions()[3].subject).count(law) == 1);
    CHECK(obeyed(wrong::right_versions()[4].subject).count("window") == 1);
}

TEST_CASE("each wrong attention is caught, by the law that names its mistake",
          "[laws][attention]") {
    CHECK(wrong::wrong_list().size() >= 50);
    for (const wrong::Wrong& version : wrong::wrong_list())
        for (const Law& law : all_laws()) {
            if (law.name != version.law) continue;
            const Verdict verdict = law.judge(subject_of(version));
            INFO(version.name << " by " << law.name << ": " << verdict.message);
            CHECK_FALSE(verdict.holds);
            CHECK_THAT(verdict.message, Catch::Matchers::ContainsSubstring(version.message));
        }
    CHECK(trial_of_wrong_versions().free == std::vector<std::string>{});
}

TEST_CASE("each law catches a mistake that no other law catches, or says why it is kept",
          "[laws][attention]") {
    for (const Law& law : all_laws()) {
        INFO(law.name);
        CHECK(trial_of_wrong_versions().alone.count(law.name) + why_kept.count(law.name) == 1);
    }
}

TEST_CASE("attention/laws/laws.md shows the tables as they are measured", "[laws][laws-page]") {
    const fs::path path = root / "attention/laws/laws.md";
    const std::string made = make_page();
    if (std::getenv("HEED_UPDATE")) std::ofstream(path) << made;
    INFO(
        "attention/laws/laws.md is not what is measured; HEED_UPDATE=1 ./heed test '[laws-page]' "
        "writes it anew");
    CHECK((without_lists(text_of(path)) == without_lists(made)));
    CHECK(made.find("| mean of the values | one head | `") != std::string::npos);
}

// --- nothing is left out ------------------------------------------------------------------------

namespace {

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
    std::set<std::string> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i)
        found.insert((*i)[1]);
    return found;
}

// The public names of a header that may be an attention: functions of tensors that return tensors,
// or a struct that ends in Output or Sample; structs that can be called with tensors or indices.
std::set<std::string> public_names(const std::string& text) {
    std::set<std::string> names =
        matches(text,
                "\n(?:inline )?(?:Tensor|\\w+Output|\\w+Sample|std::vector<Tensor>) "
                "(\\w+)\\([^)]*\\bTensor[^)]*\\)");
    std::istringstream lines(text);
    std::string inside;
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, match, std::regex("^struct (\\w+).*\\{"))) inside = match[1];
        if (line == "};") inside.clear();
        if (!inside.empty() &&
            std::regex_search(line, std::regex("operator\\(\\)\\(const (Tensor|Indices)&")))
            names.insert(inside);
    }
    return names;
}

std::set<std::string> public_names_of_attention() {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root / "attention"))
        if (entry.path().extension() == ".h" && entry.path().parent_path().filename() != "laws")
            names.merge(public_names(text_of(entry.path())));
    return names;
}

}  // namespace

TEST_CASE("every public attention of the library is in the table of laws", "[laws][attention]") {
    std::set<std::string> in_table;
    for (const Mechanism& m : all_mechanisms())
        in_table.insert(m.subject.name.substr(0, m.subject.name.find_first_of(" ,")));
    const std::set<std::string> names = public_names_of_attention();
    for (const std::string& name : names) {
        INFO("`" << name
                 << "` is in no row of tests/attention/laws/mechanisms.cpp: add one whose "
                    "name begins with it, or say in not_mechanisms() why it is no attention");
        CHECK(in_table.count(name) + not_mechanisms().count(name) == 1);
    }
    for (const auto& [name, reason] : not_mechanisms()) {
        INFO(name << " is no public name any more");
        CHECK(names.count(name) == 1);
        CHECK_FALSE(reason.empty());
    }
    for (const char* name : {"soft_attention", "MultiHead", "hard_attention", "AttentionPooling"})
        CHECK(names.count(name) == 1);
    CHECK(public_names(
              "\nAttentionOutput new_attention(const Tensor& query, const Tensor& key);\n") ==
          std::set<std::string>{"new_attention"});
    CHECK(public_names("\nstruct NewAttention {\n    AttentionOutput operator()(const Tensor& x) "
                       "const;\n};\n") == std::set<std::string>{"NewAttention"});
}

TEST_CASE("every law of laws.h is in the list of laws", "[laws][attention]") {
    std::set<std::string> listed;
    for (const Law& law : all_laws()) listed.insert(law.name);
    std::set<std::string> declared =
        matches(text_of(root / "attention/laws/laws.h"), "\nVerdict (\\w+)\\(");
    CHECK(declared == listed);
}

}  // namespace heed::laws
