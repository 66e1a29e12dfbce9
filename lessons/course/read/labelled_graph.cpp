#include "lessons/course/read/labelled_graph.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace heed::course {
namespace {

// A line of a file, for errors.
struct Line {
    const std::string& file;
    std::size_t number;
};

// The text as a whole number from low to high, written as digits only.
int whole(std::string_view text, int low, int high, const char* what, const Line& line) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool digits = !text.empty() && text[0] != '-' && end == text.data() + text.size();
    if (!digits || error != std::errc() || value < low || value > high)
        bad_line(line.file, line.number,
                 fmt::format("expected {} {}, found '{}'", what,
                             low == high ? fmt::format("{}", low)
                                         : fmt::format("from {} to {}", low, high),
                             excerpt(text)));
    return value;
}

// Takes the text up to the separator, or all of it, off the front.
std::string_view take(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return field;
}

// Calls use(line, its columns) for every line. Throws unless it has `least` to `most` columns.
template <class Use>
void for_each_row(std::string_view bytes, const std::string& file, std::size_t least,
                  std::size_t most, const char* expected, const Use& use) {
    std::vector<std::string_view> columns;
    for (Lines each(bytes, file); each.next();) {
        if (each.line().empty() && each.rest_is_blank()) break;
        std::string_view rest = each.line();
        columns.clear();
        for (std::size_t tabs =
                 1 + static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\t'));
             tabs > 0 && columns.size() <= most; --tabs)
            columns.push_back(take(rest, '\t'));
        check_line(columns.size() >= least && columns.size() <= most, file, each.number(),
                   "expected {}, found '{}'", expected, excerpt(each.line()));
        use(Line{file, each.number()}, columns);
    }
}

void parse_nodes(LabelledGraph& graph, std::string_view bytes, const std::string& file) {
    const int last_class = static_cast<int>(graph.classes.size()) - 1;
    for_each_row(bytes, file, 3, 3, "node<TAB>class<TAB>features",
                 [&](const Line& line, const auto& columns) {
                     const int node = graph.nodes();
                     check_line(node < most_nodes, file, line.number,
                                "expected at most {} nodes, found more", most_nodes);
                     whole(columns[0], node, node, "the next node,", line);
                     graph.labels.push_back(whole(columns[1], 0, last_class, "a class", line));
                     std::vector<int> present;
                     std::string_view rest = columns[2];
            for (bool more = !rest.empty(); more;) {
                more = rest.find(' ') != rest.npos;
                const int low = present.empty() ? 0 : present.back() + 1;
                present.push_back(whole(take(rest, ' '), low, most_features - 1,
                                        "a feature, in rising order,", line));
            }
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
