// The measurements in bench/results/ as the tables of docs/SPEED.md and README.md. A file there is what
// `./heed bench --json` wrote. Its name is the heading of its table or column, with spaces for the
// underscores, and its folder says what it is:
//
//     bench/results/*.json         a processor, heed built with all of its instructions
//     bench/results/builds/*.json  another compiler, or fewer instructions
//     bench/results/busy/*.json    beside busy processes: --busy --json
//
// In a page a table stands between two lines, such as <!-- bench summary: begin --> and
// <!-- bench summary: end -->. `./heed bench --markdown` writes it anew. A later measurement of a
// processor replaces its file, so a page has the newest one and no history.
#pragma once

#include <string>

namespace heed::bench {

// The page with its tables as the files in `results` say:
//
//     summary     six workloads, one column a processor: times as fast as PyTorch
//     processors  all that was measured on each processor
//     builds      times as fast as PyTorch, one column a build
//     busy        the time of a step alone and beside 1 and 4 busy processes a processor
//
// Throws heed::Error if the end of a table is missing, if there is no table of such a name, or if a
// file is not what --json writes.
std::string with_tables(const std::string& page, const std::string& results);

// Writes the tables of README.md and docs/SPEED.md anew.
void write_tables();

}  // namespace heed::bench
