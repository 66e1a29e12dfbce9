#include "bench/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/base/whole_file.h"
#include "bench/results.h"

namespace heed::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    if (!file) fail("{}: cannot be read", path.string());
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// One file of results.
struct Measurements {
    std::string name;  // "AMD Zen 5"
    json rows;         // objects, one a workload

    // The row of a workload, or null.
    json row(const std::string& workload) const {
        for (const json& row : rows)
            if (row.at("name") == workload) return row;
        return nullptr;
    }
};

std::vector<Measurements> measurements_in(const fs::path& folder) {
    std::set<fs::path> files;  // in the order of their names
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".json") files.insert(entry.path());
    std::vector<Measurements> all;
    for (const fs::path& file : files) {
        std::string name = file.stem().string();
        std::replace(name.begin(), name.end(), '_', ' ');
        try {
            all.push_back({name, json::parse(text_of(file))});
            for (const json& row : all.back().rows)
                for (const char* key : {"name", "processor", "registers", "threads", "compiler",
                                        "pytorch_version", "date", "commit"})
                    row.at(key);
        } catch (const json::exception& e) {
            fail("{}: not what ./heed bench --json writes: {}", file.string(), e.what());
        }
        check(!all.back().rows.empty(), "{}: no workload", file.native());
    }
    return all;
}

// --- The cells of a table ------------------------------------------------------------------------

bool has(const json& row, const char* key) { return row.contains(key) && !row.at(key).is_null(); }

std::string time(const json& row, const char* key) {
    std::string text = duration(row.at(key).get<double>());
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string ratio(double r) { return fmt::format("{:.{}f}", r, r < 10 ? 2 : 0); }

std::string mebibytes(const json& row, const char* key) {
    return fmt::format("{:.0f}", row.at(key).get<double>() / (1 << 20));
}

struct Column {
    std::string head;
    std::function<std::string(const json& row)> cell;  // empty if it was not measured
};

// A cell that is empty where `key` is missing.
Column column(const std::string& head, const char* key,
              const std::function<std::string(const json&)>& cell) {
    return {head, [=](const json& row) { return has(row, key) ? cell(row) : ""; }};
}

// A row for each of `names`, without the columns that are empty in all of them.
std::string table(const std::string& what, const std::vector<std::string>& names,
                  const std::vector<std::vector<std::string>>& cells,
                  const std::vector<std::string>& heads) {
    std::string head = "| " + what + " |", rule = "\n| --- |";
    std::vector<std::string> lines;
    for (const std::string& name : names) lines.push_back(fmt::format("| `{}` |", name));
    for (std::size_t c = 0; c < heads.size(); ++c) {
        const auto empty = [&](const auto& row) { return row[c].empty(); };
        if (std::all_of(cells.begin(), cells.end(), empty)) continue;
        head += " " + heads[c] + " |";
        rule += " --- |";
        for (std::size_t r = 0; r < names.size(); ++r) lines[r] += " " + cells[r][c] + " |";
    }
    return fmt::format("{}{}\n{}\n", head, rule, fmt::join(lines, "\n"));
}

// --- The tables ---------------------------------------------------------------------------------

std::string ratios(const std::vector<Measurements>& all,
                   const std::vector<std::string>& workloads) {
    std::vector<std::string> heads;
    for (const Measurements& m : all) heads.push_back(m.name);
    std::vector<std::vector<std::string>> cells;
    for (const std::string& workload : workloads) {
        cells.emplace_back();
        for (const Measurements& m : all) {
            const json row = m.row(workload);
            cells.back().push_back(has(row, "ratio") ? ratio(row.at("ratio")) : "");
        }
    }
    return table("workload", workloads, cells, heads);
}

std::vector<std::string> names_of(const Measurements& m) {
    std::vector<std::string> names;
    for (const json& row : m.rows) names.push_back(row.at("name"));
    return names;
}

// "AMD EPYC, family 26, model 2; 512 bits a register, ... Measured on 2026-11-25, commit 06ba45a."
std::string setting(const Measurements& m) {
    const json& row = m.rows.front();
    const std::string pytorch = row.at("pytorch_version");
    std::set<std::string> dates, commits;
    for (const json& r : m.rows) {
        dates.insert(r.at("date"));
        commits.insert(r.at("commit"));
    }
    std::string text =
        fmt::format("{}; {} bits a register, {} threads, {}{}. Measured on {}, commit {}.",
                    row.at("processor").get<std::string>(), row.at("registers").get<int>(),
                    row.at("threads").get<int>(), row.at("compiler").get<std::string>(),
                    pytorch.empty() ? "" : ", PyTorch " + pytorch, fmt::join(dates, " and "),
                    fmt::join(commits, " and "));
    if (has(row, "peak"))
        text += fmt::format(" The peak in registers was {:.0f} GFLOP/s.",
                            row.at("peak").get<double>() / 1e9);
    return text;
}

// What is to be said of single rows, each a line that begins with the mark.
std::string remarks(const Measurements& m, const char* mark) {
    std::string text;
    for (const json& row : m.rows)
        if (has(row, "remark"))
            text += fmt::format("{}`{}`: {}\n", mark, row.at("name").get<std::string>(),
                                row.at("remark").get<std::string>());
    return text;
}

std::string processor_table(const Measurements& m) {
    const std::vector<Column> columns{
        column("heed", "heed", [](const json& row) { return time(row, "heed"); }),
        column("PyTorch", "pytorch",
               [](const json& row) {
                   const bool alone =
                       row.at("threads") != 1 && row.value("pytorch_threads", 0) == 1;
                   return time(row, "pytorch") + (alone ? " (1)" : "");
               }),
        column("times as fast", "ratio", [](const json& row) { return ratio(row.at("ratio")); }),
        column("lowest, highest", "lowest",
               [](const json& row) {
                   return ratio(row.at("lowest")) + ", " + ratio(row.at("highest"));
               }),
        column("goal", "to_reach",
               [](const json& row) { return fmt::format("{}", row.at("to_reach").get<double>()); }),
        column("as `torch.compile`", "compiled_ratio",
               [](const json& row) { return ratio(row.at("compiled_ratio")); }),
        column("share of the peak", "share_of_peak",
               [](const json& row) {
                   return fmt::format("{:.0f} %", 100 * row.at("share_of_peak").get<double>());
               }),
        column("peak MiB, PyTorch's", "heed_peak_bytes", [](const json& row) {
            return mebibytes(row, "heed_peak_bytes") + ", " + mebibytes(row, "pytorch_peak_bytes");
        })};

    std::vector<std::string> heads, below;
    std::vector<std::vector<std::string>> cells;
    for (const Column& column : columns) heads.push_back(column.head);
    for (const json& row : m.rows) {
        cells.emplace_back();
        for (const Column& column : columns) cells.back().push_back(column.cell(row));
        const std::string name = row.at("name");
        if (has(row, "to_reach") && has(row, "ratio") && row.at("ratio") < row.at("to_reach"))
            below.push_back("`" + name + "`");
    }
    const std::string said = remarks(m, "* ");
    return fmt::format("### {}\n\n{}\n\n{}\nBelow their goals: {}.\n{}{}", m.name, setting(m),
                       table("workload", names_of(m), cells, heads),
                       below.empty() ? "none" : fmt::to_string(fmt::join(below, ", ")),
                       said.empty() ? "" : "\n", said);
}

std::string processors(const fs::path& results) {
    std::vector<std::string> tables;
    for (const Measurements& m : measurements_in(results)) tables.push_back(processor_table(m));
    return fmt::to_string(fmt::join(tables, "\n"));
}

std::string summary(const fs::path& results) {
    return ratios(measurements_in(results), {"gemm_512", "attention_1024", "gpt_small",
                                             "translator_small", "mlp", "decoding"});
}

std::string builds(const fs::path& results) {
    const std::vector<Measurements> all = measurements_in(results / "builds");
    std::string text = all.empty() ? "" : ratios(all, names_of(all.front())) + "\n";
    for (const Measurements& m : all)
        text += fmt::format("* {}: {}\n{}", m.name, setting(m), remarks(m, "  * "));
    return text;
}

// "10.2 us, 17.6 us, 45.8 us", and how many times as long the last two are as the first.
std::pair<std::string, std::string> busy_cells(const json& seconds) {
    std::vector<std::string> times, ratios;
    for (const json& s : seconds) {
        times.push_back(time({{"s", s}}, "s"));
        if (times.size() > 1) ratios.push_back(ratio(s.get<double>() / seconds[0].get<double>()));
    }
    return {fmt::to_string(fmt::join(times, ", ")), fmt::to_string(fmt::join(ratios, ", "))};
}

std::string busy(const fs::path& results) {
    std::vector<std::string> tables;
    for (const Measurements& m : measurements_in(results / "busy")) {
        std::vector<std::vector<std::string>> cells;
        for (const json& row : m.rows) {
            cells.emplace_back();
            for (const char* program : {"heed_busy", "pytorch_busy"}) {
                const auto [times, longer] = busy_cells(row.value(program, json::array()));
                cells.back().insert(cells.back().end(), {times, longer});
            }
        }
        tables.push_back(fmt::format("### {}\n\n{}\n\n{}", m.name, setting(m),
                                     table("step", names_of(m), cells,
                                           {"heed alone, 1, 4 busy", "times as long",
                                            "PyTorch alone, 1, 4 busy", "times as long"})));
    }
    return fmt::to_string(fmt::join(tables, "\n"));
}

}  // namespace

std::string with_tables(const std::string& page, const std::string& results) {
    const std::map<std::string, std::function<std::string(const fs::path&)>> tables{
        {"summary", summary}, {"processors", processors}, {"builds", builds}, {"busy", busy}};
    constexpr std::string_view mark = "<!-- bench ";
    std::string text;
    std::size_t at = 0;
    for (std::size_t found; (found = page.find(mark, at)) != std::string::npos;) {
        const std::string name =
            page.substr(found + mark.size(), page.find(':', found) - found - mark.size());
        check(tables.contains(name), "there is no table '{}' for a page", name);
        const std::string begin = fmt::format("<!-- bench {}: begin -->\n", name),
                          end = fmt::format("<!-- bench {}: end -->", name);
        const std::size_t last = page.find(end, found);
        check(page.compare(found, begin.size(), begin) == 0 && last != std::string::npos,
              "the lines around the table '{}' are not complete", name);
        text += page.substr(at, found - at) + begin + tables.at(name)(results) + end;
        at = last + end.size();
    }
    return text + page.substr(at);
}

void write_tables() {
    const std::string root = HEED_SOURCE_DIR;
    for (const char* page : {"README.md", "docs/SPEED.md"}) {
        const std::string path = root + "/" + page;
        write_whole_file(path, with_tables(text_of(path), root + "/bench/results"));
    }
}

}  // namespace heed::bench
