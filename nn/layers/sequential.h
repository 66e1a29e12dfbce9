// Layers called one after another, each with the result of the one before:
//
//     Sequential net(Conv2d(1, 8, 3, rng), Relu{}, MaxPool2d{2}, Flatten{}, Dropout(0.1),
//                    Linear(8 * 13 * 13, 10, rng));
//     Tensor logits = net(images, Mode::training(rng));
//
// A layer is anything that can be called with a tensor, with a tensor and a Mode, or with {.mode = ...}: a
// struct of the library or of your own, a layer of a Transformer, another Sequential, a lambda. Parameters are named by position, as in
// PyTorch: "0.weight", "5.bias".
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/shape/shape_ops.h"
#include "nn/module/mode.h"
#include "nn/module/module.h"

namespace heed {

// One layer of any type. A copy has the same tensors, as a copy of any layer has.
class AnyLayer {
  public:
    template <class Layer>
    requires(!std::is_same_v<Layer, AnyLayer>) AnyLayer(Layer layer)
        : held_(std::make_unique<Holding<Layer>>(std::move(layer))) {}
    AnyLayer(const AnyLayer& other) : held_(other.held_->copy()) {}
    AnyLayer(AnyLayer&&) noexcept = default;
    AnyLayer& operator=(AnyLayer other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }

    Tensor operator()(const Tensor& x, Mode mode = {}) const { return held_->call(x, mode); }
    void visit(auto&& f) {
        if constexpr (requires { f.found; })
            held_->visit_layers(f.found, f.prefix);
        else
            held_->visit([&](const std::string& name, Tensor& x) { f(name, x); },
                         [&](const std::string& name, Buffer& x) { f(name, x); });
    }
    // The layer itself, if it is of this type, else null.
    template <class Layer>
    Layer* get() {
        auto* holding = dynamic_cast<Holding<Layer>*>(held_.get());
        return holding ? &holding->layer : nullptr;
    }

  private:
    using OnTensor = std::function<void(const std::string&, Tensor&)>;
    using OnBuffer = std::function<void(const std::string&, Buffer&)>;
    using OnLayer = std::function<void(const std::string&, const std::type_info&, void*)>;

    struct Held {
        virtual ~Held() = default;
        virtual std::unique_ptr<Held> copy() const = 0;
        virtual Tensor call(const Tensor& x, Mode mode) const = 0;
        virtual void visit(const OnTensor& on_tensor, const OnBuffer& on_buffer) = 0;
        virtual void visit_layers(const OnLayer& found, const std::string& prefix) = 0;
    };
    template <class Layer>
    struct Holding final : Held {
        Layer layer;
        explicit Holding(Layer l) : layer(std::move(l)) {}
        std::unique_ptr<Held> copy() const override { return std::make_unique<Holding>(layer); }
        Tensor call(const Tensor& x, Mode mode) const override {
            if constexpr (std::is_invocable_v<const Layer&, const Tensor&, Mode>)
                return layer(x, mode);
            else if constexpr (requires { layer(x, {.mode = mode}); })
                return layer(x, {.mode = mode});
            else
                return layer(x);
        }
        void visit(const OnTensor& on_tensor, const OnBuffer& on_buffer) override {
            if constexpr (Module<Layer>) {
                struct Both {
                    const OnTensor& on_tensor;
                    const OnBuffer& on_buffer;
                    void operator()(const std::string& name, Tensor& x) const {
                        on_tensor(name, x);
                    }
                    void operator()(const std::string& name, Buffer& x) const {
                        on_buffer(name, x);
                    }
                } both{on_tensor, on_buffer};
                layer.visit(module_detail::Visitor<Both>{both, ""});
            }
        }
        // The layer that is held stands where this one does: "0." is the prefix of what is in it.
        void visit_layers(const OnLayer& found, const std::string& prefix) override {
            found(prefix.substr(0, prefix.size() - 1), typeid(Layer), &layer);
            if constexpr (Module<Layer>)
                layer.visit(module_detail::LayerVisitor<const OnLayer>{found, prefix});
        }
    };

    std::unique_ptr<Held> held_;
};

struct Sequential {
    std::vector<AnyLayer> layers;

    Sequential() = default;
    template <class... Layers>
    requires(!(sizeof...(Layers) == 1 &&
               (std::is_same_v<Layers, Sequential> && ...))) explicit Sequential(Layers... all) {
        layers.reserve(sizeof...(Layers));
        (layers.emplace_back(std::move(all)), ...);
    }
    void visit(auto&& f) {
        for (std::size_t i = 0; i < layers.size(); ++i) f(std::to_string(i), layers[i]);
    }

    // Throws what a layer throws, with the layer's position in front.
    Tensor operator()(const Tensor& x, Mode mode = {}) const;
};

// --- activations, and Flatten -------------------------------------------------------------------

struct Relu {
    Tensor operator()(const Tensor& x) const { return relu(x); }
};
struct LeakyRelu {
    double negative_slope = 0.01;
    Tensor operator()(const Tensor& x) const { return leaky_relu(x, negative_slope); }
};
struct Elu {
    double alpha = 1;
    Tensor operator()(const Tensor& x) const { return elu(x, alpha); }
};
struct Gelu {
    Tensor operator()(const Tensor& x) const { return gelu(x); }
};
struct Silu {
    Tensor operator()(const Tensor& x) const { return silu(x); }
};
struct Softplus {
    Tensor operator()(const Tensor& x) const { return softplus(x); }
};
struct Tanh {
    Tensor operator()(const Tensor& x) const { return tanh(x); }
};
struct Sigmoid {
    Tensor operator()(const Tensor& x) const { return sigmoid(x); }
};
struct Softmax {
    int axis = -1;
    Tensor operator()(const Tensor& x) const { return softmax(x, axis); }
};
struct LogSoftmax {
    int axis = -1;
    Tensor operator()(const Tensor& x) const { return log_softmax(x, axis); }
};

// Merges all axes but the batch, [B, ...] -> [B, n].
struct Flatten {
    int first_axis = 1, last_axis = -1;
    Tensor operator()(const Tensor& x) const { return flatten(x, first_axis, last_axis); }
};

}  // namespace heed
