#include "autograd/ops/product/einsum.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"

namespace heed {
namespace {

bool contains(const std::string& letters, char letter) {
    return letters.find(letter) != std::string::npos;
}

// --- the formula --------------------------------------------------------------------------------

struct Formula {
    std::string text;
    std::vector<std::string> operands;  // the letters of each
    std::string result;
    std::array<int64_t, 128> size{};  // of each letter's axis
};

void check_letters(const Formula& formula) {
    std::string all;
    for (const std::string& letters : formula.operands) all += letters;
    for (char letter : all + formula.result)
        check(letter != '.', "einsum: '{}': '...' is not supported; name all axes", formula.text);
    for (char letter : all + formula.result)
        check(std::isalpha(static_cast<unsigned char>(letter)),
              "einsum: '{}': axes are named by letters, not by '{}'", formula.text, letter);
    for (char letter : formula.result) {
        check(contains(all, letter), "einsum: '{}': no operand has the axis '{}' of the result",
              formula.text, letter);
        check(std::count(formula.result.begin(), formula.result.end(), letter) == 1,
              "einsum: '{}': axis '{}' occurs twice in the result", formula.text, letter);
    }
}

Formula parse(const std::string& text, const std::vector<Tensor>& operands) {
    Formula formula;
    formula.text = text;
    std::string plain = text;
    plain.erase(std::remove(plain.begin(), plain.end(), ' '), plain.end());
    const std::size_t arrow = plain.find("->");
    const std::string left = plain.substr(0, arrow);
    for (std::size_t begin = 0; begin <= left.size();) {
        const std::size_t comma = std::min(left.find(',', begin), left.size());
        formula.operands.push_back(left.substr(begin, comma - begin));
        begin = comma + 1;
    }
    if (arrow != std::string::npos) {
        formula.result = plain.substr(arrow + 2);
    } else {
        for (char letter = 'A'; letter <= 'z'; ++letter)
            if (std::count(left.begin(), left.end(), letter) == 1) formula.result += letter;
    }
    check_letters(formula);

    check(formula.operands.size() == operands.size(), "einsum: '{}' names {} operands, got {}",
          text, formula.operands.size(), operands.size());
    formula.size.fill(-1);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const std::string& letters = formula.operands[k];
        check(static_cast<int>(letters.size()) == operands[k].dim(),
              "einsum: '{}': operand {} has axes '{}', but its shape is {}", text, k, letters,
              operands[k].shape());
        check_same_dtype(operands[0], operands[k], "einsum");
        for (std::size_t i = 0; i < letters.size(); ++i) {
            int64_t& size = formula.size[static_cast<unsigned char>(letters[i])];
            const int64_t own = operands[k].shape()[static_cast<int>(i)];
            check(size == -1 || size == own, "einsum: '{}': axis '{}' has sizes {} and {}", text,
                  letters[i], size, own);
            size = own;
        }
    }
    return formula;
}

// --- operands with named axes -------------------------------------------------------------------

struct Named {
    Tensor x;
    std::string letters;
};

// A letter that occurs twice stands for the diagonal.
Named without_repeats(Named a) {
    for (std::size_t i = 0; i < a.letters.size(); ++i) {
        const std::size_t other = a.letters.find(a.letters[i], i + 1);
        if (other == std::string::npos) continue;
        const char letter = a.letters[i];
        a.x = diagonal(a.x, 0, static_cast<int>(i), static_cast<int>(other));
        a.letters.erase(other, 1);
        a.letters.erase(i, 1);
        a.letters += letter;
        return without_repeats(a);
    }
    return a;
}

// Summed over all axes that are not in `needed`.
Named summed(Named a, const std::string& needed) {
    AxesOrAll axes;
    std::string kept;
    for (std::size_t i = 0; i < a.letters.size(); ++i)
        if (contains(needed, a.letters[i]))
            kept += a.letters[i];
        else
            axes.push(static_cast<int64_t>(i));
    return {axes.count > 0 ? sum(a.x, axes) : a.x, kept};
}

// With the axes in this order.
Tensor ordered(const Named& a, const std::string& letters) {
    Axes order;
    for (char letter : letters) order.push(static_cast<int64_t>(a.letters.find(letter)));
    return permute(a.x, order);
}

// The product of a and b, summed over the axes that both have and `needed` has not: a batch of matrix
// products, with the axes that both have and that are needed as the batch.
Named product(const Named& a, const Named& b, const std::string& needed, const Formula& formula) {
    std::string batch, rows, columns, inner;
    for (char letter : a.letters)
        (!contains(b.letters, letter) ? rows : contains(needed, letter) ? batch : inner) += letter;
    for (char letter : b.letters)
        if (!contains(a.letters, letter)) columns += letter;
    const auto count = [&](const std::string& letters) {
        int64_t product = 1;
        for (char letter : letters) product *= formula.size[static_cast<unsigned char>(letter)];
        return product;
    };
    const Tensor left =
        reshape(ordered(a, batch + rows + inner), {count(batch), count(rows), count(inner)});
    const Tensor right =
        reshape(ordered(b, batch + inner + columns), {count(batch), count(inner), count(columns)});
    const std::string letters = batch + rows + columns;
    check(letters.size() <= static_cast<std::size_t>(max_axes),
          "einsum: '{}': an intermediate result would have the axes '{}'; a tensor has at most {}",
          formula.text, letters, int{max_axes});
    Shape shape;
    for (char letter : letters) shape.push(formula.size[static_cast<unsigned char>(letter)]);
    return {reshape(matmul(left, right), shape), letters};
}

}  // namespace

Tensor einsum(const std::string& text, const std::vector<Tensor>& operands) {
    check(!operands.empty(), "einsum: expected at least one operand");
    for (const Tensor& operand : operands) check_defined("einsum", operand);
    const Formula formula = parse(text, operands);
    // What is needed later, behind operand k: the letters of the result and of the operands after it.
    std::vector<std::string> needed(operands.size(), formula.result);
    for (std::size_t k = operands.size() - 1; k > 0; --k)
        needed[k - 1] = needed[k] + formula.operands[k];

    Named total = summed(without_repeats({operands[0], formula.operands[0]}), needed[0]);
    for (std::size_t k = 1; k < operands.size(); ++k) {
        const Named next =
            summed(without_repeats({operands[k], formula.operands[k]}), needed[k] + total.letters);
        total = product(summed(total, needed[k] + next.letters), next, needed[k], formula);
    }
    return ordered(total, formula.result);
}

Tensor einsum_definition(const std::string& text, const std::vector<Tensor>& operands) {
    const UserCall named("einsum_definition");
    for (const Tensor& operand : operands) check_defined("einsum_definition", operand);
    const Formula formula = parse(text, operands);
    std::string letters = formula.result;  // of the product: first those of the result
    for (const std::string& own : formula.operands)
        for (char letter : own)
            if (!contains(letters, letter)) letters += letter;
    Tensor all = scalar(1, operands[0].dtype());
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const Named a = without_repeats({operands[k], formula.operands[k]});
        std::string present;
        for (char letter : letters)
            if (contains(a.letters, letter)) present += letter;
        Tensor x = ordered(a, present);
        for (std::size_t i = 0; i < letters.size(); ++i)
            if (!contains(present, letters[i])) x = unsqueeze(x, static_cast<int>(i));
        all = all * x;
    }
    AxesOrAll axes;
    for (std::size_t i = formula.result.size(); i < letters.size(); ++i)
        axes.push(static_cast<int64_t>(i));
    return axes.count > 0 ? sum(all, axes) : all;
}

}  // namespace heed
