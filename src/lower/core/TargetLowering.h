//===- TargetLowering.h - The vendor's part of the lowering ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The lowering from ttg to the LLVM dialect is written once. What differs from vendor to vendor it
// asks of the interfaces below, and only that: what one vendor alone has is a pattern in its folder
// (lower/core/VendorLowering.h). Each question emits ops of the vendor's dialect or LLVM intrinsics
// at the builder's insertion point, and none fails: whether a target has a thing at all is said by
// its table (target/Target.h), or by a question of its own (has*, can*) that is asked before.
//
// A vendor has to answer the questions that have no default (TargetLowering.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TARGETLOWERING_H
#define TILEWRIGHT_LOWER_CORE_TARGETLOWERING_H

#include "target/Target.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower {

using target::WarpReduction;

/// Functions of f32 that targets have in a fast form. Narrower floats are computed in f32.
enum class MathFunction {
  Exp2, ///< 2^x
  /// 2^x, where a subnormal result may become 0.
  NormalExp2,
  Log2,   ///< base-2 logarithm
  Sqrt,   ///< square root, approximate
  Rsqrt,  ///< 1 / square root
  Sin,    ///< sine, x in radians; needed between -pi and pi
  Cos,    ///< cosine, as for Sin
  Divide, ///< x / y to about 2 units in the last place, over the whole range
};

/// The address spaces of LLVM pointers that all GPU targets agree on here.
enum AddressSpace : unsigned { Global = 1, Shared = 3 };

/// The threads that an atomic operation is one step for.
enum class MemoryScope { Block, Device, System };

/// How a vector access is to be done.
struct AccessFlags {
  bool isVolatile = false;
  /// The data is not used again soon.
  bool nontemporal = false;
  /// Further cache hints, as in ttg::cachePolicyAttrName; may be empty.
  llvm::StringRef cachePolicy = {};
};

/// Kernels, and the numbers of their threads and programs.
class ThreadModel {
public:
  virtual ~ThreadModel() = default;

  /// Marks `func` as a kernel whose blocks have `numThreads` threads.
  virtual void markKernel(mlir::LLVM::LLVMFuncOp func, unsigned numThreads) const = 0;

  /// The thread's number in its block, in [0, numThreads), i32: the lane is in its low bits.
  virtual mlir::Value getThreadId(mlir::OpBuilder &builder, mlir::Location loc,
                                  unsigned numThreads) const = 0;
  /// The program's position in the grid, and the grid's size, along axis 0, 1 or 2; i32.
  virtual mlir::Value getProgramId(mlir::OpBuilder &builder, mlir::Location loc,
                                   unsigned axis) const = 0;
  virtual mlir::Value getNumPrograms(mlir::OpBuilder &builder, mlir::Location loc,
                                     unsigned axis) const = 0;

  /// `word` (i32), which the lanes of the warp are known to have in common, in a form from which
  /// the target sees that; all of them take part. By default as it is: that makes no difference.
  virtual mlir::Value makeUniform(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value word) const;
};

/// A barrier for some warps of a block: its number, below Execution::blockBarriers, and the threads
/// that meet there, whole warps.
struct NamedBarrier {
  unsigned id = 0;
  unsigned numThreads = 0;
};

/// Barriers of the threads of a block.
class Barriers {
public:
  virtual ~Barriers() = default;

  /// All threads of the block, or of the warp, meet. What they wrote to shared memory before, and
  /// with a barrier of the block to global memory too, the others see after; what they read
  /// before is not what others write after.
  virtual void emitBlockBarrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual void emitWarpBarrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// Likewise of the block, for shared memory only: accesses of global memory may be under way. By
  /// default a barrier for both.
  virtual void emitSharedBarrier(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// The threads that `barrier` is for meet, for both memories as well. Asked of targets with
  /// several Execution::blockBarriers.
  virtual void emitNamedBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                                NamedBarrier barrier) const;
};

/// Exchange between the lanes of a warp, all of which take part.
class WarpExchange {
public:
  virtual ~WarpExchange() = default;

  /// `word` (i32) of the lane whose number differs in the bits of `laneMask`.
  virtual mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                                 unsigned laneMask) const = 0;
  /// `word` (i32) of lane `lane` (i32).
  virtual mlir::Value shuffleIndexed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                                     mlir::Value lane) const = 0;
  /// `word` (i32) of lane `sources[l]` in each lane l: what is known when compiling, so that the
  /// target may have a cheaper way than for lanes that are computed. Asked where
  /// Target::costs.fixedShuffle has such a way (not ShuffleCost::isIndexed).
  virtual mlir::Value shuffleFixed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                                   llvm::ArrayRef<unsigned> sources) const;
  /// `word` (i32 or f32) of all lanes combined, in all of them: one of the target's
  /// Execution::warpReductions.
  virtual mlir::Value reduceWarp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                                 WarpReduction reduction) const;
};

/// Arithmetic, for each thread alone.
class ScalarFunctions {
public:
  virtual ~ScalarFunctions() = default;

  /// A function of f32 operands.
  virtual mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc, MathFunction function,
                               mlir::ValueRange operands) const = 0;
  /// Whether the target's own library has the function that math/Formulas.h has by the name `name`;
  /// if not, the formula does it. By default not.
  virtual bool hasLibraryFunction(llvm::StringRef name) const;
  /// Such a function, of the formula's operands: f32 or f64 throughout, but for counts, which are
  /// i32.
  virtual mlir::Value emitLibraryFunction(mlir::OpBuilder &builder, mlir::Location loc,
                                          llvm::StringRef name, mlir::ValueRange operands) const;
  /// The upper half of the product of two integers of 32 or 64 bits. Asked of targets with
  /// Execution::hasMultiplyHigh.
  virtual mlir::Value emitMultiplyHigh(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                                       mlir::Value y, bool isSigned) const;
  /// a0 * b0 + .. + a3 * b3 + c, with the four signed bytes of each of `a` and `b` (i32); c is
  /// i32. Asked of targets with Execution::hasByteDotProduct.
  virtual mlir::Value emitByteDotProduct(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::Value a, mlir::Value b, mlir::Value c) const;

  /// Two f32 as 8-bit floats of the type `to`, e4m3 or e5m2, an i16 with `low` in its low byte:
  /// rounded to nearest even, or to the largest finite number where they are larger; a NaN becomes
  /// 0x7f. Asked of targets with Execution::hasFloat8Casts, as is the next.
  virtual mlir::Value emitPackedFloat8(mlir::OpBuilder &builder, mlir::Location loc,
                                       mlir::Value low, mlir::Value high, mlir::FloatType to) const;
  /// Such an i16, of e4m3, as a vector of two f16, exactly.
  virtual mlir::Value emitUnpackedFloat8(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::Value packed) const;
  /// Whether registers and memory hold a bf16 as an i16, its bits, because the back end has no such
  /// type; arithmetic is then in f32. By default not.
  virtual bool storesBf16AsI16() const;
  /// Whether the code has operations on vectors of 2, 3, 4, 8 and 16 elements. What is computed of
  /// vectors' elements then stays a vector: one operation in place of up to sixteen for all that
  /// read the code, also where the machine takes the elements one by one. By default not.
  virtual bool hasVectorArithmetic() const;
};

/// Loads, stores and copies.
class MemoryAccess {
public:
  virtual ~MemoryAccess() = default;

  /// A vector of `type` from `pointer`, aligned to `alignment` bytes. With `predicate` (i1)
  /// only where it is true, and `passThrough` (of `type`) where it is not. By default LLVM's load,
  /// or its masked load.
  virtual mlir::Value emitLoad(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type,
                               mlir::Value pointer, unsigned alignment, mlir::Value predicate,
                               mlir::Value passThrough, AccessFlags flags) const;
  /// Stores `vector` in the same way.
  virtual void emitStore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                         mlir::Value pointer, unsigned alignment, mlir::Value predicate,
                         AccessFlags flags) const;

  /// Begins to copy what `atom` (Target::findAsyncCopy) copies of a lane, to which both are
  /// aligned, from `source` in global memory to `target` in shared memory; where `predicate` (i1,
  /// may be null) is false, zeros. The thread has the bytes there after a wait for it
  /// (ttg.async_wait), the others after a barrier that follows it. For targets that list such
  /// copies, which have to override it.
  virtual void emitAsyncCopy(mlir::OpBuilder &builder, mlir::Location loc,
                             const target::CopyAtom &atom, mlir::Value target, mlir::Value source,
                             mlir::Value predicate) const;
  /// The words (i32, one for each of the `times` of the atom) that each lane gets from shared
  /// memory, or stores to it, by a copy that takes a whole warp: the atom's maps say which bytes
  /// they are. `pointer` is the address that the lane gives. For targets that list such copies,
  /// which have to override them.
  virtual llvm::SmallVector<mlir::Value> emitWarpLoad(mlir::OpBuilder &builder, mlir::Location loc,
                                                      const target::CopyAtom &atom,
                                                      mlir::Value pointer, unsigned times) const;
  virtual void emitWarpStore(mlir::OpBuilder &builder, mlir::Location loc,
                             const target::CopyAtom &atom, mlir::Value pointer,
                             mlir::ValueRange words) const;
};

/// An operand of a product: A, B, or what is added to and is the result.
enum class ProductOperand { A, B, Accumulator };

/// Products of tiles by the instructions that the target lists (Target::products) of which a warp
/// has all operands in registers. A fragment is what a lane holds of an operand, as the values that
/// the instruction takes. For targets to whose products encodings are given
/// (ttg::getAccumulatorEncoding), which have to override all of them.
class MatrixUnits {
public:
  virtual ~MatrixUnits() = default;

  /// How many accumulators of `atom` one fragment may hold: several where an accumulator is a part
  /// of each of its registers. By default 1.
  virtual unsigned getAccumulatorsPerFragment(const target::MmaAtom &atom) const;
  /// The fragment whose elements are `registers`, in the order of the atom's; of several
  /// accumulators those of one after those of the other.
  virtual llvm::SmallVector<mlir::Value> packFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                                      const target::MmaAtom &atom,
                                                      ProductOperand operand,
                                                      mlir::ValueRange registers) const;
  /// The registers of a fragment of results, of `type` each, in the order of packFragment.
  virtual llvm::SmallVector<mlir::Value>
  unpackFragment(mlir::OpBuilder &builder, mlir::Location loc, const target::MmaAtom &atom,
                 mlir::ValueRange fragment, mlir::Type type) const;
  /// The fragment `c` with a * b added to its accumulator of number `part`.
  virtual llvm::SmallVector<mlir::Value> emitProduct(mlir::OpBuilder &builder, mlir::Location loc,
                                                     const target::MmaAtom &atom,
                                                     mlir::ValueRange a, mlir::ValueRange b,
                                                     mlir::ValueRange c, unsigned part) const;
};

/// Atomic operations.
class AtomicOperations {
public:
  virtual ~AtomicOperations() = default;

  /// LLVM's name of the scope in `syncscope(..)` for this target.
  virtual llvm::StringRef getSyncScope(MemoryScope scope) const = 0;
  /// Says of an operation what the target needs to know to do it by an instruction. By default
  /// nothing.
  virtual void markAtomic(mlir::LLVM::AtomicRMWOp operation, MemoryScope scope) const;
  /// Bits of the narrowest value that atomic operations take; narrower ones are a loop of
  /// compare-and-swap on a word. By default 8.
  virtual unsigned getMinAtomicBits() const;
  /// Bits of the widest operation that is atomic for each of neighbouring elements of
  /// `elementType` (LLVM's, in memory) in global memory: `llvm.atomicrmw` of a vector. By default
  /// the element's own bits: there is none for several.
  virtual unsigned getMaxAtomicBits(mlir::LLVM::AtomicBinOp operation,
                                    mlir::Type elementType) const;
};

/// Printing, assertions and inline assembly.
class Debugging {
public:
  virtual ~Debugging() = default;

  /// Whether kernels can print. By default not.
  virtual bool canPrint() const;
  /// Prints `values`, promoted as C does it (i32, i64, f64), by a format of C's printf. Asked of
  /// targets whose kernels can.
  virtual void emitPrint(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef format,
                         mlir::ValueRange values) const;
  /// Whether kernels can end the launch. By default not.
  virtual bool canFail() const;
  /// Ends the launch with a message and a place in the source. Asked of targets whose kernels can.
  virtual void emitAssertionFailure(mlir::OpBuilder &builder, mlir::Location loc,
                                    llvm::StringRef message, llvm::StringRef file,
                                    llvm::StringRef function, unsigned line) const;
  /// Whether kernels may hold assembly, which is then the target's own. By default not.
  virtual bool hasInlineAssembly() const;
};

/// All of it, for one target.
class TargetLowering : public ThreadModel,
                       public Barriers,
                       public WarpExchange,
                       public ScalarFunctions,
                       public MemoryAccess,
                       public MatrixUnits,
                       public AtomicOperations,
                       public Debugging {
public:
  /// The target's table.
  const target::Target &getTarget() const { return target; }
  /// Its name as modules have it, such as "cuda:90".
  llvm::StringRef getName() const { return target.name; }

protected:
  explicit TargetLowering(const target::Target &target) : target(target) {}

private:
  const target::Target &target;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TARGETLOWERING_H
