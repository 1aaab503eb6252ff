//===- Gluon.h - Builtins of Gluon: families and arguments ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of triton.experimental.gluon.language of Triton 3.6, whose documentation says what
// each does, and what their arguments have in common: layouts, views of memory, predicates.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_BUILTINS_GLUON_GLUON_H
#define TILEWRIGHT_FRONTEND_BUILTINS_GLUON_GLUON_H

#include "frontend/builtins/Builtins.h"
#include "frontend/value/Layouts.h"
#include "ir/ttg/Dialect.h"

namespace tilewright::frontend {

// The families, each in its own file.
llvm::ArrayRef<Builtin> gluonLayoutBuiltins();
llvm::ArrayRef<Builtin> gluonAmdLayoutBuiltins();
llvm::ArrayRef<Builtin> gluonTensorBuiltins();
llvm::ArrayRef<Builtin> gluonMemoryBuiltins();
/// The types of tensors and of views of shared memory.
llvm::ArrayRef<Builtin> gluonTypeBuiltins();
llvm::ArrayRef<Builtin> sharedMemoryMethods();
llvm::ArrayRef<Builtin> tensorMemoryMethods();
llvm::ArrayRef<Builtin> gluonAsyncCopyBuiltins();
llvm::ArrayRef<Builtin> gluonBarrierBuiltins();
llvm::ArrayRef<Builtin> gluonAmpereBarrierBuiltins();
llvm::ArrayRef<Builtin> gluonTensorCopyBuiltins();
llvm::ArrayRef<Builtin> gluonGatherCopyBuiltins();
llvm::ArrayRef<Builtin> gluonAmpereBuiltins();
llvm::ArrayRef<Builtin> gluonHopperBuiltins();
llvm::ArrayRef<Builtin> gluonBlackwellBuiltins();
/// Those of a family of AMD's processors: "rdna3", "rdna4", "cdna3", "cdna4".
llvm::ArrayRef<Builtin> gluonAmdBuiltins(llvm::StringRef processor);
/// The buffer operations of CDNA3 and CDNA4.
llvm::ArrayRef<Builtin> gluonAmdBufferBuiltins();
/// The scaled products of CDNA4, and its copies to shared memory.
llvm::ArrayRef<Builtin> gluonScaledProductBuiltins();
llvm::ArrayRef<Builtin> gluonAmdCopyBuiltins();
llvm::ArrayRef<Builtin> gluonProductBuiltins();
llvm::ArrayRef<Builtin> gluonFloat2Builtins();

/// The pointers of the arguments `pointer` and `pointer + 1`, its offsets, of a buffer operation;
/// no value after an error.
Value bufferPointers(const Arguments &arguments, size_t pointer);

/// Calls a function of triton.language.
Value callLanguage(const Arguments &arguments, llvm::StringRef name,
                   llvm::ArrayRef<GivenArgument> given);

/// The argument as a layout of tensors; nothing, after an error, if it is none.
std::optional<mlir::Attribute> distributedLayout(const Arguments &arguments, size_t index);
/// The same; AutoLayout where the argument is left out or None.
std::optional<mlir::Attribute> layoutOrAuto(const Arguments &arguments, size_t index);
/// The argument as a layout of shared memory.
std::optional<mlir::Attribute> sharedLayout(const Arguments &arguments, size_t index);

/// Whether a tensor of `shape` can be in the layout: an error about the argument if not.
bool checkLayoutFits(const Arguments &arguments, size_t index, mlir::Attribute layout,
                     llvm::ArrayRef<int64_t> shape);

/// The argument as a list of numbers that are not negative; false after an error.
bool numbersOf(const Arguments &arguments, size_t index, std::vector<unsigned> &numbers);
/// The same of a list of bases, which each have `rank` numbers; empty where it is left out.
bool basesOf(const Arguments &arguments, size_t index, unsigned rank, layout::LiteralBases &bases);
/// The same of one number.
std::optional<unsigned> numberOf(const Arguments &arguments, size_t index,
                                 std::optional<unsigned> otherwise = {});

/// The layout `attribute`, unless `valid` says that there is none such.
Value layoutIf(const Arguments &arguments, const Result<void> &valid,
               llvm::function_ref<mlir::Attribute()> make);

/// The argument as a view of memory of the block; no value, after an error, if it is none.
Value memDescArgument(const Arguments &arguments, size_t index);
/// A tuple of such views; false after an error.
bool memDescArguments(const Arguments &arguments, size_t index,
                      llvm::SmallVectorImpl<mlir::Value> &views);
/// The argument as a scalar i1, True where it is left out.
Value predicateArgument(const Arguments &arguments, size_t index);
/// The argument as a scalar i32.
Value indexArgument(const Arguments &arguments, size_t index);
/// A tuple of such scalars; false after an error.
bool indexArguments(const Arguments &arguments, size_t index,
                    llvm::SmallVectorImpl<mlir::Value> &indices);

/// The type of a view of shared memory, which `layout` lays out; null, after an error at the
/// current place, if there is none such.
ttg::MemDescType sharedMemoryType(const Arguments &arguments, DType element,
                                  llvm::ArrayRef<int64_t> shape, mlir::Attribute layout,
                                  llvm::ArrayRef<int64_t> allocShape = {});

/// The same of tensor memory.
ttg::MemDescType tensorMemoryType(const Arguments &arguments, DType element,
                                  llvm::ArrayRef<int64_t> shape, mlir::Attribute layout,
                                  llvm::ArrayRef<int64_t> allocShape);

/// get_tmem_reg_layout.
Value tensorRegisterLayout(Arguments &arguments);

/// Calls `check` with a function that gives diagnostics, and returns what they say: empty if they
/// say nothing.
std::string
messageOf(const Arguments &arguments,
          llvm::function_ref<void(llvm::function_ref<mlir::InFlightDiagnostic()> emitError)> check);

/// Whether the verifier of an op that was just made lets it pass: what it says is the error, at the
/// current place, and the op is gone then.
bool verifyMade(const Arguments &arguments, mlir::Operation *op);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_BUILTINS_GLUON_GLUON_H
