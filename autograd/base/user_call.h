// For functions made of other functions of heed: an error inside begins with the name of the function
// that the user called.
//
//     AttentionOutput soft_attention(const Tensor& scores, const Tensor& value, const Tensor& mask) {
//         const UserCall named("soft_attention");
//         ...
//         return {matmul(weights, value), weights};  // "soft_attention: matmul: float32 and float64 ..."
//     }
//
// If such functions call each other, the outermost gives the name: the user of a Transformer did not
// call its layer norm. A message that begins with that name stays as it is. Each thread has names of
// its own.
#pragma once

namespace heed {

class UserCall {
  public:
    // `name` must outlive the call.
    explicit UserCall(const char* name) : outermost_(!current) {
        if (outermost_) current = name;
    }
    ~UserCall() {
        if (outermost_) current = nullptr;
    }
    UserCall(const UserCall&) = delete;
    UserCall& operator=(const UserCall&) = delete;

    static constinit thread_local const char* current;  // null: none

  private:
    bool outermost_ = false;
};

}  // namespace heed
