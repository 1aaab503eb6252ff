//===- Demands.h - The parts of values that a program needs ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_DEMANDS_H
#define TILEWRIGHT_TRANSFORM_CLUSTER_DEMANDS_H

#include "transform/cluster/SplitChoice.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilewright::transform {

using Splits = llvm::SmallVector<ClusterSplit>;

inline bool isAtomic(mlir::Operation *op) {
  return llvm::isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op);
}

/// Whether `op` loads numbers that other programs write while it is run. What two blocks load is
/// not the same then: if each decided by its own, one of them might leave a loop in which the other
/// waits for it.
bool isVolatileLoad(mlir::Operation *op);

/// Ops that one block alone may do: those that change what is outside of the program, or ask for
/// what others change.
inline bool isDoneOnce(mlir::Operation *op) {
  return isAtomic(op) || llvm::isa<tt::StoreOp, tt::PrintOp>(op) || isVolatileLoad(op);
}

/// The remedy for a kernel whose tiles cannot be divided.
inline constexpr llvm::StringLiteral clusterRemedy =
    "compile the kernel with --num-ctas 1, which runs each program by one block";

class Demands {
public:
  explicit Demands(const SplitChoice &choice) : choice(choice) {}

  /// Looks at all of a kernel; an op that cannot be divided is reported.
  llvm::LogicalResult find(tt::FuncOp kernel);

  /// The parts that are wanted of a value, those of all that a loop carries on together.
  llvm::ArrayRef<ClusterSplit> getWanted(mlir::Value tile) const {
    auto found = wanted.find(getCarrier(tile));
    return found == wanted.end() ? llvm::ArrayRef<ClusterSplit>() : llvm::ArrayRef(found->second);
  }
  /// The parts in which an op is computed: of its results or, of a reduction and where there are
  /// no results, of its operands.
  llvm::ArrayRef<ClusterSplit> getComputed(mlir::Operation *op) const {
    auto found = computed.find(op);
    return found == computed.end() ? llvm::ArrayRef<ClusterSplit>() : llvm::ArrayRef(found->second);
  }
  /// Whether a store or an atomic operation may write what several blocks load before it: those
  /// that come later must not see it.
  bool mayOverwriteLoads(mlir::Operation *op) const;

private:
  /// The one of the values that a loop carries on as one another that stands for them.
  static mlir::Value getCarrier(mlir::Value value);
  void want(mlir::Value tile, const ClusterSplit &split);
  void wantSources(mlir::Value carrier, const ClusterSplit &split);
  void compute(mlir::Operation *op, const ClusterSplit &split);
  ClusterSplit getSplitFor(mlir::Operation *op, const ClusterSplit &result) const;
  ClusterSplit getOwnSplit(mlir::Operation *op) const;
  llvm::LogicalResult check(mlir::Operation *op) const;

  void findCommonLoads(tt::FuncOp kernel);

  const SplitChoice &choice;
  llvm::MapVector<mlir::Value, Splits> wanted;
  llvm::MapVector<mlir::Operation *, Splits> computed;
  llvm::SmallVector<std::pair<mlir::Value, ClusterSplit>> pending;
  /// The arguments through which several blocks load the same elements; null for another pointer.
  llvm::SmallPtrSet<mlir::Value, 4> commonLoads;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_DEMANDS_H
