// Plots of the cost against length, width, batch and threads, as SVG and in the terminal, drawn
// with the figures of the lessons.
#pragma once

#include <string>

namespace heed::bench {

// Writes attention_time.svg, attention_memory.svg, long_attention_time.svg and
// long_attention_memory.svg (exact attention, windows, Linformer, Performer and Reformer, up to 16,384
// positions), gpt_width.svg, gpt_batch.svg, gemm_threads.svg and decoding.svg into the folder, and
// prints what checkpoints and reversible blocks cost and save.
void draw_scaling(const std::string& folder, int threads);

}  // namespace heed::bench
