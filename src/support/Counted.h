//===- Counted.h - Counts with singular and plural nouns ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_COUNTED_H
#define TILEWRIGHT_SUPPORT_COUNTED_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// "1 matrix", "2 matrices".
inline std::string counted(uint64_t count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? singular : plural);
}

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_COUNTED_H
