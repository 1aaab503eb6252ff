//===- Dialects.h - Registration of all dialects --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_DIALECTS_H
#define TILEWRIGHT_IR_DIALECTS_H

namespace mlir {
class DialectRegistry;
}

namespace tilewright::ir {

/// Registers tt, ttg and the vendors' dialects. A context loads each when it first meets it.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::ir

#endif // TILEWRIGHT_IR_DIALECTS_H
