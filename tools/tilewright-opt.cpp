//===- tilewright-opt.cpp - The pass driver -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/Dialects.h"
#include "lower/core/Passes.h"
#include "lower/core/Patterns.h"
#include "transform/cluster/Passes.h"
#include "transform/gluon/Passes.h"
#include "transform/layout/Passes.h"
#include "transform/locality/Passes.h"
#include "transform/masks/Passes.h"
#include "transform/matrix/Passes.h"
#include "transform/pipeline/Passes.h"
#include "transform/pressure/Passes.h"
#include "transform/tile/Passes.h"
#include "vendor/Vendors.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilewright::ir::registerDialects(registry);
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  tilewright::vendor::registerAll(registry);
  tilewright::lower::registerScratch(registry);
  mlir::registerTransformsPasses();
  mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
  tilewright::lower::registerLowerPasses();
  tilewright::transform::registerLayoutPasses();
  tilewright::transform::registerTilePasses();
  tilewright::transform::registerClusterPasses();
  tilewright::transform::registerGluonPasses();
  tilewright::transform::registerLocalityPasses();
  tilewright::transform::registerMatrixPasses();
  tilewright::transform::registerPipelinePasses();
  tilewright::transform::registerMasksPasses();
  tilewright::transform::registerPressurePasses();
  tilewright::vendor::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tilewright pass driver\n", registry));
}
