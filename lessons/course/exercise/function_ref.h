// A function parameter that is called before the function returns (std::function_ref of C++26): a
// pointer to what the caller has written there. std::function would copy it; for that the compiler
// needs several functions more for each lambda of a judge, and a third more time.
#pragma once

#include <memory>
#include <type_traits>

namespace heed::course {

template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
  public:
    template <class F>
    requires std::is_invocable_r_v<R, const F&, Args...> FunctionRef(const F& f)
        : context_(reinterpret_cast<const void*>(std::addressof(f))), call_(call<F>) {}

    R operator()(Args... args) const { return call_(context_, args...); }

  private:
    template <class F>
    static R call(const void* context, Args... args) {
        return (*reinterpret_cast<std::add_pointer_t<const F>>(context))(args...);
    }

    const void* context_ = nullptr;
    R (*call_)(const void*, Args...);
};

}  // namespace heed::course
