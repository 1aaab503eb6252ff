//===- ElementType.h - The table of element types -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_ARRAYS_ELEMENTTYPE_H
#define TILEWRIGHT_RUNTIME_ARRAYS_ELEMENTTYPE_H

#include "tilewright/HostArray.h"

#include <span>

namespace tilewright::runtime {

struct ElementTypeInfo {
  ElementType type;
  /// Triton's name.
  std::string_view name;
  size_t bytes;
  /// b(ool), i(nteger with sign), u(nsigned integer), f(loating point).
  char kind;
  /// The type that .npy files hold it as, in NumPy's notation.
  std::string_view npy;
};

/// All element types, in the order of the enumeration.
std::span<const ElementTypeInfo> elementTypes();
const ElementTypeInfo &infoOf(ElementType type);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ARRAYS_ELEMENTTYPE_H
