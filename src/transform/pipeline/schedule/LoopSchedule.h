//===- LoopSchedule.h - Stages and clusters of a loop's ops ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An iteration of a pipelined loop does the work of several iterations of the source: with stages
// 0 to n, stage s of iteration i - s. The *stage* of an op says of which iteration it is, its
// *cluster* where in the body it stands: clusters follow each other in their order, ops of a
// cluster in the order of the source.
//
//     stage 0  load           iteration i      cluster 1
//     stage 1  dot            iteration i - 1  cluster 0
//
// ScheduleProblem.h says when a schedule is right.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPSCHEDULE_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPSCHEDULE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "transform/pipeline/schedule/ClusterOrder.h"
#include "transform/pipeline/schedule/ScheduleProblem.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace tilewright::transform {

struct Slot {
  unsigned stage = 0;
  Cluster cluster = 0;
};

/// The slots of the ops of one loop body, its terminator aside.
class LoopSchedule {
public:
  /// What the attributes of `loop` and its ops say; nothing if they are not there or one is
  /// missing.
  static std::optional<LoopSchedule> read(mlir::scf::ForOp loop);
  /// Of the ops of `loop`, in their order.
  static LoopSchedule of(mlir::scf::ForOp loop, const ScheduleSolution &solution);
  /// The same as a solution of the loop's problem, if all ops have slots.
  std::optional<ScheduleSolution> getSolution(mlir::scf::ForOp loop) const;
  /// Notes the schedule in the attributes, with clusters numbered by their places.
  void write(mlir::scf::ForOp loop) const;
  /// Removes the attributes.
  static void erase(mlir::scf::ForOp loop);

  unsigned getMaxStage() const;

  Cluster appendCluster() { return clusters.append(); }
  Cluster insertClusterBefore(Cluster cluster) { return clusters.insertBefore(cluster); }
  Cluster getFirstCluster() const { return clusters.get().front(); }
  bool isBefore(Cluster a, Cluster b) const { return clusters.isBefore(a, b); }

  const Slot *find(mlir::Operation *op) const;
  Slot get(mlir::Operation *op) const { return slots.at(op); }
  void set(mlir::Operation *op, Slot slot) { slots[op] = slot; }
  /// True if the op had no slot.
  bool setIfAbsent(mlir::Operation *op, Slot slot) { return slots.try_emplace(op, slot).second; }
  void remove(mlir::Operation *op) { slots.erase(op); }
  /// An op that is created at the place of `builder`, with the slot `slot`.
  template <typename Op, typename... Args>
  Op create(mlir::OpBuilder &builder, Slot slot, Args &&...args) {
    auto op = Op::create(builder, std::forward<Args>(args)...);
    set(op, slot);
    return op;
  }

  /// Whether `a` comes before `b` for one iteration: in an earlier stage, or earlier in the body.
  bool isEarlier(mlir::Operation *a, mlir::Operation *b) const;

  /// The ops of the body of `loop`, all of which have slots, in the order of the pipelined loop.
  std::vector<mlir::Operation *> getOrder(mlir::scf::ForOp loop) const;
  /// Whether all ops have slots, in which each comes after what it depends on (LoopProblem.h).
  bool isRight(mlir::scf::ForOp loop) const;

private:
  llvm::DenseMap<mlir::Operation *, Slot> slots;
  ClusterOrder clusters;
};

/// Calls `see` with each value of the iteration that `op`, of the body of `loop`, uses, also in its
/// regions: the op of the body that makes it, and whether the loop carries it from the iteration
/// before. Carried values that no op of the body makes are left out.
void forEachDependence(mlir::scf::ForOp loop, mlir::Operation *op,
                       llvm::function_ref<void(mlir::Operation *def, bool isCarried)> see);

/// Moves ops of a loop to where they stand earlier in the body, with what they need.
class ForwardMoves {
public:
  ForwardMoves(mlir::scf::ForOp loop, LoopSchedule &schedule) : loop(loop), schedule(schedule) {}

  /// Moves `op` and what it needs to `cluster`, where they stand later; what it needs of the
  /// iteration before, to a cluster right before that one.
  void pull(mlir::Operation *op, Cluster cluster);

private:
  mlir::scf::ForOp loop;
  LoopSchedule &schedule;
  std::map<Cluster, Cluster> clusterOfCarried;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPSCHEDULE_H
