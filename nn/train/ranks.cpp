#include "nn/train/ranks.h"

#include <algorithm>
#include <cstring>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/index/integers.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/create.h"
#include "autograd/tensor/node.h"

namespace heed {

// --- around the ring --------------------------------------------------------------------------------

Ranks::Ranks(int rank, int size) : rank_(rank), size_(size) {
    check(size > 0 && rank >= 0 && rank < size, "Ranks: rank {} of {} does not exist", rank, size);
}

// In messages of at most 64 MiB: some ways of sending count bytes in 32 bits.
void Ranks::pass(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) {
    constexpr std::size_t most = std::size_t(64) << 20;
    const char* from = static_cast<const char*>(out);
    char* to = static_cast<char*>(in);
    while (out_bytes > 0 || in_bytes > 0) {
        const std::size_t sent = std::min(out_bytes, most), received = std::min(in_bytes, most);
        pass_on(from, sent, to, received);
        from += sent, to += received;
        out_bytes -= sent, in_bytes -= received;
        bytes_sent_ += static_cast<int64_t>(sent);
    }
}

// The ring all-reduce (Patarasuk and Yuan 2009, section 4). x is cut into n chunks. In the first n - 1
// steps each rank sends one chunk, and adds the chunk it receives to its own: chunk c starts at rank c
// and has collected all ranks when it reaches rank c - 1. In the next n - 1 steps the finished chunks
// go around the ring. So each rank sends n - 1 chunks of 1/n, twice. A chunk is added up in one order
// and then only copied: all ranks have the same bits.
template <class T>
void Ranks::sum_around_the_ring(T* x, int64_t count) {
    check_not_negative("Ranks::sum", {{"count", count}});
    if (size_ == 1 || count == 0) return;
    struct Chunk {
        T* first;
        int64_t count;
    };
    const auto chunk = [&](int i) {
        const int64_t c = (i % size_ + size_) % size_;
        const int64_t begin = count * c / size_, end = count * (c + 1) / size_;
        return Chunk{x + begin, end - begin};
    };
    const auto exchange = [&](const Chunk& out, T* in, const Chunk& of) {
        pass(out.first, out.count * sizeof(T), in, of.count * sizeof(T));
    };
    std::vector<T> arrived(count / size_ + 1);
    for (int step = 0; step < size_ - 1; ++step) {
        const Chunk out = chunk(rank_ - step), in = chunk(rank_ - step - 1);
        exchange(out, arrived.data(), in);
        for (int64_t i = 0; i < in.count; ++i) in.first[i] = arrived[i] + in.first[i];
    }
    for (int step = 0; step < size_ - 1; ++step) {
        const Chunk out = chunk(rank_ + 1 - step), in = chunk(rank_ - step);
        exchange(out, in.first, in);
    }
}

void Ranks::sum(float* x, int64_t count) { sum_around_the_ring(x, count); }
void Ranks::sum(double* x, int64_t count) { sum_around_the_ring(x, count); }

void Ranks::broadcast(void* bytes, std::size_t count) {
    if (size_ == 1) return;
    if (rank_ > 0) pass(nullptr, 0, bytes, count);
    if (rank_ < size_ - 1) pass(bytes, count, nullptr, 0);
}

// A sum is known to a rank only when all ranks have added their term.
void Ranks::barrier() {
    std::vector<double> none(size_);  // an element for each chunk: every link of the ring is used
    sum(none.data(), size_);
}

// --- batches ----------------------------------------------------------------------------------------

namespace {

template <class Batch>
Batch rows_of_rank(const Batch& batch, const Ranks& ranks) {
    const UserCall named("part_of");
    const Shape& shape = batch.shape();
    check(shape.count > 0 && shape[0] >= ranks.size(),
          "part_of: a batch of shape {} has not a row for each of {} ranks", shape, ranks.size());
    const int64_t rows = shape[0], rank = ranks.rank(), size = ranks.size();
    return slice(batch, 0, rows * rank / size, rows * (rank + 1) / size);
}

}  // namespace

Tensor part_of(const Tensor& batch, const Ranks& ranks) { return rows_of_rank(batch, ranks); }
Indices part_of(const Indices& batch, const Ranks& ranks) { return rows_of_rank(batch, ranks); }

// --- parameters and gradients -----------------------------------------------------------------------

void broadcast(const ParameterList& parameters, Ranks& ranks) {
    if (ranks.size() == 1) return;
    std::string described;
    for (const auto& [name, tensor] : parameters)
        described +=
            fmt::format("{} {} {}\n", name, to_string(tensor.shape()), name_of(tensor.dtype()));
    auto length = static_cast<int64_t>(described.size());
    ranks.broadcast(&length, sizeof length);
    std::string first = described;
    first.resize(static_cast<std::size_t>(length));
    ranks.broadcast(first.data(), first.size());
    check(first == described,
          "rank {} of {} has other parameters than rank 0: build the same model, with the same "
          "options, on every rank",
          ranks.rank(), ranks.size());
    for (const Parameter& p : parameters)
        with_dtype(p.tensor.dtype(), [&]<class T>(T) {
            Tensor values = contiguous(detach(p.tensor));
            if (ranks.rank() > 0) values = copy_of(values);
            T* bytes = ranks.rank() > 0 ? values.edit<T>() : const_cast<T*>(values.data<T>());
            ranks.broadcast(bytes, values.numel() * sizeof(T));
            Tensor parameter = p.tensor;
            if (ranks.rank() > 0) parameter.assign(values);
        });
}

namespace {

// The gradients of dtype T one after another in one buffer, so that there is one sum and not one for
// each parameter: each message costs time, however short it is.
template <class T>
void sum_all(const ParameterList& parameters, const std::vector<double>& reached, Ranks& ranks,
             double factor) {
    const auto takes_part = [&](std::size_t i) {
        return reached[i] > 0 && parameters[i].tensor.dtype() == dtype_of<T>;
    };
    int64_t count = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (takes_part(i)) count += parameters[i].tensor.numel();
    if (count == 0) return;
    Tensor all = zeros({count}, dtype_of<T>);
    T* next = all.edit<T>();
    const auto in_turn = [&](const auto& use) {
        T* at = next;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (takes_part(i))
                use(parameters[i].tensor, std::exchange(at, at + parameters[i].tensor.numel()));
    };
    in_turn([&](const Tensor& parameter, T* at) {
        if (!parameter.grad().defined()) return;
        const Tensor gradient = contiguous(detach(parameter.grad()));
        const T* g = gradient.data<T>();
        std::transform(g, g + gradient.numel(), at,
                       [&](T x) { return static_cast<T>(x * factor); });
    });
    ranks.sum(next, count);
    in_turn([&](const Tensor& parameter, T* at) {
        Tensor sum = empty(parameter.shape(), dtype_of<T>);
        std::copy_n(at, sum.numel(), sum.edit<T>());
        parameter.body()->node->leaf()->gradient = sum;
    });
}

}  // namespace

void sum_gradients(const ParameterList& parameters, Ranks& ranks, double factor) {
    std::vector<double> reached;  // by parameter: on how many ranks it has a gradient
    for (const Parameter& p : parameters) reached.push_back(p.tensor.grad().defined() ? 1 : 0);
    ranks.sum(reached.data(), static_cast<int64_t>(reached.size()));
    sum_all<float>(parameters, reached, ranks, factor);
    sum_all<double>(parameters, reached, ranks, factor);
}

void average_gradients(const ParameterList& parameters, Ranks& ranks, Integer tokens) {
    check_not_negative("average_gradients", {{"tokens", tokens.value}});
    auto all = static_cast<double>(tokens);
    ranks.sum(&all, 1);
    sum_gradients(parameters, ranks, all > 0 ? static_cast<double>(tokens) / all : 0);
}

}  // namespace heed
