// The six files of a graph, separated by bytes 0xFF. Written again from what was read, they are the
// files that were given.
#include <algorithm>

#include "lessons/material/read/labelled_graph.h"
#include "tests/fuzz/harness.h"

namespace {

using heed::fuzz::as_lines;
using heed::fuzz::wrong;

// Lines without blank lines at the end. Leading zeros of numbers are left out by the reader.
std::string trimmed(std::string_view bytes) {
    std::string lines = as_lines(bytes), out;
    while (lines.ends_with('\n') || lines.ends_with(' ') || lines.ends_with('\r') ||
           lines.ends_with('\t'))
        lines.pop_back();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool first = i == 0 || lines[i - 1] == '\n' || lines[i - 1] == '\t' ||
                           lines[i - 1] == ' ' || (lines[i - 1] == '0' && out.empty());
        std::size_t zeros = i;
        while (first && zeros + 1 < lines.size() && lines[zeros] == '0' &&
               lines[zeros + 1] >= '0' && lines[zeros + 1] <= '9')
            ++zeros;
        i = zeros;
        out += lines[i];
    }
    return out;
}

void compare(std::string written, std::string_view given, const char* what) {
    while (written.ends_with('\n') || written.ends_with('\t')) written.pop_back();
    if (written != trimmed(given)) wrong(what);
}

}  // namespace

void heed::fuzz::graph(std::string_view bytes) {
    std::string_view files[6];
    for (std::string_view& each : files) {
        const std::size_t end = std::min(bytes.find('\xFF'), bytes.size());
        each = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    course::LabelledGraph read;
    const course::GraphFiles given{file,     files[1], files[2], files[0],
                                   files[3], files[4], files[5]};
    if (!accepts([&] { read = course::parse_graph(given); })) return;

    std::string nodes, edges;
    for (int node = 0; node < read.nodes(); ++node) {
        const auto i = static_cast<std::size_t>(node);
        nodes += std::to_string(node) + "\t" + std::to_string(read.labels.at(i)) + "\t";
        for (std::size_t k = 0; k < read.features.at(i).size(); ++k)
            nodes += (k > 0 ? " " : "") + std::to_string(read.features[i][k]);
        nodes += "\n";
        if (read.labels[i] >= static_cast<int>(read.classes.size())) wrong("a class");
    }
    for (const auto& [u, v] : read.edges) {
        if (u < 0 || u >= v || v >= read.nodes()) wrong("an edge");
        edges += std::to_string(u) + "\t" + std::to_string(v) + "\n";
    }
    compare(nodes, given.nodes, "the nodes are not those of the file");
    compare(edges, given.edges, "the edges are not those of the file");
    for (const auto& [set, from] :
         {std::pair(&read.train, given.train), std::pair(&read.valid, given.valid),
          std::pair(&read.test, given.test)}) {
        std::string lines;
        for (const int node : *set) lines += std::to_string(node) + "\n";
        compare(lines, from, "a set is not that of the file");
    }
}
