// Says: the new state is not given to the next step
#include <functional>
#include <vector>

#include "lessons/course/exercise/write.h"

struct Said {
    Tensor logits, state;
};
using Step = std::function<Said(int before, const Tensor& state)>;

Tensor my_loss(const Step& step, const Tensor& first_state, const std::vector<int>& target,
               int start, int end) {
    std::vector<int> asked = target;
    asked.push_back(end);
    Tensor state = first_state, total;
    int before = start;
    for (int word : asked) {
        const Said said = step(before, state);
        const Tensor one = -select(log_softmax(said.logits), 0, word);
        total = total.defined() ? total + one : one;
        before = word;
    }
    return total / static_cast<double>(asked.size());
}
