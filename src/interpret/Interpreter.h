//===- Interpreter.h - The meaning of programs of tiles ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Runs a kernel of `tt` or `ttg` as its ops are defined, on tiles: one definition for all stages of
// a compilation, all targets and all layouts. Layouts mean nothing here; what they arrange is
// arranged already. It knows the ops of tt, ttg and of the vendors' dialects beside them, of arith,
// math, scf and cf. Asynchronous operations are done as late as a wait allows, and what they will
// write is undefined until then: a program that does not wait computes what is not defined.
//
// Where the source leaves a choice - the order in which a sum is made, the rounding of a product
// that becomes one operation with a sum, the order of atomic operations - a Variant makes it. The
// results of a program differ from variant to variant as far as a compiler may change them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_INTERPRETER_H
#define TILEWRIGHT_INTERPRET_INTERPRETER_H

#include "interpret/GlobalMemory.h"
#include "interpret/Tensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <optional>

namespace tilewright::interpret {

/// The choices that are left to the compiler, all in one way.
enum class Variant : uint8_t {
  /// As the source reads: sums from the first element on, every result rounded.
  Plain,
  /// Sums of products rounded at each step; other rounded results one step from zero.
  Forward,
  /// Everything in reverse; other rounded results one step closer to zero.
  Backward,
  /// Sums in pairs; other rounded results one step in either direction.
  Paired,
};

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  Variant variant = Variant::Plain;
  /// The most elements that are computed in all, before the run is given up.
  uint64_t maxWork = uint64_t(1) << 31;
};

/// The reason why a run did not come to its end.
struct Stop {
  enum class Kind : uint8_t {
    /// There is an op that the interpreter does not know.
    Unknown,
    /// The program does what no program may.
    Fault,
    /// It takes too long.
    TooLong,
  };
  Kind kind;
  /// A phrase without a full stop; of Unknown, the op.
  std::string what;
  mlir::Location place;
};

struct Outcome {
  std::optional<Stop> stop;
  /// Elements that were computed.
  uint64_t work = 0;
  /// Whether the variant moved a rounded result.
  bool hasMoved = false;

  explicit operator bool() const { return !stop; }
};

/// Runs the programs of a grid, one after the other, with x the fastest. `arguments` are those of
/// the module's kernel, its only public tt.func: a scalar tensor for each number and pointer.
Outcome run(mlir::ModuleOp module, llvm::ArrayRef<Datum> arguments, GlobalMemory &memory,
            const Launch &launch);

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_INTERPRETER_H
