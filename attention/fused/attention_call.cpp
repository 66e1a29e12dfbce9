#include "attention/fused/attention_call.h"

namespace heed {

AttentionCall AttentionCall::of_self() const {
    AttentionCall call = *this;
    call.memory_mask = {};
    call.memory_weights = nullptr;
    return call;
}

AttentionCall AttentionCall::of_memory() const {
    return {.mask = memory_mask, .mode = mode, .weights = memory_weights};
}

KeyValue* cache_entry(const char* name, const AttentionCall& call) {
    if (!call.cache) return nullptr;
    const int64_t layers = std::ssize(*call.cache);
    check(call.layer >= 0 && call.layer <= layers, "{}: layer {} of a cache of {}", name,
          call.layer, layers);
    if (call.layer == layers) call.cache->emplace_back();
    return &(*call.cache)[call.layer];
}

void check_call(const char* name, const AttentionCall& call, CallUses uses) {
    check(uses.tokens || (call.positions.count() == 0 && !call.cache),
          "{}: positions and a cache are of self-attention, which this is not", name);
    check(uses.tokens || !call.router,
          "{}: scores of a router are of layers with experts, which this is not", name);
    check(uses.memory || (!call.memory_mask.defined() && !call.memory_weights),
          "{}: a mask or weights of the memory, but no memory is attended to here", name);
    check(uses.numbers || (call.scale == 0 && call.dropout == 0 && !call.dropout_seed),
          "{}: scale and dropout are the layer's own; give them when it is made", name);
}

}  // namespace heed
