// A graph whose nodes have a class and features, such as the Cora citations: papers, the words in
// them, their topic, and who cites whom. A folder holds it in these files:
//
//     nodes.tsv    0<TAB>3<TAB>19 81 146    a node, its class, the indices of its features (may be none)
//     edges.tsv    0<TAB>633                two nodes; each undirected edge once, the smaller first
//     classes.tsv  3<TAB>Neural_Networks    a class and its name; further columns are not read
//     train.txt, val.txt, test.txt          one node a line
//
// Nodes and classes are numbered 0, 1, 2, ... in the order of their lines.
//
//     const LabelledGraph graph = read_graph("cora");
//     const Tensor x = dense_features(graph);             // [N, F], 1 where the feature is present
//
// An error names the file and the line, says what was expected there and what was found:
//
//     cora/edges.tsv: line 3: expected a node from 1 to 2707, found '9999'
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "lessons/material/read/text_data.h"

namespace heed::course {

struct LabelledGraph {
    std::vector<std::string> classes;        // their names
    std::vector<int> labels;                 // the class of each node
    std::vector<std::vector<int>> features;  // of each node: rising indices
    int feature_count = 0;                   // the largest index, plus 1
    std::vector<std::pair<int, int>> edges;  // (u, v) with u < v
    std::vector<int> train, valid, test;     // nodes; no node is in two of them

    int nodes() const { return static_cast<int>(labels.size()); }
};

// The files' bytes in memory, and the folder by which errors call them.
struct GraphFiles {
    std::string folder;
    std::string_view nodes, edges, classes, train, valid, test;
};

// The largest numbers of nodes and features; a dense table of them has at most 2^28 numbers.
inline constexpr int most_nodes = 1 << 20, most_features = 1 << 20;

// Throws InputError, with file and line, for anything malformed, edges and nodes given twice, and
// more nodes or features than the limits above.
LabelledGraph parse_graph(const GraphFiles& files);
// Reads files of at most most_text bytes each (text_data.h).
LabelledGraph read_graph(const std::string& folder);

// The features as a table [N, F] of 0 and 1. Throws if it would have more than 2^28 numbers.
Tensor dense_features(const LabelledGraph& graph);

}  // namespace heed::course
