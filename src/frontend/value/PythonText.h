//===- PythonText.h - Whose texts are known while compiling ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_PYTHONTEXT_H
#define TILEWRIGHT_FRONTEND_VALUE_PYTHONTEXT_H

#include "frontend/value/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace tilewright::frontend {

/// Whether Python's str() and repr() of the value are what Value's are: not of modules, classes and
/// functions, whose texts name files and addresses, nor of named tuples and sets.
inline bool hasPythonText(const Value &value) {
  if (value.isDict() || (value.isTuple() && !value.tupleClass))
    return llvm::all_of(*value.elements, hasPythonText);
  return value.isNumber() || value.isNone() || value.kind == ValueKind::String ||
         value.kind == ValueKind::Type;
}

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_PYTHONTEXT_H
