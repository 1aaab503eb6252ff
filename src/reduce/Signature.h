//===- Signature.h - The entries of a signature ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_SIGNATURE_H
#define TILEWRIGHT_REDUCE_SIGNATURE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilewright::reduce {

/// The text between the commas of a signature that no bracket encloses, without blanks around it.
std::vector<std::string> splitSignature(llvm::StringRef text);

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_SIGNATURE_H
