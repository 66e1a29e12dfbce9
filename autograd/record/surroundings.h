// What is in force around a computation and must be so again when checkpoint() or reversible() do it a
// second time, in backward. Hooks (nn/module/hooks.h) are.
#pragma once

#include <memory>
#include <utility>

namespace heed {

class Surroundings : public std::enable_shared_from_this<Surroundings> {
  public:
    virtual ~Surroundings() = default;
    // Those of this thread; null if there are none.
    static Surroundings* now() { return now_; }

    // Puts others in their place for as long as it lives.
    class Within {
      public:
        explicit Within(std::shared_ptr<Surroundings> around)
            : around_(std::move(around)), before_(std::exchange(now_, around_.get())) {}
        ~Within() { now_ = before_; }
        Within(const Within&) = delete;

      private:
        std::shared_ptr<Surroundings> around_;
        Surroundings* before_ = nullptr;
    };
    // Those of this thread, kept.
    static std::shared_ptr<Surroundings> keep() {
        return now_ ? now_->shared_from_this() : nullptr;
    }

  private:
    inline static thread_local Surroundings* now_ = nullptr;
};

}  // namespace heed
