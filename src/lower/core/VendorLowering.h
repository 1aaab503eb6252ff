//===- VendorLowering.h - The vendors, as the lowering sees them ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The vendors' folders stand above this one, and a pass knows its target only by the name that the
// module has. So the vendors of a build are an interface of the dialect ttg, which
// vendor::registerAll attaches to it in a context's registry (as MLIR's dialects get their
// ConvertToLLVMPatternInterface): passes stay plain passes, which tilewright-opt makes by name, and
// there is no state outside of the context.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_VENDORLOWERING_H
#define TILEWRIGHT_LOWER_CORE_VENDORLOWERING_H

#include "ir/tt/Dialect.h"
#include "lower/core/TargetLowering.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Transforms/DialectConversion.h"

#include <memory>

namespace tilewright::lower {

class AccessWidths;
class Allocations;
class LoweringContext;
struct MemorySpace;

/// The state that the patterns of a module share.
struct PatternServices {
  const mlir::TypeConverter &converter;
  LoweringContext &context;
  const AccessWidths &widths;
};

/// A vendor's part of the lowering.
class VendorLowering {
public:
  virtual ~VendorLowering() = default;

  /// The lowering for `target`, one of the vendor's that can be compiled for.
  virtual std::unique_ptr<TargetLowering> createLowering(const target::Target &target) const = 0;

  /// Adds the patterns for ops that only this vendor's GPUs have, and for common ones that `target`
  /// does in a way of its own: with a benefit above 1, these go before the common patterns, and
  /// fail (notifyMatchFailure) where they leave an op to them.
  virtual void populatePatterns(const target::Target &target, mlir::RewritePatternSet &patterns,
                                const PatternServices &services) const {}

  /// The memories that a block of `target` has besides registers and shared memory. They live as
  /// long as the vendor.
  virtual llvm::ArrayRef<const MemorySpace *> getMemorySpaces(const target::Target &target) const {
    return {};
  }

  /// Puts in what has to stand between accesses of shared memory besides barriers, before those
  /// are put in.
  virtual void insertFences(const target::Target &target, tt::FuncOp func,
                            const Allocations &allocations) const {}
};

/// The vendors of a context.
class VendorsInterface : public mlir::DialectInterface::Base<VendorsInterface> {
public:
  explicit VendorsInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// That of the target; null if this build has none for it.
  virtual const VendorLowering *find(const target::Target &target) const = 0;
};

/// The vendor of the target that the module names; null if there is no such target, no code can be
/// generated for it, or its vendor is not in the module's context.
const VendorLowering *findVendorLowering(mlir::ModuleOp module);

/// The vendor's lowering for the target that the module names; null if it names none.
std::unique_ptr<TargetLowering> createTargetLowering(mlir::ModuleOp module);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_VENDORLOWERING_H
