//===- ExternFunctions.h - Names of device library functions --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// `tt.extern_elementwise` names a function by the symbol that it has in a vendor's device
// library; kernels in Python call the module `libdevice`, whose functions choose the symbol
// by the types of their arguments. This is the list of both. What the functions compute
// is for the lowering to say: no library is needed.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_EXTERNFUNCTIONS_H
#define TILEWRIGHT_IR_TT_EXTERNFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::tt {

/// One function for one list of types. Types are letters: i and u for 32-bit integers, l and L
/// for 64-bit ones, signed and unsigned, f and d for f32 and f64.
struct ExternFunction {
  /// The name in `libdevice`: "atan2".
  std::string name;
  std::string operands;
  char result;
  /// The symbol in the library: "__nv_atan2f".
  std::string symbol;
};

/// All of a name, which differ in their types; empty if there is none.
llvm::ArrayRef<ExternFunction> findExternFunctions(llvm::StringRef name);
/// The function that NVIDIA's library calls so (__nv_tanhf), or AMD's (__ocml_tanh_f32); null if
/// there is none.
const ExternFunction *findExternSymbol(llvm::StringRef symbol);

/// Sorted by name.
llvm::ArrayRef<ExternFunction> allExternFunctions();

} // namespace tilewright::tt

#endif // TILEWRIGHT_IR_TT_EXTERNFUNCTIONS_H
