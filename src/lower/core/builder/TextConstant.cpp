//===- TextConstant.cpp - String constants of kernels -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/TextConstant.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

Value tilewright::lower::getText(OpBuilder &builder, Location loc, StringRef text,
                                 unsigned addressSpace) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string contents = (text + StringRef("\0", 1)).str();
  std::string name = "text_" + llvm::utohexstr(llvm::xxh3_64bits(contents), /*LowerCase=*/true);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), contents.size());
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name, builder.getStringAttr(contents),
                           /*alignment=*/0, addressSpace);
  }
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), addressSpace), name);
}
