#include "autograd/record/record.h"

#include <algorithm>
#include <new>

#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/tensor/storage.h"

namespace heed {

namespace {
constinit thread_local uint64_t walks_made = 0;
constinit thread_local bool recording = true;
constinit thread_local bool remembering = false;
}  // namespace

NoGrad::NoGrad() : before_(recording) { recording = false; }
NoGrad::~NoGrad() { recording = before_; }
bool grad_enabled() { return recording; }
bool values_remembered() { return remembering; }
RememberValues::RememberValues() : before_(remembering) { remembering = true; }
RememberValues::~RememberValues() { remembering = before_; }

Tensor identity(const Tensor& x) {
    return record("identity", detach(x), x, [](const Tensor& g) { return g; });
}

// --- the walk ---------------------------------------------------------------------------------

// Visits nodes newest first, so that every node has gathered the gradient of all its uses before it
// passes it on. Waiting nodes stand in a binary heap; there is no recursion and no map.
class Walk {
  public:
    explicit Walk(bool everything) : everything_(everything), number_(++walks_made) {}
    ~Walk() {
        for (Node* node : heap_) node->sum = Tensor();  // only after an error
    }

    // Marks which nodes behind y lead to one of the targets. Nothing older than the oldest target can.
    void aim(Node* y, const std::vector<Node*>& targets) {
        uint64_t oldest = y->order;
        for (Node* target : targets) oldest = std::min(oldest, target->order);

        // All nodes behind y, each once.
        std::vector<Node*> reached;
        const auto reach = [&](Node* node) {
            if (!node || node->order < oldest || node->last_walk == number_) return;
            node->last_walk = number_;
            node->on_path = false;
            reached.push_back(node);
        };
        reach(y);
        for (std::size_t next = 0; next < reached.size(); ++next)
            for (uint32_t i = 0; i < reached[next]->edge_count; ++i) reach(reached[next]->edges[i].node);

        // Oldest first, a node is wanted if it is a target or one of its inputs is wanted.
        for (Node* target : targets) target->on_path = target->last_walk == number_;
        std::sort(reached.begin(), reached.end(), older);
        for (Node* node : reached) node->on_path |= leads_on(node);
    }

    // Whether some input of the node wants a gradient.
    bool leads_on(const Node* node) const {
        for (uint32_t i = 0; i < node->edge_count; ++i)
            if (node->edges[i].node && wants(node->edges[i].node)) return true;
        return false;
    }

    bool wants(const Node* node) const {
        return everything_ || (node->last_walk == number_ && node->on_path);
    }

    void push(Node* node) {
        heap_.push_back(node);
        std::push_heap(heap_.begin(), heap_.end(), older);
    }

    // arrive(node, gradient) for every node, newest first, before its inputs' gradients are computed.
    template <class Arrive>
    void run(Arrive arrive) {
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), older);
            Node* node = heap_.back();
            heap_.pop_back();
            Tensor g = std::move(node->sum);
            if (remembering) node->remembered_grad = clone(g);
            arrive(node, g);
            if (!leads_on(node)) continue;
            check(!node->used_up,
                  "backward: the graph through '{}' was used up by an earlier backward(); build it "
                  "again, or use grad(), which keeps it",
                  node->operation);
            for (uint32_t i = 0; i < node->edge_count; ++i)
                if (const Edge& edge = node->edges[i]; edge.node)
                    check(edge.version == edge.node->version(),
                          "backward: an input of '{}', a leaf{} of shape {}, was changed after the "
                          "operation was recorded; its gradient would be wrong",
                          node->operation, edge.node->is_leaf() ? "" : " seen through a view",
                          edge.node->shape);
            node->backward(*this, g);
            if (everything_) {
                node->use_up();
                node->used_up = true;
            }
        }
    }

  private:
    static bool older(const Node* a, const Node* b) { return a->order < b->order; }

    bool everything_;
    uint64_t number_;
    std::vector<Node*> heap_;
};

namespace tape {

bool wants(Walk& walk, const Edge& edge) { return edge.node && walk.wants(edge.node); }

// The one place where gradients are summed over broadcast axes and added up.
void deposit(Walk& walk, const Edge& edge, Tensor gradient, const char* operation) {
    Node* node = edge.node;
    check(gradient.defined() && broadcasts_to(node->shape, gradient.shape()),
          "{}: its rule gave a gradient of shape {} for an input of shape {}", operation,
          gradient.defined() ? to_string(gradient.shape()) : "(none)", node->shape);
    if (!(gradient.shape() == node->shape)) gradient = sum_to(gradient, node->shape);
    if (!node->sum.defined()) {
        node->sum = std::move(gradient);
        walk.push(node);
    } else if (!recording && is_unshared(node->sum) && node->sum.is_contiguous()) {
        add_in_place(node->sum, gradient);
    } else {
        node->sum = add(node->sum, gradient);
    }
}

}  // namespace tape

Tensor& GradientSum::open(bool* fresh) {
    if (fresh) *fresh = empty();
    if (empty()) {
        node->sum = fresh ? heed::empty(node->shape, node->dtype) : zeros(node->shape, node->dtype);
        walk.push(node);
    } else if (!is_unshared(node->sum) || !node->sum.is_contiguous()) {
        node->sum = clone(node->sum);
    }
    return node->sum;
}

namespace {

// Whether a gradient can be handed out: the optimiser and the clipping change it in place.
bool owns_its_memory(const Tensor& gradient) {
    return is_unshared(gradient) && gradient.is_contiguous();
}

// The gradient the walk starts with.
Tensor seed(const Tensor& y, const Tensor& g, const char* who) {
    check(y.defined() && y.requires_grad(),
          "{}: nothing to differentiate: no input of this tensor asked for a gradient "
          "(x.require_grad())",
          who);
    if (g.defined()) {
        check(g.shape() == y.shape(), "{}: expected weights of shape {}, got {}", who, y.shape(),
              g.shape());
        check_same_dtype(y, g, who);
        return g;
    }
    check(y.numel() == 1,
          "{}: the result has shape {}; it must have one element, or pass g, the weights of its "
          "elements",
          who, y.shape());
    return ones_like(y);
}

}  // namespace

void backward(const Tensor& loss, const Tensor& g) {
    Node* start = loss.defined() ? loss.body()->node : nullptr;
    Tensor first = seed(loss, g, "backward");
    NoGrad no_grad;
    Walk walk(true);
    start->sum = std::move(first);
    walk.push(start);
    walk.run([](Node* node, const Tensor& gradient) {
        if (!node->is_leaf()) return;
        if (node->grad.defined())
            node->grad = add(node->grad, gradient);
        else
            node->grad = owns_its_memory(gradient) ? gradient : clone(gradient);
    });
}

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& xs, bool create_graph,
                         const Tensor& g) {
    Tensor first = seed(y, g, "grad");
    std::vector<Node*> targets;
    for (const Tensor& x : xs) {
        check(x.defined() && x.requires_grad(),
              "grad: argument {} takes no part in the graph; call x.require_grad() before "
              "computing y",
              targets.size());
        targets.push_back(x.body()->node);
    }
    const bool before = recording;
    recording = create_graph;
    struct Restore {
        bool value;
        ~Restore() { recording = value; }
    } restore{before};
    std::vector<Tensor> gradients(xs.size());
    Walk walk(false);
    walk.aim(y.body()->node, targets);
    y.body()->node->sum = std::move(first);
    walk.push(y.body()->node);
    walk.run([&](Node* node, const Tensor& gradient) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (targets[i] == node) gradients[i] = gradient;
    });
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (!gradients[i].defined())
            gradients[i] = zeros_like(xs[i]);
        else if (!create_graph && !owns_its_memory(gradients[i]))
            gradients[i] = clone(gradients[i]);
    return gradients;
}

}  // namespace heed
