//===- TritonBuilder.h - Builder of tt, arith and math ops for kernel values -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The semantics of the language's operators and casts, value by value: folding of
// constants, promotion of types, broadcasting, and the ops that result. It knows nothing
// of syntax trees: the caller says where in the source each operation stands.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_TRITONBUILDER_H
#define TILEWRIGHT_FRONTEND_VALUE_TRITONBUILDER_H

#include "frontend/value/Value.h"
#include "mlir/IR/Builders.h"
#include "tilewright/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <map>
#include <vector>

namespace tilewright::frontend {

/// The facts that a kernel may ask of the compilation that it is in.
struct CompileFacts {
  /// Whether `assert` and tl.device_assert check anything when the kernel runs.
  bool assertions = false;
  /// The lanes of a warp, which hold a cooperative matrix.
  unsigned threadsPerWarp = 32;
  unsigned numWarps = 4;
  /// The blocks of a cluster.
  unsigned numCTAs = 1;
  /// The target's name, such as cuda:90 or hip:gfx1201; empty where none is known.
  std::string target;
};

/// A stretch of the source, for locations and errors.
struct SourceSpan {
  Position begin;
  Position end;
};

class TritonBuilder {
public:
  TritonBuilder(mlir::MLIRContext *context, llvm::StringRef fileName, llvm::StringRef source,
                std::vector<Diagnostic> &errors);

  mlir::OpBuilder builder;

  //===------------------------------------------------------------------------===//
  // Source locations
  //===------------------------------------------------------------------------===//

  /// Sets the place of what is emitted and complained of, until the end of the scope.
  class At {
  public:
    At(TritonBuilder &tb, SourceSpan span) : tb(tb), saved(tb.span), savedLocation(tb.location) {
      tb.span = span;
      tb.location = {};
    }
    ~At() {
      tb.span = saved;
      tb.location = savedLocation;
    }
    At(const At &) = delete;
    At &operator=(const At &) = delete;

  private:
    TritonBuilder &tb;
    SourceSpan saved;
    mlir::LocationAttr savedLocation;
  };

  /// Changes to another source file, until the end of the scope.
  class InFile {
  public:
    InFile(TritonBuilder &tb, llvm::StringRef fileName, llvm::StringRef text);
    ~InFile();
    InFile(const InFile &) = delete;
    InFile &operator=(const InFile &) = delete;

  private:
    TritonBuilder &tb;
    llvm::StringRef savedSource;
    mlir::StringAttr savedFile;
    SourceSpan savedSpan;
    mlir::LocationAttr savedLocation;
  };

  /// Names what is emitted after the variable it is for, until the end of the scope.
  class Naming {
  public:
    Naming(TritonBuilder &tb, llvm::StringRef name) : tb(tb), saved(tb.variable) {
      tb.variable = name;
      tb.location = {};
    }
    ~Naming() {
      tb.variable = saved;
      tb.location = {};
    }
    Naming(const Naming &) = delete;
    Naming &operator=(const Naming &) = delete;

  private:
    TritonBuilder &tb;
    llvm::StringRef saved;
  };

  /// The location of what is emitted now: file, line and column, under the variable's name.
  mlir::Location loc();
  mlir::Location locationOf(Position position, llvm::StringRef name = {});
  const SourceSpan &here() const { return span; }
  /// The source file of the current place.
  llvm::StringRef currentFile() const { return fileName; }

  /// Records an error at the current place; returns no value.
  Value fail(const llvm::Twine &message, const llvm::Twine &remedy = "");
  Value failAt(SourceSpan where, const llvm::Twine &message, const llvm::Twine &remedy = "");
  /// Likewise, for those who return whether to go on: false.
  bool reject(const llvm::Twine &message, const llvm::Twine &remedy = "") {
    return rejectAt(span, message, remedy);
  }
  bool rejectAt(SourceSpan where, const llvm::Twine &message, const llvm::Twine &remedy = "") {
    failAt(where, message, remedy);
    return false;
  }
  bool failed() const { return !errors.empty(); }
  /// Nobody reads the errors, only whether there are any: they have no text.
  bool isTrying = false;
  /// Tells the user something that is no error, at the current place.
  void note(const llvm::Twine &message);
  /// Adds a place that led to the last error, in the current file; nothing where there is no error,
  /// or where the last one that was added is the same line.
  void noteError(SourceSpan where, const llvm::Twine &message);
  /// Warns of what Triton takes though it hardly means what stands there. A place that is compiled
  /// several times warns once.
  void warn(const llvm::Twine &message, const llvm::Twine &remedy = "") {
    warnAt(span, message, remedy);
  }
  void warnAt(SourceSpan where, const llvm::Twine &message, const llvm::Twine &remedy = "");
  /// The diagnostics so far, in order.
  std::vector<Diagnostic> takeNotes() { return std::move(notes); }

  /// Constants are emitted once a function, at its start. Opens a function whose first
  /// block is `entry`, until the end of the scope.
  class FunctionScope {
  public:
    FunctionScope(TritonBuilder &tb, mlir::Block *entry);
    ~FunctionScope();
    FunctionScope(const FunctionScope &) = delete;
    FunctionScope &operator=(const FunctionScope &) = delete;

  private:
    TritonBuilder &tb;
    mlir::Block *savedEntry;
    mlir::Operation *savedLastConstant;
    llvm::DenseMap<mlir::Attribute, mlir::Value> savedConstants;
    mlir::OpBuilder::InsertPoint savedPoint;
  };

  //===------------------------------------------------------------------------===//
  // Constants (Constants.cpp)
  //===------------------------------------------------------------------------===//

  /// The type a number takes when a kernel computes with it: i1, i32 or the next of u32,
  /// i64, u64 that holds it; fp32, or fp64 if fp32 cannot hold it.
  std::optional<DType> typeOfNumber(const Value &number);
  /// A number as a scalar of `type`, or as a tensor of `shape`, in the layout `encoding`, full of
  /// it.
  Value constant(const Value &number, DType type, std::optional<llvm::ArrayRef<int64_t>> shape = {},
                 mlir::Attribute encoding = {});
  /// A number as a scalar of its own type; a tensor as it is.
  Value toTensor(const Value &value);
  /// Python's arithmetic on constants.
  Value foldBinary(BinaryOperator op, const Value &left, const Value &right);
  Value foldCompare(CompareOperator op, const Value &left, const Value &right);
  Value foldUnary(UnaryOperator op, const Value &operand);
  /// A string with this text, if the texts of a kernel do not get too large. The text is kept.
  Value makeString(const llvm::Twine &text);
  /// How many parts a tuple has at most; who evaluates no kernel may set more.
  size_t maxTupleParts = Value::maxTupleParts;
  /// A tuple of these elements, if it does not get too large.
  Value makeTuple(std::vector<Value> elements, bool isList = false);
  /// A dict of keys and values by turns, of which later ones replace earlier ones.
  Value makeDict(const std::vector<Value> &keysAndValues);
  Value makeSet(const std::vector<Value> &elements);
  /// The dict's value for the key: an error if it has none.
  Value lookUp(const Value &dict, const Value &key);
  /// Likewise; null if it has none.
  static const Value *findKey(const Value &dict, const Value &key);
  /// Whether a value can be a key, and whether it is known to be equal to those of `dict` or not.
  /// An error if not.
  bool checkKey(const Value &key, const Value *dict = nullptr);
  /// Whether Python takes the constant for true.
  bool truth(const Value &constant);

  //===------------------------------------------------------------------------===//
  // Casts and shapes (Casts.cpp)
  //===------------------------------------------------------------------------===//

  /// A scalar or tensor as elements of another type. A float that is made narrower is
  /// rounded to nearest, or toward zero.
  Value cast(const Value &value, DType type, bool towardZero = false);
  /// The bits of the elements as another type of the same width.
  Value bitcast(const Value &value, DType type);
  /// The value as i1: whether it is not zero.
  Value toBool(const Value &value);
  /// The type of tensors of elements of `type`.
  mlir::RankedTensorType tensorType(llvm::ArrayRef<int64_t> shape, DType type,
                                    mlir::Attribute encoding = {}) {
    return mlir::RankedTensorType::get(shape, type.toMLIR(builder.getContext()), encoding);
  }
  /// A scalar as a tensor, or a tensor with its dimensions of size 1 repeated; in the layout
  /// `encoding` where one is given.
  Value broadcastTo(const Value &value, llvm::ArrayRef<int64_t> shape, llvm::StringRef what,
                    mlir::Attribute encoding = {});
  /// Both operands in their common shape.
  bool broadcast(Value &left, Value &right, llvm::StringRef what);
  /// A tensor of one element as a scalar; a scalar as it is.
  Value onlyElement(const Value &value);
  Value expandDims(const Value &value, unsigned axis);
  Value reshape(const Value &value, llvm::ArrayRef<int64_t> shape, bool mayReorder);
  Value transpose(const Value &value, llvm::ArrayRef<int32_t> order);

  //===------------------------------------------------------------------------===//
  // Layouts of Gluon's tensors (TensorLayouts.cpp). All of them are no work without layouts.
  //===------------------------------------------------------------------------===//

  /// Whether what is compiled is a kernel of Gluon, whose tensors have layouts.
  bool isGluon = false;

  /// The tensor in this layout, which its own must be, unless that is still to be chosen.
  Value inLayout(const Value &tensor, mlir::Attribute encoding, llvm::StringRef what);
  /// Gives two tensors one layout: one that is still to be chosen becomes the other's. An error if
  /// the layouts differ.
  bool matchLayouts(Value &left, Value &right, llvm::StringRef what);
  /// The layout of a tensor with a new dimension of size 1 at `axis`, of the same elements in
  /// another shape, and of dimensions in another order. Nothing after an error, null without
  /// layout.
  std::optional<mlir::Attribute> expandedLayout(const Value &tensor, unsigned axis);
  std::optional<mlir::Attribute> reshapedLayout(const Value &tensor, llvm::ArrayRef<int64_t> shape);
  std::optional<mlir::Attribute> transposedLayout(const Value &tensor,
                                                  llvm::ArrayRef<int32_t> order);

  //===------------------------------------------------------------------------===//
  // Operators (Operators.cpp)
  //===------------------------------------------------------------------------===//

  struct Promotion {
    /// The operands that may be pointers.
    bool leftPointer = false;
    bool rightPointer = false;
    /// The operator is /, // or %.
    bool division = false;
    /// A number takes part with its own type (typeOfNumber) instead of taking the type of the
    /// other operand: Triton calls to_tensor on the operands of comparisons and of most functions,
    /// but not on those of arithmetic.
    bool typedNumbers = false;
  };
  /// Brings two operands to a common element type and shape.
  bool promote(Value &left, Value &right, llvm::StringRef what, Promotion rules);
  Value binary(BinaryOperator op, const Value &left, const Value &right);
  Value compare(CompareOperator op, const Value &left, const Value &right);
  Value unary(UnaryOperator op, const Value &operand);
  /// `a and b`, `a or b` of values.
  Value logical(BoolOperator op, const Value &left, const Value &right);
  /// tl.minimum and tl.maximum: bf16 is computed in fp32, and numbers have types of their own.
  Value minimum(const Value &left, const Value &right, bool propagateNan);
  Value maximum(const Value &left, const Value &right, bool propagateNan);
  /// A bf16 as fp32, any other value as it is: what Triton does for functions that have no
  /// instruction for bf16.
  Value bfloat16AsSingle(const Value &value);

  //===------------------------------------------------------------------------===//
  // Assertions and descriptors (BuiltinsDebug.cpp, BuiltinsDescriptor.cpp)
  //===------------------------------------------------------------------------===//

  /// The facts that the kernel is compiled for.
  CompileFacts facts;

  /// The value of a variable of the environment, on which the result depends from here on; nothing
  /// if it is not set.
  const std::optional<std::string> &variableOfEnvironment(llvm::StringRef name);
  /// Those that have been asked for.
  const std::map<std::string, std::optional<std::string>> &variablesRead() const {
    return variables;
  }
  /// Stops the kernel where `condition` is false; nothing without `assertions`. Where `mask`, if
  /// it is not None, is false, the condition does not matter.
  Value deviceAssert(const Value &condition, const Value &mask, llvm::StringRef message);
  /// A descriptor of the tensor at `base`. `shape` (i32) and `strides` (i64) are scalars, in
  /// elements; `block` is the shape of what is accessed at once.
  Value makeDescriptor(const Value &base, llvm::ArrayRef<int64_t> block,
                       llvm::ArrayRef<Value> shape, llvm::ArrayRef<Value> strides, bool padsWithNan,
                       mlir::Attribute layout = {});

private:
  Diagnostic diagnosticAt(SourceSpan where, const llvm::Twine &message);
  std::optional<DType> commonType(const Value &left, const Value &right, llvm::StringRef what,
                                  Promotion rules);
  /// Whether the operator is defined for operands of these kinds, whatever their types; an error
  /// if not.
  bool checkOperands(BinaryOperator op, const Value &left, const Value &right);
  Value emitBinary(BinaryOperator op, const Value &left, const Value &right);
  /// The operator on numbers or tensors of numbers of one type and shape.
  Value emitArithmetic(BinaryOperator op, const Value &left, const Value &right);
  /// Warns of a shift by a constant that is no less than the operand's bits.
  void checkShift(BinaryOperator op, const Value &left, const Value &right);
  Value pointerOffset(const Value &pointer, const Value &offset);
  Value extremum(const Value &left, const Value &right, bool larger, bool propagateNan);
  mlir::Type like(const Value &value, DType type);
  Value toInteger(const Value &number, DType type);

  llvm::StringRef source;
  mlir::StringAttr fileName;
  std::vector<Diagnostic> &errors;
  std::vector<Diagnostic> notes;
  std::map<std::string, std::optional<std::string>> variables;
  /// The text that makeString keeps, and its length in bytes.
  std::deque<std::string> strings;
  size_t stringBytes = 0;

  SourceSpan span;
  llvm::StringRef variable;
  mlir::LocationAttr location;

  mlir::Block *entry = nullptr;
  mlir::Operation *lastConstant = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

/// The least and greatest numbers of an integer type.
std::pair<Integer, Integer> rangeOf(DType type);

/// The sign of an operator: `+`.
llvm::StringRef signOf(BinaryOperator op);
llvm::StringRef signOf(CompareOperator op);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_TRITONBUILDER_H
