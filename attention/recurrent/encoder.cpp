#include "attention/recurrent/encoder.h"

#include <algorithm>

#include "attention/scores/mask.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

RecurrentEncoder::RecurrentEncoder(Integer vocabulary, Integer embedding_width, CellKind cell,
                                   Integer hidden, const RecurrentOptions& options, Rng& rng,
                                   double dropout_rate) {
    const UserCall named("RecurrentEncoder");
    embedding = Embedding(vocabulary, embedding_width, rng);
    layers = Recurrent(cell, embedding_width, hidden, options, rng);
    dropout = Dropout(dropout_rate);
}

EncoderOutput RecurrentEncoder::operator()(const Indices& ids, const Indices& lengths,
                                           Mode mode) const {
    const Shapes in("RecurrentEncoder", {{"ids", ids, "B K"}, {"lengths", lengths, "? B"}});
    const int64_t keys = in["K"], per_layer = layers.directions();
    const RecurrentOutput out = layers(dropout(embedding(ids), mode), lengths, {}, mode);

    // The last layer's final states: forward after the last token, backward after the first one.
    std::vector<Tensor> last;
    for (auto state = out.states.end() - per_layer; state != out.states.end(); ++state)
        last.push_back(state->hidden);

    const bool padded =
        std::any_of(lengths.begin(), lengths.end(), [&](int length) { return length != keys; });
    return {out.output, concat(last, 1),
            padded ? padding_mask(lengths, keys, out.output.dtype()) : Tensor()};
}

}  // namespace heed
