// Graphs with features and classes, valid and malformed. Errors name the file and the line and say
// what was expected.
#include <map>
#include <string>

#include "lessons/material/read/labelled_graph.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using namespace heed::course;

namespace {

using Files = std::map<std::string, std::string>;

// Three nodes in a row, two classes.
const Files good{{"classes.tsv", "0\tTheory\t1\n1\tCase Based\t2\n"},
                 {"nodes.tsv", "0\t1\t0 2\n1\t0\t\n2\t1\t5\n"},
                 {"edges.tsv", "0\t1\n1\t2\n"},
                 {"train.txt", "2\n"},
                 {"val.txt", "0\n"},
                 {"test.txt", "1\n"}};

LabelledGraph parsed(const Files& files) {
    return parse_graph({"g", files.at("nodes.tsv"), files.at("edges.tsv"), files.at("classes.tsv"),
                        files.at("train.txt"), files.at("val.txt"), files.at("test.txt")});
}

// The error when one of the files has these bytes instead.
std::string complaint(const std::string& name, const std::string& bytes) {
    Files files = good;
    files.at(name) = bytes;
    return error_of([&] { parsed(files); });
}

}  // namespace

TEST_CASE("graph: nodes, features, edges, classes and sets", "[data]") {
    const Scratch scratch;
    for (const auto& [name, bytes] : good) scratch.file(name, bytes);
    const LabelledGraph graph = read_graph(scratch.path);
    CHECK(graph.nodes() == 3);
    CHECK(graph.classes == std::vector<std::string>{"Theory", "Case Based"});
    CHECK(graph.labels == std::vector<int>{1, 0, 1});
    CHECK(graph.features == std::vector<std::vector<int>>{{0, 2}, {}, {5}});
    CHECK(graph.feature_count == 6);
    CHECK(graph.edges == std::vector<std::pair<int, int>>{{0, 1}, {1, 2}});
    CHECK(graph.train == std::vector<int>{2});
    CHECK(graph.valid == std::vector<int>{0});
    CHECK(graph.test == std::vector<int>{1});
    const Tensor x = dense_features(graph);
    CHECK(x.shape() == Shape{3, 6});
    CHECK(x.to_vector() == std::vector<double>{1, 0, 1, 0, 0, 0,  //
                                               0, 0, 0, 0, 0, 0,  //
                                               0, 0, 0, 0, 0, 1});
}

TEST_CASE("graph: as editors save it, and without edges", "[data]") {
    Files files = good;
    for (auto& [name, bytes] : files) {
        std::string windows = "\xEF\xBB\xBF";
        for (const char c : bytes) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
        bytes = windows + "\r\n\r\n";
    }
    CHECK(parsed(files).labels == parsed(good).labels);
    CHECK(parsed(files).features == parsed(good).features);
    files = good;
    files.at("edges.tsv") = "";
    CHECK(parsed(files).edges.empty());
}

TEST_CASE("graph: errors name the line and say what was expected", "[data][errors]") {
    CHECK(complaint("classes.tsv", "") == "g/classes.tsv: expected classes, found none");
    CHECK(complaint("classes.tsv", "1\ta\n") ==
          "g/classes.tsv: line 1: expected the next class, 0, found '1'");
    CHECK(complaint("classes.tsv", "0\n") ==
          "g/classes.tsv: line 1: expected class<TAB>name, found '0'");
    CHECK(complaint("classes.tsv", "0\t\n") ==
          "g/classes.tsv: line 1: expected class<TAB>name, found no name");
    CHECK(complaint("nodes.tsv", "") == "g/nodes.tsv: expected nodes, found none");
    CHECK(complaint("nodes.tsv", "0\t0\n") ==
          "g/nodes.tsv: line 1: expected node<TAB>class<TAB>features, found '0\\t0'");
    CHECK(complaint("nodes.tsv", "0\t0\t\n2\t0\t\n") ==
          "g/nodes.tsv: line 2: expected the next node, 1, found '2'");
    CHECK(complaint("nodes.tsv", "0\t2\t\n") ==
          "g/nodes.tsv: line 1: expected a class from 0 to 1, found '2'");
    CHECK(complaint("nodes.tsv", "0\t0\t3 2\n") ==
          "g/nodes.tsv: line 1: expected a feature, in rising order, from 4 to 1048575, found '2'");
    CHECK(complaint("nodes.tsv", "0\t0\t3 3\n").ends_with("from 4 to 1048575, found '3'"));
    CHECK(complaint("nodes.tsv", "0\t0\t1048576\n").ends_with("found '1048576'"));
    CHECK(complaint("nodes.tsv", "0\t0\t3 \n").ends_with("from 4 to 1048575, found ''"));
    CHECK(complaint("nodes.tsv", "0\t0\t99999999999999999999\n").ends_with("9999'"));
    for (const char* number : {"-1", "+1", " 1", "1.0", "0x1", "1e0", "one"})
        CHECK(complaint("nodes.tsv", fmt::format("0\t0\t{}\n", number)).find("line 1") !=
              std::string::npos);
    CHECK(complaint("edges.tsv", "0\t1\n0\t9\n") ==
          "g/edges.tsv: line 2: expected a node from 1 to 2, found '9'");
    CHECK(complaint("edges.tsv", "1\t0\n") == "g/edges.tsv: line 1: expected a node 2, found '0'");
    CHECK(complaint("edges.tsv", "2\t1\n") ==
          "g/edges.tsv: line 1: expected an edge with the smaller node first, found '2'");
    CHECK(complaint("edges.tsv", "0\t1\n0\t1\n") ==
          "g/edges.tsv: line 2: expected each edge once, found 0 and 1 again");
    CHECK(complaint("edges.tsv", "0 1\n") ==
          "g/edges.tsv: line 1: expected node<TAB>node, found '0 1'");
    CHECK(complaint("train.txt", "3\n") ==
          "g/train.txt: line 1: expected a node from 0 to 2, found '3'");
    CHECK(complaint("val.txt", "2\n") ==
          "g/val.txt: line 1: expected each node once in all sets together, found 2 again");
    CHECK(complaint("test.txt", "") == "g/test.txt: expected nodes, found none");
    CHECK(complaint("test.txt", "1\n\n1\n").starts_with("g/test.txt: line 2: expected a node"));
    CHECK(complaint("test.txt", "\xE9\n").starts_with("g/test.txt: line 1: expected UTF-8 text"));
    CHECK(error_of([] { read_graph("/no/such"); }) ==
          "/no/such/nodes.tsv: cannot be opened: there is no such file or folder");
}

TEST_CASE("graph: a table of features that would be too large is refused", "[data][errors]") {
    LabelledGraph graph;
    graph.labels.resize(1 << 10);
    graph.features.resize(1 << 10);
    graph.feature_count = (1 << 18) + 1;
    CHECK(error_of([&] { dense_features(graph); }) ==
          "dense_features: 1024 nodes with 262145 features each are more than 2^28 numbers");
}
