//===- Vendor.h - All that a vendor adds to the compiler ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A vendor is one object and one folder, vendor/<name>, which a build may leave out. What its GPUs
// can do is data, in every build (target/VendorTable.h). docs/adding-a-vendor.md goes through
// both.
//
// A virtual function stands here, or in the interfaces that this one is made of, where common code
// calls it. What one vendor alone has is an op of its dialect, a pattern in its folder
// (populatePatterns) and, where needed, a pass that it adds at a phase.
//
// Common code stands below the vendors and does not look for them: whoever runs a step has the
// vendor's object and hands over what the step takes - passes to the pass manager, a Backend to
// emit::emitCode, a table of operations to the simulator. The passes of the lowering alone know
// their target by name only; they find the vendors in the context (lower/core/VendorLowering.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_VENDOR_H
#define TILEWRIGHT_VENDOR_VENDOR_H

#include "emit/Backend.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/VendorLowering.h"
#include "simulate/VendorOperations.h"
#include "target/VendorTable.h"

#include "mlir/Pass/PassManager.h"

namespace tilewright::vendor {

/// The phases of the pipeline (compiler/Pipeline.cpp).
enum class Phase {
  Inline,   ///< one function is left of those that are called
  Tile,     ///< tt -> tt
  Layout,   ///< tt -> ttg: tensors get layouts
  Locality, ///< where values are computed, and by which thread
  Stages,   ///< the ops of loops have stages, which are carried out next
  Schedule, ///< when loads and products are begun
  Clean,    ///< conversions removed, code joined
  Launch,   ///< ttg -> ttg, of given TTGIR too: what the launch hands to the kernel
  Lower,    ///< ttg -> LLVM dialect
};

struct PipelineOptions {
  const target::Target *target;
  unsigned numWarps;
  unsigned threadsPerWarp;
  /// Stages of a loop that overlap; 1 for none.
  int numStages;
  /// Whether the kernel has to do with parameters that any launcher can make: addresses and
  /// numbers.
  bool plainLaunch = false;
  /// Blocks of the cluster that runs a program.
  unsigned numCTAs = 1;
  /// LaunchOptions::matrixNonKDim and kPack; 0: not given.
  unsigned matrixNonKDim = 0;
  unsigned kPack = 0;
  /// LaunchOptions::splitBarriers.
  bool splitBarriers = false;
  /// CompileOptions::exactSchedules.
  bool exactSchedules = false;
  /// CompileOptions::exactLayouts.
  bool exactLayouts = false;
  /// CompileOptions::specializeAsked.
  bool specializeAsked = false;
};

class Vendor : public lower::VendorLowering {
public:
  explicit Vendor(const target::VendorTable &table) : table(table) {}

  /// Its names, targets and files.
  const target::VendorTable &getTable() const { return table; }

  /// Makes the dialects known that its lowering makes ops of, with their translation to LLVM IR:
  /// see registerLoweringDialect.
  virtual void registerDialects(mlir::DialectRegistry &registry) const {}

  /// Makes the vendor's own passes known by their flags.
  virtual void registerPasses() const {}

  /// Adds the vendor's own passes at the end of a phase.
  virtual void addPasses(Phase phase, mlir::OpPassManager &passes,
                         const PipelineOptions &options) const {}

  /// Makes ops of `module`, TTGIR, instructions of extensions that the code generator knows and the
  /// simulator does not; whether there were any.
  virtual bool useExtensions(mlir::ModuleOp module, const target::Target &target) const {
    return false;
  }

  // Its lowering: lower::VendorLowering.

  /// The code generator for `target`, one of the vendor's that can be compiled for.
  virtual std::unique_ptr<emit::Backend> createBackend(const target::Target &target) const = 0;

  /// Its simulated operations.
  virtual const simulate::VendorOperations &getSimulatedOperations() const = 0;

protected:
  /// Registers a dialect whose ops lowering makes: it is loaded with ttg, since a pass can load no
  /// dialect while it runs.
  template <typename Dialect> static void registerLoweringDialect(mlir::DialectRegistry &registry) {
    registry.insert<Dialect>();
    registry.addExtension(+[](mlir::MLIRContext *context, ttg::TritonGPUDialect *) {
      context->getOrLoadDialect<Dialect>();
    });
  }

private:
  const target::VendorTable &table;
};

} // namespace tilewright::vendor

#endif // TILEWRIGHT_VENDOR_VENDOR_H
