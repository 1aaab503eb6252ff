//===- Dialects.cpp - Registration of all dialects ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/Dialects.h"

#include "ir/gluon/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/ops/GpuBarrier.h"
#include "ir/ttig/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"

void tilewright::ir::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<gluon::GluonDialect, tt::TritonDialect, ttg::TritonGPUDialect,
                  ttg::GpuBarrierDialect, ttng::TritonNvidiaGPUDialect, ttig::TritonIntelGPUDialect,
                  ttig::OlderNameDialect, tw::TilewrightDialect>();
}
