//===- Arena.h - Arena allocation of syntax trees -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ARENA_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ARENA_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilewright::frontend {

/// A run of values that an arena owns. Cheap to copy.
template <typename T> class List {
public:
  List() = default;
  List(T *data, size_t size) : first(data), count(static_cast<uint32_t>(size)) {}

  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T &operator[](size_t index) const { return first[index]; }
  const T &front() const { return first[0]; }
  const T &back() const { return first[count - 1]; }

private:
  T *first = nullptr;
  uint32_t count = 0;
};

/// Hands out memory in order and frees all of it at once. Destructors do not run, so
/// only trivially destructible types may live here.
class Arena {
public:
  template <typename T, typename... Args> T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  template <typename T> List<T> copy(const T *data, size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size == 0)
      return {};
    T *memory = static_cast<T *>(allocate(size * sizeof(T), alignof(T)));
    std::memcpy(memory, data, size * sizeof(T));
    return {memory, size};
  }

  std::string_view copy(std::string_view text) {
    if (text.empty())
      return {};
    char *memory = static_cast<char *>(allocate(text.size(), 1));
    std::memcpy(memory, text.data(), text.size());
    return {memory, text.size()};
  }

private:
  static constexpr size_t chunkBytes = 32 * 1024;

  void *allocate(size_t bytes, size_t alignment) {
    uintptr_t at = (next + alignment - 1) & ~(alignment - 1);
    if (at + bytes > limit) {
      size_t size = bytes + alignment > chunkBytes ? bytes + alignment : chunkBytes;
      chunks.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
      next = reinterpret_cast<uintptr_t>(chunks.back().get());
      limit = next + size;
      at = (next + alignment - 1) & ~(alignment - 1);
    }
    next = at + bytes;
    return reinterpret_cast<void *>(at);
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks;
  uintptr_t next = 0;
  uintptr_t limit = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ARENA_H
