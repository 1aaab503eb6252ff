//===- LoweringBuilder.h - Builder of LLVM-dialect ops --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The builder that all patterns of the lowering use. A function computes constants and the parts of
// indices that depend on the thread alone once, at its start: the threads' places do not
// change, so no loop computes them again, and ops in one layout share them. So does a partition,
// which other warps run (ttg::ThreadGroup).
//
// The bits of a thread's number in its group are its lane's bits, then its warp's: a layout
// restricted to (lane, warp) is a linear map of that number. `ThreadBases` lists the
// images of its bits.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_LOWERINGBUILDER_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_LOWERINGBUILDER_H

#include "ir/ttg/ThreadGroup.h"
#include "lower/core/TargetLowering.h"
#include "plan/cache/PlanCache.h"
#include "tilewright/layout/LinearLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <vector>

namespace tilewright::lower {

/// The images of the bits of a thread's number under a linear map, lowest bit first.
using ThreadBases = std::vector<uint64_t>;

/// The images of the lane and warp bits of `layout` in its one output dimension, or in its
/// packed outputs.
ThreadBases getThreadBases(const layout::LinearLayout &layout);

/// The state of lowering one module.
class LoweringContext {
public:
  LoweringContext(const TargetLowering &target, mlir::ModuleOp module);

  const TargetLowering &target;
  /// The plans that allocation has asked for, too.
  plan::PlanCache &plans;
  const unsigned laneBits;
  /// The warps and threads that a block is launched with.
  const unsigned numWarps;
  unsigned numThreads() const { return numWarps << laneBits; }

  /// An error has been reported; conversion goes on to find others.
  bool failed = false;

private:
  friend class LoweringBuilder;
  /// The values at the start of a function or of a partition.
  struct Frame {
    ttg::ThreadGroup group;
    mlir::Operation *last = nullptr;
    mlir::Value threadId, warpThreadId, sharedBase;
    llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::Value> constants;
    std::map<ThreadBases, mlir::Value> threadValues;
  };
  llvm::DenseMap<mlir::Region *, Frame> frames;
};

/// Emits ops at an insertion point and with a location.
class LoweringBuilder {
public:
  LoweringBuilder(LoweringContext &context, mlir::OpBuilder &builder, mlir::Location loc)
      : context(context), target(context.target), builder(builder), loc(loc) {}

  LoweringContext &context;
  const TargetLowering &target;
  mlir::OpBuilder &builder;
  mlir::Location loc;

  template <typename OpType, typename... Args> OpType create(Args &&...args) {
    return OpType::create(builder, loc, std::forward<Args>(args)...);
  }

  /// The warps that run what is emitted here, and the bits of the number of one of their threads.
  const ttg::ThreadGroup &getGroup() { return getFrame().group; }
  unsigned threadBits();
  unsigned numThreads() { return 1u << threadBits(); }

  //===------------------------------------------------------------------------===//
  // Barriers.
  //===------------------------------------------------------------------------===//

  /// All threads of the group meet: TargetLowering::emitSharedBarrier and emitBlockBarrier, by the
  /// group's own barrier where it is not the whole block.
  void emitSharedBarrier();
  void emitGroupBarrier();

  //===------------------------------------------------------------------------===//
  // Values a function has once.
  //===------------------------------------------------------------------------===//

  mlir::Value getConstant(mlir::TypedAttr value);
  mlir::Value getInt(mlir::Type type, int64_t value);
  mlir::Value getI32(int64_t value) { return getInt(builder.getI32Type(), value); }
  /// The same in all elements of a vector.
  mlir::Value getFloat(mlir::Type type, double value);
  /// Zero of an integer, floating-point, pointer or vector type.
  mlir::Value getZero(mlir::Type type);

  /// The thread's number in its group.
  mlir::Value getThreadId();
  /// The number of a thread of the warp, the same for all its lanes: the thread's own but for the
  /// bits of the lane, which mean nothing.
  mlir::Value getWarpThreadId();
  /// Start of the block's shared memory.
  mlir::Value getSharedBase();
  /// The image of the thread's number, i32; null where the map is zero.
  mlir::Value getThreadValue(const ThreadBases &bases);
  /// i1: whether the image of the thread's number is `expected`; null where it always is.
  /// The caller has made sure that it can be.
  mlir::Value testThread(const ThreadBases &bases, uint64_t expected);
  /// i1: whether the bits `mask` of the thread's number are all zero; null for no bits.
  mlir::Value testThreadBitsZero(uint32_t mask);

  //===------------------------------------------------------------------------===//
  // Arithmetic on indices.
  //===------------------------------------------------------------------------===//

  /// The image of the thread's number XOR a constant.
  mlir::Value getIndex(const ThreadBases &bases, uint64_t constant);
  /// `base` plus a byte offset.
  mlir::Value addBytes(mlir::Value base, mlir::Value offset);
  mlir::Value addBytes(mlir::Value base, int64_t offset);
  /// a & b of i1 values, each of which may be null for true.
  mlir::Value andPredicates(mlir::Value a, mlir::Value b);

  //===------------------------------------------------------------------------===//
  // Values in memory and in shuffles.
  //===------------------------------------------------------------------------===//

  /// The type in which values of an element's LLVM type are kept in memory: pointers as
  /// i64, integers of less than a byte as i8.
  mlir::Type getMemoryType(mlir::Type type);
  mlir::Value toMemory(mlir::Value value);
  mlir::Value fromMemory(mlir::Value value, mlir::Type type);
  /// Bytes of a value in memory.
  unsigned getMemoryBytes(mlir::Type type);

  /// Values of one memory type as a vector, and back.
  mlir::Value packVector(mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> unpackVector(mlir::Value vector);

  /// Any value of up to 64 bits through `shuffle`, which takes and gives an i32.
  mlir::Value shuffle(mlir::Value value, llvm::function_ref<mlir::Value(mlir::Value)> shuffleWord);
  mlir::Value shuffleXor(mlir::Value value, unsigned laneMask);

private:
  LoweringContext::Frame &getFrame();
  /// The barrier of the group, if it is not the one of the whole block.
  std::optional<NamedBarrier> getOwnBarrier();
  /// Runs `make` at the start of the function.
  mlir::Value hoist(LoweringContext::Frame &frame, llvm::function_ref<mlir::Operation *()> make);
  mlir::Value hoistThreadId(LoweringContext::Frame &frame);
  mlir::Value hoistThreadValue(const ThreadBases &bases);
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_LOWERINGBUILDER_H
