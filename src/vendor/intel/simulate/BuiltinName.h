//===- BuiltinName.h - Names of OpenCL functions --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_SIMULATE_BUILTINNAME_H
#define TILEWRIGHT_VENDOR_INTEL_SIMULATE_BUILTINNAME_H

#include <llvm/ADT/StringRef.h>

namespace tilewright::simulate::intel {

/// A name as the Itanium C++ ABI mangles functions without a namespace: "_Z", the length of the
/// name, the name, and the types of the parameters. Other names are taken as they are.
struct BuiltinName {
  explicit BuiltinName(llvm::StringRef mangled);

  llvm::StringRef name;
  /// One code after the other: "fj" is float, unsigned.
  llvm::StringRef parameters;

  /// Whether the first parameter is an unsigned integer, or a vector of them.
  bool firstIsUnsigned() const;
};

} // namespace tilewright::simulate::intel

#endif // TILEWRIGHT_VENDOR_INTEL_SIMULATE_BUILTINNAME_H
