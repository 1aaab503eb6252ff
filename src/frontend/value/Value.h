//===- Value.h - Values of kernel expressions -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// While code is generated, an expression is either a constant that the compiler computes
// with (a "constexpr": Python's numbers, strings, tuples, types, functions), or a value
// that the kernel computes: an SSA value with its element type, scalar or tensor.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_VALUE_H
#define TILEWRIGHT_FRONTEND_VALUE_VALUE_H

#include "frontend/syntax/Ast.h"
#include "frontend/value/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::frontend {

struct Builtin;
struct ClassObject;
struct FoundModule;
struct FunctionObject;

/// Integers are computed in 128 bits and kept between -2^63 and 2^64 - 1.
using Integer = __int128;

enum class ValueKind : uint8_t {
  /// No value: evaluating failed, and the error has been recorded.
  Invalid,
  None,
  Bool,
  Integer,
  Float,
  String,
  Ellipsis,
  /// An element type, such as tl.float32, or the type of a tensor: with its shape.
  Type,
  Tuple,
  /// A dict or a set, of code that runs outside of kernels. Neither changes once it is made.
  Dict,
  Set,
  /// A scalar or a tensor that the kernel computes.
  Tensor,
  /// A tensor in global memory that is read and written block by block.
  Descriptor,
  /// A place in a tensor in global memory, and the shape of the block there.
  BlockPointer,
  /// A cooperative matrix.
  Matrix,
  /// A view of shared or tensor memory: an SSA value of a ttg::MemDescType.
  MemDesc,
  /// The result of an asynchronous product, which is there once it has been waited for: an SSA
  /// value of a tensor.
  Accumulator,
  /// A layout of Gluon's, an encoding: `layout`.
  Layout,
  /// A function of a source file.
  Function,
  /// A class of a source file.
  Class,
  /// A function of triton.language, of triton or of Python.
  Builtin,
  /// A builtin bound to its first argument: x.sum.
  Method,
  /// A Python module.
  Module,
  /// Something of a module that is not read, of which no more is known than its name: `text`.
  Host,
  /// A name that has no value here, and why: `text`. The counter of a loop that has ended has
  /// elements - the loop's lower and upper bound and its step -, its type, and as `integer` whether
  /// the loop counts down, so that its last value can be computed.
  Unavailable,
  /// What stands for a slice: its bounds and its step, each None where it has none.
  Slice,
  /// What triton.Config makes: a dict of constants, and one of the options that are given.
  Config,
};

struct TupleClass;

struct Value {
  ValueKind kind = ValueKind::Invalid;
  /// The element type of a tensor; the value of a Type.
  DType type;
  /// The value of a Bool or an Integer.
  Integer integer = 0;
  double number = 0;
  /// The value of a String, the name of a Module, Host or Class, the reason of Unavailable.
  std::string_view text;
  mlir::Value ssa;
  /// The encoding that a Layout is, and that of the Type of a tensor which has one.
  mlir::Attribute layout;
  const FunctionObject *function = nullptr;
  /// Of a Class that a source file defines.
  const ClassObject *classObject = nullptr;
  /// Of a named Tuple, and of a Class of such tuples.
  const TupleClass *tupleClass = nullptr;
  /// A Type may be that of a part of some shared memory.
  bool isPart = false;
  /// Of a Tuple that code outside of kernels made as a list.
  bool isList = false;
  /// Of a Module that is a file or a folder.
  const FoundModule *module = nullptr;
  const Builtin *builtin = nullptr;
  /// The elements of a Tuple or a Set; keys and values of a Dict by turns; the receiver of a
  /// Method; the two dicts of a Config; the sizes of a tensor's Type; three tuples of a Descriptor:
  /// the sizes of its blocks, the tensor's sizes and its strides; five of a BlockPointer: its base
  /// (one pointer), the tensor's sizes and strides, the block's offsets and its sizes.
  std::shared_ptr<const std::vector<Value>> elements;

  explicit operator bool() const { return kind != ValueKind::Invalid; }

  static Value none() { return ofKind(ValueKind::None); }
  /// A cooperative matrix of elements of `type`: an SSA value of a tw::CoopMatrixType.
  static Value matrix(mlir::Value ssa, DType type) {
    Value result = ofKind(ValueKind::Matrix);
    result.ssa = ssa;
    result.type = type;
    return result;
  }
  /// A view of memory with elements of `type`.
  static Value memDesc(mlir::Value ssa, DType type) {
    Value result = ofKind(ValueKind::MemDesc);
    result.ssa = ssa;
    result.type = type;
    return result;
  }
  static Value accumulator(mlir::Value ssa, DType type) {
    Value result = ofKind(ValueKind::Accumulator);
    result.ssa = ssa;
    result.type = type;
    return result;
  }
  static Value ofLayout(mlir::Attribute layout) {
    Value result = ofKind(ValueKind::Layout);
    result.layout = layout;
    return result;
  }
  static Value boolean(bool value) {
    Value result = ofKind(ValueKind::Bool);
    result.integer = value;
    return result;
  }
  static Value ofInteger(Integer value) {
    Value result = ofKind(ValueKind::Integer);
    result.integer = value;
    return result;
  }
  static Value ofFloat(double value) {
    Value result = ofKind(ValueKind::Float);
    result.number = value;
    return result;
  }
  static Value ofString(std::string_view text) {
    Value result = ofKind(ValueKind::String);
    result.text = text;
    return result;
  }
  static Value ofType(DType type) {
    Value result = ofKind(ValueKind::Type);
    result.type = type;
    return result;
  }
  /// The type of tensors of this shape.
  static Value ofType(DType type, llvm::ArrayRef<int64_t> shape, mlir::Attribute layout = {});
  /// A descriptor of blocks of elements of `type`. `shape` and `strides` are tuples of scalars,
  /// one for each dimension.
  static Value descriptor(mlir::Value ssa, DType type, Value blockShape, Value shape,
                          Value strides);
  /// A block pointer of these parts; sizes and strides are i64, offsets i32.
  static Value blockPointer(std::vector<Value> parts);
  static Value tensor(mlir::Value ssa, DType type) {
    Value result = ofKind(ValueKind::Tensor);
    result.ssa = ssa;
    result.type = type;
    return result;
  }
  /// Tuples may share their elements, so that a small program could make an enormous one;
  /// those with more parts than this are refused where they are made.
  static constexpr size_t maxTupleParts = 1024;
  static Value tuple(std::vector<Value> elements) {
    Value result = ofKind(ValueKind::Tuple);
    result.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
    return result;
  }
  static Value list(std::vector<Value> elements) {
    Value result = tuple(std::move(elements));
    result.isList = true;
    return result;
  }
  static Value ofFunction(const FunctionObject *function) {
    Value result = ofKind(ValueKind::Function);
    result.function = function;
    return result;
  }
  static Value ofBuiltin(const Builtin *builtin) {
    Value result = ofKind(ValueKind::Builtin);
    result.builtin = builtin;
    return result;
  }
  static Value method(const Builtin *builtin, Value receiver) {
    Value result = ofKind(ValueKind::Method);
    result.builtin = builtin;
    result.elements = std::make_shared<const std::vector<Value>>(1, std::move(receiver));
    return result;
  }
  /// A function of the source, bound to its first argument.
  static Value boundFunction(const FunctionObject *function, Value receiver) {
    Value result = method(nullptr, std::move(receiver));
    result.function = function;
    return result;
  }
  static Value ofModule(std::string_view name, const FoundModule *found = nullptr) {
    Value result = ofKind(ValueKind::Module);
    result.text = name;
    result.module = found;
    return result;
  }
  static Value host(std::string_view name) {
    Value result = ofKind(ValueKind::Host);
    result.text = name;
    return result;
  }
  static Value ofClass(std::string_view name, const ClassObject *classObject) {
    Value result = ofKind(ValueKind::Class);
    result.text = name;
    result.classObject = classObject;
    return result;
  }
  /// A class of named tuples, which lives as long as its values.
  static Value ofTupleClass(const TupleClass *tupleClass, const ClassObject *classObject = nullptr);
  static Value unavailable(std::string_view reason) {
    Value result = ofKind(ValueKind::Unavailable);
    result.text = reason;
    return result;
  }
  static Value ofKind(ValueKind kind) {
    Value result;
    result.kind = kind;
    return result;
  }

  static Value slice(Value lower, Value upper, Value step) {
    Value result = ofKind(ValueKind::Slice);
    result.elements = std::make_shared<const std::vector<Value>>(
        std::vector<Value>{std::move(lower), std::move(upper), std::move(step)});
    return result;
  }

  static Value config(Value constants, Value options) {
    Value result = ofKind(ValueKind::Config);
    result.elements = std::make_shared<const std::vector<Value>>(
        std::vector<Value>{std::move(constants), std::move(options)});
    return result;
  }

  bool isNone() const { return kind == ValueKind::None; }
  bool isSlice() const { return kind == ValueKind::Slice; }
  bool isTensor() const { return kind == ValueKind::Tensor; }
  bool isTuple() const { return kind == ValueKind::Tuple; }
  bool isDict() const { return kind == ValueKind::Dict; }
  bool isSet() const { return kind == ValueKind::Set; }
  /// A list, dict, set or triton.Config of Python, or a tuple with one inside.
  bool isMutable() const;
  /// Whether it is a string of ASCII characters, so that bytes are what Python counts.
  bool isAsciiString() const;
  /// What a loop over the value runs over: the keys of a dict, the characters of a string of ASCII;
  /// else the value itself.
  Value iterated() const;
  /// The value of a dict for the key; null if it has none.
  const Value *find(const Value &key) const;
  bool isMatrix() const { return kind == ValueKind::Matrix; }
  bool isMemDesc() const { return kind == ValueKind::MemDesc; }
  bool isAccumulator() const { return kind == ValueKind::Accumulator; }
  bool isLayout() const { return kind == ValueKind::Layout; }
  /// Is one SSA value, and nothing besides.
  bool isSingle() const { return isTensor() || isMatrix() || isMemDesc() || isAccumulator(); }
  bool isDescriptor() const { return kind == ValueKind::Descriptor; }
  bool isBlockPointer() const { return kind == ValueKind::BlockPointer; }
  /// Consists of other values, which go through branches, loops and calls in its place.
  bool hasParts() const { return isTuple() || isDescriptor() || isBlockPointer(); }
  /// The type of a tensor of one dimension or more.
  bool isBlockType() const { return kind == ValueKind::Type && elements; }
  /// Python's numbers: bool, int, float.
  bool isNumber() const {
    return kind == ValueKind::Bool || kind == ValueKind::Integer || kind == ValueKind::Float;
  }
  bool isIntegral() const { return kind == ValueKind::Bool || kind == ValueKind::Integer; }
  /// A number as Python's float() converts it.
  double asFloat() const {
    return kind == ValueKind::Float ? number : static_cast<double>(integer);
  }
  /// Known while compiling, all the way down.
  bool isConstant() const;

  /// The shape of a tensor or of a view of memory; empty for a scalar.
  llvm::ArrayRef<int64_t> shape() const;
  /// The encoding of a tensor or of a view of memory; null where it has none.
  mlir::Attribute encoding() const;
  bool isBlock() const { return isTensor() && llvm::isa<mlir::RankedTensorType>(ssa.getType()); }

  /// The tuples and other values inside a tuple, all the way down, and itself.
  size_t parts() const;

  /// The shape of the blocks of a descriptor or block pointer.
  llvm::SmallVector<int64_t> blockShape() const;

  /// The same value: equal constants, or one and the same SSA value.
  bool sameAs(const Value &other) const;
  /// Equal as Python's `==` finds constants to be: 1, 1.0 and True are; a list and a tuple are not.
  bool equals(const Value &other) const;
  /// For errors: "fp32 tensor [128, 64]", "the constant 3", "a tuple of 2".
  std::string describe() const;
  /// A constant as Python's repr gives it.
  std::string repr() const;
  /// A constant as Python's str gives it: strings without quotes, types by their name.
  std::string str() const;
};

/// A class of named tuples.
struct TupleClass {
  std::string name;
  /// The names of the elements, in order.
  std::vector<std::string> fields;
  /// The values of the last fields where they are not given.
  std::vector<Value> defaults;
  /// Its class where it is an aggregate, which has methods and makes its fields itself.
  const ClassObject *aggregate = nullptr;
  bool isAggregate = false;

  std::optional<size_t> find(llvm::StringRef field) const;
};

/// The tuple of some constant integers.
Value tupleOfIntegers(llvm::ArrayRef<int64_t> numbers);

/// "[128, 64]".
std::string describeShape(llvm::ArrayRef<int64_t> shape);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_VALUE_H
