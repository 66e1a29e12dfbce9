#include "autograd/ops/elementwise/unary.h"

namespace heed {

using namespace formulas;

Tensor neg(const Tensor& x) { return elementwise(Neg{}, x); }
Tensor exp(const Tensor& x) { return elementwise(Exp{}, x); }
Tensor log(const Tensor& x) { return elementwise(Log{}, x); }
Tensor sqrt(const Tensor& x) { return elementwise(Sqrt{}, x); }
Tensor rsqrt(const Tensor& x) { return elementwise(Rsqrt{}, x); }
Tensor square(const Tensor& x) { return elementwise(Square{}, x); }
Tensor pow(const Tensor& x, double p) { return elementwise(PowerOf(p), x); }
Tensor abs(const Tensor& x) { return elementwise(Abs{}, x); }
Tensor sign(const Tensor& x) { return elementwise(Sign{}, x); }
Tensor sin(const Tensor& x) { return elementwise(Sin{}, x); }
Tensor cos(const Tensor& x) { return elementwise(Cos{}, x); }
Tensor tanh(const Tensor& x) { return elementwise(Tanh{}, x); }
Tensor sigmoid_slope(const Tensor& x) { return elementwise(SigmoidSlope{}, x); }
std::array<Tensor, 2> sigmoid_both(const Tensor& x) { return {sigmoid(x), sigmoid(-x)}; }
Tensor sigmoid(const Tensor& x) { return elementwise(Sigmoid{}, x); }
Tensor relu(const Tensor& x) { return elementwise(Relu{}, x); }
Tensor leaky_relu(const Tensor& x, double negative_slope) {
    return elementwise(LeakyRelu(negative_slope), x);
}
Tensor elu(const Tensor& x, double alpha) { return elementwise(Elu(alpha), x); }
Tensor softplus(const Tensor& x) { return elementwise(Softplus{}, x); }
Tensor erf(const Tensor& x) { return elementwise(Erf{}, x); }
Tensor normal_pdf(const Tensor& x) { return elementwise(NormalPdf{}, x); }
Tensor normal_cdf(const Tensor& x) { return elementwise(NormalCdf{}, x); }
Tensor gelu(const Tensor& x) { return elementwise(Gelu{}, x); }
Tensor gelu_tanh(const Tensor& x) { return elementwise(GeluTanh{}, x); }
Tensor silu(const Tensor& x) { return elementwise(Silu{}, x); }
Tensor clamp(const Tensor& x, double low, double high) { return elementwise(Clamp(low, high), x); }
Tensor log1p(const Tensor& x) { return elementwise(Log1p{}, x); }
Tensor expm1(const Tensor& x) { return elementwise(Expm1{}, x); }
Tensor reciprocal(const Tensor& x) { return elementwise(Reciprocal{}, x); }
Tensor tan(const Tensor& x) { return elementwise(Tan{}, x); }
Tensor asin(const Tensor& x) { return elementwise(Asin{}, x); }
Tensor acos(const Tensor& x) { return elementwise(Acos{}, x); }
Tensor asin_slope(const Tensor& x) { return elementwise(AsinSlope{}, x); }
Tensor atan(const Tensor& x) { return elementwise(Atan{}, x); }
Tensor sinh(const Tensor& x) { return elementwise(Sinh{}, x); }
Tensor cosh(const Tensor& x) { return elementwise(Cosh{}, x); }
Tensor floor(const Tensor& x) { return elementwise(Floor{}, x); }
Tensor ceil(const Tensor& x) { return elementwise(Ceil{}, x); }
Tensor round(const Tensor& x) { return elementwise(Round{}, x); }
Tensor log_sigmoid(const Tensor& x) { return elementwise(LogSigmoid{}, x); }

const std::vector<ListedOperation>& unary_operations() {
    static const std::vector<ListedOperation> all{
        listed<Neg>(),        listed<Exp>(),          listed<Log>(),        listed<Sqrt>(),
        listed<Rsqrt>(),      listed<Square>(),       listed<PowerOf>(),    listed<Abs>(),
        listed<Sign>(),       listed<Sin>(),          listed<Cos>(),        listed<Tanh>(),
        listed<Sigmoid>(),    listed<Relu>(),         listed<LeakyRelu>(),  listed<Elu>(),
        listed<Softplus>(),   listed<Erf>(),          listed<Gelu>(),       listed<GeluTanh>(),
        listed<Silu>(),       listed<Clamp>(),        listed<Log1p>(),      listed<Expm1>(),
        listed<Reciprocal>(), listed<Tan>(),          listed<Asin>(),       listed<Acos>(),
        listed<Atan>(),       listed<Sinh>(),         listed<Cosh>(),       listed<Floor>(),
        listed<Ceil>(),       listed<Round>(),        listed<LogSigmoid>(), listed<NormalPdf>(),
        listed<NormalCdf>(),  listed<SigmoidSlope>(), listed<AsinSlope>(),
    };
    return all;
}

}  // namespace heed
