// The model in the file transformer_state.safetensors.
#pragma once

#include "attention/transformer/stacks.h"

struct EncoderAndDecoder {
    heed::TransformerEncoder encoder;
    heed::TransformerDecoder decoder;
    template <class F>
    void visit(F&& f) {
        f("encoder", encoder);
        f("decoder", decoder);
    }
};
