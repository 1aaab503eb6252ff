//===- FixedVector.h - A vector of bounded size, stored in place ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A layout has at most 64 input bits and a handful of dimensions. Keeping them in place makes it a
// value without heap memory; copying it copies only what is used.
//
// boost::container::static_vector would do. It is not used because layout/LinearLayout.h, the most
// included header, is to be usable without any library: Boost is a dependency of the simulator
// only.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_FIXEDVECTOR_H
#define TILEWRIGHT_SUPPORT_FIXEDVECTOR_H

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

namespace tilewright {

template <typename T, size_t Capacity> class FixedVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
  FixedVector() {}
  FixedVector(size_t count, T value) {
    for (size_t i = 0; i < count; ++i)
      push_back(value);
  }
  FixedVector(std::initializer_list<T> values) : FixedVector(std::span<const T>(values)) {}
  explicit FixedVector(std::span<const T> values) {
    for (T value : values)
      push_back(value);
  }
  FixedVector(const FixedVector &other) : count(other.count) {
    std::uninitialized_copy_n(other.data(), count, data());
  }
  FixedVector &operator=(const FixedVector &other) {
    if (this != &other) {
      count = other.count;
      std::uninitialized_copy_n(other.data(), count, data());
    }
    return *this;
  }

  void push_back(T value) {
    assert(count < Capacity && "FixedVector is full");
    std::construct_at(data() + count++, value);
  }
  void clear() { count = 0; }
  void resize(size_t newCount, T value) {
    while (count < newCount)
      push_back(value);
    count = static_cast<unsigned>(newCount);
  }

  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return reinterpret_cast<T *>(storage); }
  const T *data() const { return reinterpret_cast<const T *>(storage); }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](size_t i) {
    assert(i < count);
    return data()[i];
  }
  const T &operator[](size_t i) const {
    assert(i < count);
    return data()[i];
  }
  T &back() { return (*this)[count - 1]; }
  const T &back() const { return (*this)[count - 1]; }

  friend bool operator==(const FixedVector &a, const FixedVector &b) {
    if (a.count != b.count)
      return false;
    for (size_t i = 0; i < a.count; ++i)
      if (!(a[i] == b[i]))
        return false;
    return true;
  }

private:
  unsigned count = 0;
  alignas(T) unsigned char storage[Capacity * sizeof(T)];
};

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_FIXEDVECTOR_H
