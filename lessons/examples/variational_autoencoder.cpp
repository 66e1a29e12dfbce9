// A variational autoencoder (Kingma and Welling 2014): pictures of a bright spot, squeezed into two
// numbers and drawn again from them.
//
//     ./heed run lessons/examples/variational_autoencoder.cpp
#include "nn/nn.h"
using namespace heed;

constexpr int64_t side = 8, pixels = side * side;

// `count` pictures [count, 64] of a spot at a random position, each pixel in [0, 1].
Tensor spots(int64_t count, Rng& rng) {
    Tensor x = empty({count, pixels});
    float* to = x.edit<float>();
    for (int64_t i = 0; i < count; ++i) {
        const double row = rng.uniform(1, side - 2), column = rng.uniform(1, side - 2);
        for (int64_t p = 0; p < pixels; ++p) {
            const double down = p / side - row, right = p % side - column;
            *to++ = static_cast<float>(std::exp(-(down * down + right * right) / 2));
        }
    }
    return x;
}

struct Autoencoder {
    Sequential encoder, decoder;

    explicit Autoencoder(Rng& rng)
        : encoder(Linear(pixels, 64, rng), Tanh{}, Linear(64, 4, rng)),
          decoder(Linear(2, 64, rng), Tanh{}, Linear(64, pixels, rng)) {}
    template <class F>
    void visit(F&& f) {
        f("encoder", encoder);
        f("decoder", decoder);
    }

    // -ELBO per picture: the reconstruction error plus KL(N(mean, e^log_var) || N(0, 1)). z is drawn as
    // mean + noise times the standard deviation, so that the gradient passes through mean and log_var.
    Tensor loss(const Tensor& x, Rng& rng) const {
        const std::vector<Tensor> parts = chunk(encoder(x), 2, 1);
        const Tensor mean = parts[0], log_var = parts[1];
        const Tensor z = mean + exp(0.5 * log_var) * normal(mean.shape(), 0, 1, rng);
        const Tensor kl = 0.5 * sum(square(mean) + exp(log_var) - 1 - log_var);
        const Tensor error = binary_cross_entropy_with_logits(decoder(z), x, Reduction::sum);
        return (error + kl) / static_cast<double>(x.size(0));
    }
};

int main() {
    Rng rng(1);
    Autoencoder model(rng);
    Adam optimiser(parameters(model), {.lr = 5e-3});
    for (int step = 1; step <= 1500; ++step) {
        const Tensor loss = model.loss(spots(64, rng), rng);
        optimiser.zero_grad();
        backward(loss);
        optimiser.step();
        if (step % 500 == 0) fmt::print("step {}  loss {:.2f}\n", step, loss.item());
    }

    // How far are the drawn pictures from those that were squeezed?
    NoGrad no_grad;
    const Tensor x = spots(200, rng), mean = chunk(model.encoder(x), 2, 1)[0];
    const Tensor drawn = sigmoid(model.decoder(mean));
    fmt::print("explained variance {:.3f}\n", 1 - (heed::mean(square(drawn - x)) / var(x)).item());
}
