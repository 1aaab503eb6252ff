//===- Words.h - A few machine words without an allocation ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_WORDS_H
#define TILEWRIGHT_PYTHON_WORDS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::python {

/// Words that are appended; the first 48 of them are in place.
class Words {
public:
  void push(uint64_t word) {
    if (count < few.size()) [[likely]] {
      few[count++] = word;
      return;
    }
    if (many.empty())
      many.assign(few.begin(), few.end());
    many.push_back(word);
    ++count;
  }
  std::span<const uint64_t> view() const {
    return {many.empty() ? few.data() : many.data(), count};
  }

private:
  std::array<uint64_t, 48> few;
  size_t count = 0;
  std::vector<uint64_t> many;
};

/// A hash of words, by multiplication with the golden ratio's bits (Knuth, The Art of Computer
/// Programming 3, 6.4).
inline uint64_t hashOf(std::span<const uint64_t> words) {
  uint64_t hash = words.size();
  for (uint64_t word : words) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_WORDS_H
