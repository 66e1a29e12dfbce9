// A file of make.py, and a model of heed held against it.
#pragma once

#include <map>
#include <string>

#include "attention/transformer/pytorch.h"
#include "nn/saved/safetensors.h"
#include "tests/autograd/compare.h"

namespace heed {

inline constexpr Dtype f64 = Dtype::float64;
inline constexpr double tolerance = 1e-10;

struct ParityFile {
    std::string path;
    Safetensors file;

    explicit ParityFile(const std::string& name)
        : path(HEED_SOURCE_DIR "/tests/parity/" + name + ".safetensors"),
          file(load_safetensors(path)) {}

    Tensor at(const std::string& name) const {
        const Tensor* x = file.find(name);
        check(x, "{}: lacks '{}'", path, name);
        return *x;
    }
    Indices integers(const std::string& name) const {
        const Tensor x = at(name);
        const std::vector<double> values = x.to_vector();
        return Indices(std::vector<int>(values.begin(), values.end()), x.shape());
    }
    // All that begin with the prefix, without it.
    Safetensors part(const std::string& prefix) const {
        Safetensors some;
        for (const Parameter& p : file.tensors)
            if (p.name.rfind(prefix, 0) == 0)
                some.tensors.push_back({p.name.substr(prefix.size()), p.tensor});
        return some;
    }
};

struct NoLayer {
    template <class F>
    void visit(F&&) {}
};

// What call(model, input) gets its inputs from: leaves for those that have a gradient.
struct Inputs {
    const ParityFile& file;
    Dtype dtype;
    std::map<std::string, Tensor> leaves;

    Tensor operator()(const std::string& name) {
        Tensor& x = leaves[name];
        if (!x.defined()) {
            x = clone(to_dtype(file.at("input." + name), dtype));
            if (file.file.find("gradient." + name)) x.set_requires_grad();
        }
        return x;
    }
    Indices integers(const std::string& name) const { return file.integers("input." + name); }
};

// The largest |a - b|, in units of the rounding of the largest number of b. At 0 the unit is absolute.
inline double units_apart(const Tensor& a, const Tensor& b, Dtype dtype) {
    const double eps = dtype == Dtype::float32 ? 1.2e-7 : 2.2e-16;
    double scale = 0;
    for (double x : b.to_vector()) scale = std::max(scale, std::abs(x));
    return largest_difference(to_dtype(a, f64), to_dtype(b, f64)) / (eps * (scale > 0 ? scale : 1));
}

// The names of a model's parameters in a file: pytorch_names(), or another function of its kind.
using NamesInFile = std::vector<PytorchName> (*)(const std::vector<Parameter>&);

// The model with PyTorch's parameters gives PyTorch's output and gradients: in float64 to 1e-10 of the
// largest number in each, and in float32 to so many units of rounding of it. The float32 of parameters
// and inputs that were float64 adds some units.
template <Module M, class Call>
void agrees(const std::string& name, const M& given, Call call, double units = 100,
            NamesInFile names_of = pytorch_names) {
    const ParityFile file(name);
    for (Dtype dtype : {f64, Dtype::float32}) {
        INFO(name << " in " << name_of(dtype));
        M model = given;
        to_dtype(model, dtype);
        const std::vector<Parameter> all = heed::parameters(model);  // a tied one once
        const std::vector<PytorchName> names = names_of(all);
        assign_from(from_pytorch(file.part("parameter."), file.path, all, names), file.path, all);

        Inputs inputs{file, dtype, {}};
        const Tensor y = call(std::as_const(model), inputs);
        const auto same = [&](const Tensor& got, const Tensor& expected) {
            if (dtype == f64)
                CHECK(units_apart(got, expected, f64) < tolerance / 2.2e-16);
            else
                CHECK(units_apart(got, expected, dtype) < units);
        };
        same(y, file.at("output"));
        for (const Parameter& p : all) {
            Tensor x = p.tensor;
            x.clear_grad();
        }
        backward(y, to_dtype(file.at("covector"), dtype));

        // Gradients of the parameters have PyTorch's names, those of the inputs their own.
        Safetensors of_parameters = file.part("gradient.");
        const Safetensors of_all = of_parameters, parameters = file.part("parameter.");
        std::erase_if(of_parameters.tensors,
                      [&](const Parameter& p) { return !parameters.find(p.name); });
        const Safetensors gradients = from_pytorch(of_parameters, file.path, all, names);
        const auto same_gradient = [&](const std::string& of, const Tensor& x) {
            INFO("gradient of " << of);
            const Tensor* expected = gradients.find(of) ? gradients.find(of) : of_all.find(of);
            REQUIRE(expected);
            // A bias of the keys shifts all scores of a query alike: nothing but rounding.
            const bool zero = max(abs(*expected)).item() < 1e-12;
            const Tensor mine = x.grad().defined() ? x.grad() : zeros(x.shape(), dtype);
            if (zero)
                CHECK(largest_difference(to_dtype(mine, f64), *expected) <
                      (dtype == f64 ? 1e-10 : 1e-4));
            else
                same(mine, *expected);
        };
        for (const Parameter& p : all) same_gradient(p.name, p.tensor);
        for (const auto& [of, x] : inputs.leaves)
            if (x.requires_grad()) same_gradient(of, x);
        CHECK(all.size() + inputs.leaves.size() > 0);
    }
}

}  // namespace heed
