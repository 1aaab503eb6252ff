//===- Builtins.h - Lookup of builtins and binding of their arguments -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_BUILTINS_BUILTINS_H
#define TILEWRIGHT_FRONTEND_BUILTINS_BUILTINS_H

#include "frontend/value/Builtin.h"
#include "frontend/value/TritonBuilder.h"
#include "ir/tt/Dialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::frontend {

/// An argument as the call gives it.
struct GivenArgument {
  llvm::StringRef keyword;
  Value value;
  SourceSpan span;
};

/// Calls a jitted function of the file at the current place.
using FunctionCaller =
    llvm::function_ref<Value(const FunctionObject *, llvm::ArrayRef<GivenArgument>)>;

/// The arguments of a call of a builtin, bound to its parameters.
class Arguments {
public:
  /// `caller` serves builtins that take functions; those without such need none.
  Arguments(TritonBuilder &tb, const Builtin &builtin, FunctionCaller caller = {})
      : tb(tb), builtin(builtin), caller(caller) {}

  /// False if the arguments do not fit; the error has been recorded.
  bool bind(llvm::ArrayRef<GivenArgument> given);

  TritonBuilder &tb;
  const Builtin &builtin;

  size_t size() const { return values.size(); }
  /// The value of a parameter; None where it was left out.
  const Value &operator[](size_t index) const { return values[index]; }
  /// Sets the value of a parameter, as if the call had given it.
  void replace(size_t index, Value value) {
    values[index] = std::move(value);
    isGiven[index] = true;
  }
  bool given(size_t index) const { return isGiven[index]; }
  /// Whether a single tuple stands for the arguments of the parameter that takes any number.
  bool isSpread(size_t index) const { return given(index) && spread; }
  /// The source range of the argument; that of the whole call if it was left out.
  SourceSpan spanOf(size_t index) const { return spans[index]; }

  /// Records an error about one argument, at its place. `message` follows the names of the
  /// function and of the parameter.
  Value fail(size_t index, const llvm::Twine &message, const llvm::Twine &remedy = "") const;
  /// Likewise, for those who return whether to go on: false.
  bool reject(size_t index, const llvm::Twine &message, const llvm::Twine &remedy = "") const {
    fail(index, message, remedy);
    return false;
  }

  /// Constants of each kind; nothing, after an error, if the argument is not one.
  std::optional<int64_t> integer(size_t index) const;
  std::optional<bool> flag(size_t index, bool otherwise) const;
  std::optional<std::string> string(size_t index) const;
  std::optional<DType> type(size_t index) const;
  /// A tuple of sizes, or one size.
  bool shape(size_t index, llvm::SmallVectorImpl<int64_t> &sizes) const;
  /// A scalar or tensor; numbers become scalars.
  Value tensor(size_t index) const;
  /// A dimension of a tensor of `rank`, counted from the end if negative.
  std::optional<unsigned> axis(size_t index, unsigned rank) const;
  /// Whether the argument is a function of the kernel's, which `call` needs: a jitted one, or one
  /// that triton.language combines elements with. An error if it is not.
  bool isFunction(size_t index) const;
  /// Calls the function that is the argument with these operands, by position.
  Value call(size_t index, llvm::ArrayRef<Value> operands) const;

private:
  FunctionCaller caller;
  llvm::SmallVector<llvm::StringRef, 8> names;
  llvm::SmallVector<Value, 8> values;
  llvm::SmallVector<SourceSpan, 8> spans;
  llvm::SmallVector<bool, 8> isGiven;
  bool spread = false;
};

/// A function of triton.language (and triton.language.math).
const Builtin *findLanguageBuiltin(llvm::StringRef name);
/// A function of triton.language.extra.libdevice.
const Builtin *findDeviceBuiltin(llvm::StringRef name);
/// A function of triton.language.extra.cuda.
const Builtin *findExtraBuiltin(llvm::StringRef name);
/// A method of scalars and tensors.
const Builtin *findTensorMethod(llvm::StringRef name);
/// A method of types.
const Builtin *findTypeMethod(llvm::StringRef name);
/// A method of Python's numbers.
const Builtin *findNumberMethod(llvm::StringRef name);
/// A function of triton.language.target_info.
const Builtin *findTargetBuiltin(llvm::StringRef name);
/// A method of strings.
const Builtin *findStringMethod(llvm::StringRef name);
/// A function of a module of Gluon, by its name below triton.experimental.gluon: "language",
/// "language.nvidia.hopper.tma".
const Builtin *findGluonBuiltin(llvm::StringRef module, llvm::StringRef name);
/// The names of such functions, and whether Gluon has the module though this compiler does not.
llvm::SmallVector<llvm::StringRef> namesOfGluonModule(llvm::StringRef module);
bool isUnsupportedGluonModule(llvm::StringRef module);
/// A class of layouts, of any of its modules, or of types that have one, by its name.
const Builtin *findGluonConstant(llvm::StringRef name);
/// The class of gluon's float2.Float2Tensor, a method of its objects, and an operator of them,
/// which is nothing where the left side is none.
const TupleClass &float2Class();
const Builtin *findFloat2Method(llvm::StringRef name);
std::optional<Value> float2Operator(TritonBuilder &tb, BinaryOperator op, const Value &left,
                                    const Value &right);
/// A method of views of shared memory, and of tensor memory.
const Builtin *findMemDescMethod(llvm::StringRef name, bool isTensorMemory);
/// A function of tilewright.matrix.
const Builtin *findMatrixBuiltin(llvm::StringRef name);
/// A method of tensor descriptors.
const Builtin *findDescriptorMethod(llvm::StringRef name);
/// A function of Python's math module.
const Builtin *findMathBuiltin(llvm::StringRef name);
/// A function of the triton module.
const Builtin *findTritonBuiltin(llvm::StringRef name);
/// A function that Python itself has.
const Builtin *findPythonBuiltin(llvm::StringRef name);

/// Whether triton.language has the function, though this compiler does not.
bool isUnsupportedLanguageName(llvm::StringRef name);
/// The name in triton.language that is closest to a misspelt one; empty if none is close.
llvm::StringRef closestLanguageName(llvm::StringRef name);
/// The one in tilewright.matrix.
llvm::StringRef closestMatrixName(llvm::StringRef name);
/// The one in libdevice.
llvm::StringRef closestDeviceName(llvm::StringRef name);
/// The one of `candidates` that is closest; empty if none is close.
llvm::StringRef closestOf(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

// The families, each in its own file.
llvm::ArrayRef<Builtin> creationBuiltins();
llvm::ArrayRef<Builtin> dotBuiltins();
llvm::ArrayRef<Builtin> mathBuiltins();
llvm::ArrayRef<Builtin> matrixBuiltins();
llvm::ArrayRef<Builtin> memoryBuiltins();
llvm::ArrayRef<Builtin> assemblyBuiltins();
llvm::ArrayRef<Builtin> atomicBuiltins();
llvm::ArrayRef<Builtin> shapeBuiltins();
llvm::ArrayRef<Builtin> joiningBuiltins();
llvm::ArrayRef<Builtin> reductionBuiltins();
llvm::ArrayRef<Builtin> scanBuiltins();
llvm::ArrayRef<Builtin> sortBuiltins();
llvm::ArrayRef<Builtin> gatherBuiltins();
llvm::ArrayRef<Builtin> randomBuiltins();
llvm::ArrayRef<Builtin> composedBuiltins();
llvm::ArrayRef<Builtin> otherBuiltins();
llvm::ArrayRef<Builtin> debugBuiltins();
llvm::ArrayRef<Builtin> printBuiltin();
llvm::ArrayRef<Builtin> typeBuiltins();
llvm::ArrayRef<Builtin> operatorBuiltins();
llvm::ArrayRef<Builtin> descriptorBuiltins();
llvm::ArrayRef<Builtin> blockPointerBuiltins();
llvm::ArrayRef<Builtin> pythonBuiltins();
llvm::ArrayRef<Builtin> pythonMathBuiltins();
llvm::ArrayRef<Builtin> typeMethods();
llvm::ArrayRef<Builtin> stringMethods();
llvm::ArrayRef<Builtin> numberMethods();
llvm::ArrayRef<Builtin> standardBuiltins();
llvm::ArrayRef<Builtin> targetBuiltins();
llvm::ArrayRef<Builtin> tritonBuiltins();
llvm::ArrayRef<Builtin> combineBuiltins();
llvm::ArrayRef<Builtin> mapBuiltins();
llvm::ArrayRef<Builtin> descriptorMethods();

/// For a load or store through a block pointer, its first argument: replaces it by a tensor of
/// pointers, and gives mask and `other` for the dimensions to check. 0 stands for a parameter
/// that the function does not have. False after an error.
bool replaceBlockPointer(Arguments &arguments, size_t mask, size_t other, size_t boundaryCheck,
                         size_t padding);

/// The type of descriptors of blocks of elements of `type`: unlike tensors, they tell signed
/// integers from unsigned ones, since the hardware's minimum and maximum do. `layout` is that of a
/// block in shared memory, or null.
tt::TensorDescType descriptorType(mlir::MLIRContext *context, DType type,
                                  llvm::ArrayRef<int64_t> block, mlir::Attribute layout);

/// A descriptor of the arguments base, shape, strides and block_shape. The argument `layoutIndex`
/// is the layout of a block in shared memory, 0 for none.
Value makeDescriptorIn(Arguments &arguments, size_t layoutIndex, size_t paddingIndex);

/// tl.histogram of the arguments input, num_bins and mask; the result has this layout, if any.
Value histogramIn(Arguments &arguments, mlir::Attribute layout);

/// Whether a tensor may have this shape: at least one dimension, powers of two, and not
/// too many elements. Records an error about the argument if not.
bool checkTileShape(const Arguments &arguments, size_t index, llvm::ArrayRef<int64_t> shape);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_BUILTINS_BUILTINS_H
