// Plots of the cost against length, width, batch and threads, as SVG and in the terminal, drawn
// with the figures of the lessons.
#pragma once

#include <string>

namespace heed::bench {

// Writes attention_time.svg, attention_memory.svg, gpt_width.svg, gpt_batch.svg, gemm_threads.svg
// and decoding.svg into the folder.
void draw_scaling(const std::string& folder, int threads);

}  // namespace heed::bench
