//===- BuiltinName.cpp - Names of OpenCL functions ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/simulate/BuiltinName.h"

using namespace tilewright;
using namespace tilewright::simulate::intel;

BuiltinName::BuiltinName(llvm::StringRef mangled) : name(mangled) {
  llvm::StringRef rest = mangled;
  size_t length;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size())
    return;
  name = rest.take_front(length);
  parameters = rest.drop_front(length);
}

bool BuiltinName::firstIsUnsigned() const {
  llvm::StringRef type = parameters;
  // "Dv4_j" is a vector of four.
  if (type.consume_front("Dv"))
    type = type.split('_').second;
  return !type.empty() && llvm::StringRef("htjm").contains(type.front());
}
