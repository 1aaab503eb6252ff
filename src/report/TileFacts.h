//===- TileFacts.h - Layouts, moves and costs of the IR of tiles ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_TILEFACTS_H
#define TILEWRIGHT_REPORT_TILEFACTS_H

#include "ir/ttg/Dialect.h"
#include "report/Coalescing.h"
#include "report/LinkedText.h"
#include "target/Target.h"

namespace tilewright::report {

/// A layout on a shape, once for all values that have it; of shared memory, once for each size of
/// the elements.
struct LayoutFact {
  /// "#blocked1" and its definition.
  std::string name, text;
  std::vector<int64_t> shape;
  /// The types of the elements of the values that have it.
  std::vector<std::string> elements;
  /// Of the first of these, in memory.
  unsigned elementBits = 32;
  /// Of shared memory: (offset, block) -> coordinates; otherwise from (register, lane, warp,
  /// block).
  bool isShared = false;
  layout::LinearLayout map;
};

/// A value of the text that has a layout.
struct ValueFact {
  std::string name;
  /// From 0.
  unsigned line = 0;
  unsigned layout = 0;
};

/// An op that moves data, or computes a product. Figures are for one execution.
struct OpFact {
  std::string op;
  unsigned line = 0;
  llvm::SmallVector<unsigned, 1> places;
  /// How many loops it stands in.
  unsigned loopDepth = 0;
};

/// A ttg.convert_layout, with the plan that the lowering emits as JSON (view/PlanText.h).
struct ConversionFact : OpFact {
  unsigned from = 0, to = 0;
  std::string plan;
  std::string kind;
  unsigned cost = 0;
  uint64_t scratchBytes = 0;
  /// Of a warp: passes through the banks, and those beyond the fewest.
  unsigned transactions = 0, conflicts = 0;
};

/// A load, a store or an atomic operation of global memory by threads, or an asynchronous copy.
struct GlobalFact : OpFact {
  bool isStore = false;
  bool isAsync = false;
  /// Of the whole tile.
  uint64_t bytes = 0;
  WarpAccess access;
};

/// A load or a store of shared memory by threads.
struct LocalFact : OpFact {
  bool isStore = false;
  uint64_t bytes = 0;
  std::string atom;
  unsigned accesses = 0, transactions = 0, conflicts = 0;
};

struct ProductFact : OpFact {
  /// [M, N, K], with the batch before.
  std::vector<int64_t> shape;
  uint64_t flops = 0;
  std::string types;
  /// False where multiply-adds compute it.
  bool isOnMatrixUnit = true;
};

/// A loop of the final IR.
struct LoopFact : OpFact {
  unsigned endLine = 0;
  /// Loads whose data the same iteration waits for: lines from 0.
  std::vector<unsigned> waitedLoads;
  bool hasProduct = false, hasReduction = false;
  /// The stages that the source asks for (num_stages of tl.range); 0 where it does not say.
  int64_t stagesOfSource = 0;
  /// Copies that begin iterations ahead.
  bool hasAsyncCopies = false;
};

struct TileFacts {
  std::vector<LayoutFact> layouts;
  std::vector<ValueFact> values;
  std::vector<ConversionFact> conversions;
  std::vector<GlobalFact> global;
  std::vector<LocalFact> local;
  std::vector<ProductFact> products;
  std::vector<LoopFact> loops;
  /// By line, from 0: 32-bit registers of a thread for the tensors that are alive there.
  std::vector<std::pair<unsigned, unsigned>> registers;
};

/// Reads `module`, TTGIR, whose text is `printed`.
TileFacts collectTileFacts(mlir::ModuleOp module, PrintedModule &printed, Places &places,
                           const target::Target &target);

/// The members "layouts", "values", "conversions", "global", "local", "products", "loops" and
/// "registers" of a report. Lines count from 1.
void putInto(llvm::json::Object &report, const TileFacts &facts);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_TILEFACTS_H
