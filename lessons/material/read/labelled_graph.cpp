#include "lessons/material/read/labelled_graph.h"

#include <algorithm>
#include <unordered_set>

#include "lessons/material/read/columns.h"

namespace heed::course {
namespace {

void parse_nodes(LabelledGraph& graph, std::string_view bytes, const std::string& file) {
    const int last_class = static_cast<int>(graph.classes.size()) - 1;
    constexpr auto expected = "node<TAB>class<TAB>features";
    for_each_row(bytes, file, 3, 3, expected, [&](const Line& line, const auto& columns) {
        const int node = graph.nodes();
        check_line(node < most_nodes, file, line.number, "expected at most {} nodes, found more",
                   most_nodes);
        whole(columns[0], node, node, "the next node,", line);
        graph.labels.push_back(whole(columns[1], 0, last_class, "a class", line));
        std::vector<int> present;
        for_each_part(columns[2], ' ', [&](std::string_view part) {
            const int low = present.empty() ? 0 : present.back() + 1;
            present.push_back(
                whole(part, low, most_features - 1, "a feature, in rising order,", line));
        });
        if (!present.empty())
            graph.feature_count = std::max(graph.feature_count, present.back() + 1);
        graph.features.push_back(std::move(present));
    });
    if (graph.labels.empty()) throw InputError(fmt::format("{}: expected nodes, found none", file));
}

void parse_edges(LabelledGraph& graph, std::string_view bytes, const std::string& file) {
    std::unordered_set<std::uint64_t> seen;
    const int last = graph.nodes() - 1;
    for_each_row(bytes, file, 2, 2, "node<TAB>node", [&](const Line& line, const auto& columns) {
        const int u = whole(columns[0], 0, last, "a node", line);
        check_line(u < last, file, line.number,
                   "expected an edge with the smaller node first, found '{}'", columns[0]);
        const int v = whole(columns[1], u + 1, last, "a node", line);
        const bool fresh =
            seen.insert(static_cast<std::uint64_t>(u) << 32 | static_cast<unsigned>(v)).second;
        check_line(fresh, file, line.number, "expected each edge once, found {} and {} again", u,
                   v);
        graph.edges.emplace_back(u, v);
    });
}

void parse_classes(LabelledGraph& graph, std::string_view bytes, const std::string& file) {
    constexpr std::size_t any = std::size_t{1} << 40;
    for_each_row(bytes, file, 2, any, "class<TAB>name", [&](const Line& line, const auto& columns) {
        const int next = static_cast<int>(graph.classes.size());
        whole(columns[0], next, next, "the next class,", line);
        check_line(!columns[1].empty(), file, line.number,
                   "expected class<TAB>name, found no name");
        graph.classes.emplace_back(columns[1]);
    });
    if (graph.classes.empty())
        throw InputError(fmt::format("{}: expected classes, found none", file));
}

// The nodes of one set. `used` marks those of this set and of the sets before it.
std::vector<int> parse_set(std::string_view bytes, const std::string& file,
                           std::vector<bool>& used) {
    std::vector<int> set;
    for_each_row(bytes, file, 1, 1, "a node", [&](const Line& line, const auto& columns) {
        const int node = whole(columns[0], 0, static_cast<int>(used.size()) - 1, "a node", line);
        check_line(!used[static_cast<std::size_t>(node)], file, line.number,
                   "expected each node once in all sets together, found {} again", node);
        used[static_cast<std::size_t>(node)] = true;
        set.push_back(node);
    });
    if (set.empty()) throw InputError(fmt::format("{}: expected nodes, found none", file));
    return set;
}

}  // namespace

LabelledGraph parse_graph(const GraphFiles& files) {
    const auto name = [&](const char* file) { return files.folder + "/" + file; };
    LabelledGraph graph;
    parse_classes(graph, files.classes, name("classes.tsv"));
    parse_nodes(graph, files.nodes, name("nodes.tsv"));
    parse_edges(graph, files.edges, name("edges.tsv"));
    std::vector<bool> used(graph.labels.size());
    graph.train = parse_set(files.train, name("train.txt"), used);
    graph.valid = parse_set(files.valid, name("val.txt"), used);
    graph.test = parse_set(files.test, name("test.txt"), used);
    return graph;
}

LabelledGraph read_graph(const std::string& folder) {
    const auto bytes = [&](const char* file) { return read_file(folder + "/" + file, most_text); };
    const std::string nodes = bytes("nodes.tsv"), edges = bytes("edges.tsv"),
                      classes = bytes("classes.tsv"), train = bytes("train.txt"),
                      valid = bytes("val.txt"), test = bytes("test.txt");
    return parse_graph({folder, nodes, edges, classes, train, valid, test});
}

Tensor dense_features(const LabelledGraph& graph) {
    const std::int64_t width = graph.feature_count;
    check(width == 0 || graph.nodes() <= (std::int64_t{1} << 28) / width,
          "dense_features: {} nodes with {} features each are more than 2^28 numbers",
          graph.nodes(), width);
    Tensor x = zeros({graph.nodes(), width});
    float* row = x.edit<float>();
    for (const std::vector<int>& present : graph.features) {
        for (const int feature : present) row[feature] = 1;
        row += width;
    }
    return x;
}

}  // namespace heed::course
