//===- EncodingBase.td - The kinds of encodings -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODINGBASE
#define TILEWRIGHT_IR_TTG_ENCODINGBASE

include "ir/tt/Interfaces.td"
include "ir/ttg/Interfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

/// Bases of a map one after the other, as many numbers each as there are dimensions.
def TTG_Bases : ArrayRefParameter<"unsigned">;

class TTG_Encoding<Dialect dialect, string name, string attrMnemonic, list<Trait> traits>
    : AttrDef<dialect, name, !listconcat(traits, [
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>])> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

/// Encodings of tensors in registers. `methods`: those of the interface that it does not
/// leave as they are.
class TTG_Distributed<Dialect dialect, string name, string attrMnemonic, list<Trait> traits = [],
                      list<string> methods = []>
    : TTG_Encoding<dialect, name, attrMnemonic, !listconcat(traits, [
        DeclareAttrInterfaceMethods<TT_LayoutEncoding, methods>])>;

/// A parameter that holds the encoding as the layout library describes it: a structure of
/// src/layout/encoding, tilewright::layout::`type`. Its accessor is getLayout where it is `$layout`.
class TTG_Layout<string type>
    : AttrParameter<"::tilewright::layout::" # type, "the encoding as the layout library has it",
                    "const ::tilewright::layout::" # type # " &">;

//===--------------------------------------------------------------------------===//
// Methods of the interfaces, for `extraClassDefinition`. The `using` declarations let the layout
// library's functions be found by the type of their argument, past the methods of the same names.
//===--------------------------------------------------------------------------===//

/// Any tensor of its rank can have the encoding.
defvar TTG_verifyEncoding = [{
    ::llvm::LogicalResult $cppClass::verifyEncoding(::llvm::ArrayRef<int64_t> shape, ::mlir::Type,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const {
      return ::tilewright::ir::verifyShape(*this, getRank(), shape, emitError);
    }
}];
/// The layout decides which tensors can have it.
defvar TTG_verifyEncodingByLayout = [{
    ::llvm::LogicalResult $cppClass::verifyEncoding(::llvm::ArrayRef<int64_t> shape, ::mlir::Type,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const {
      if (failed(::tilewright::ir::verifyShape(*this, getRank(), shape, emitError)))
        return ::mlir::failure();
      using ::tilewright::layout::verifyShape;
      return ::tilewright::ir::reportShape(*this, shape, verifyShape(getLayout(), shape),
                                           emitError);
    }
}];
defvar TTG_toLinearLayout = [{
    ::tilewright::layout::LinearLayout
    $cppClass::toLinearLayout(::llvm::ArrayRef<int64_t> shape) const {
      using ::tilewright::layout::toLinearLayout;
      return toLinearLayout(getLayout(), shape);
    }
}];
defvar TTG_operands = [{
    ::tilewright::Result<void> $cppClass::verifyOperand(unsigned opIdx, unsigned kWidth) const {
      using ::tilewright::layout::verifyOperand;
      return verifyOperand(getLayout(), opIdx, kWidth);
    }
    ::tilewright::layout::LinearLayout
    $cppClass::operandLayout(unsigned opIdx, unsigned kWidth,
                             ::llvm::ArrayRef<int64_t> shape) const {
      using ::tilewright::layout::operandLayout;
      return operandLayout(getLayout(), opIdx, kWidth, shape);
    }
}];
/// A reduction leaves a slice of it.
defvar TTG_inferReduce = [{
    ::mlir::Attribute $cppClass::inferReduce(unsigned axis) const {
      return ::tilewright::ttg::sliceOf(*this, axis);
    }
}];

/// Encodings of tensors in registers that no other encoding of their kind describes once a
/// dimension is gone or moved: that leads to a slice or to the bases of a map. Any tensor of
/// their rank can have them. `methods`: definitions of the others.
class TTG_Fragment<Dialect dialect, string name, string attrMnemonic, list<Trait> traits = [],
                   code methods = "">
    : TTG_Distributed<dialect, name, attrMnemonic, traits> {
  let extraClassDefinition = !strconcat(TTG_verifyEncoding, TTG_inferReduce, [{
    ::mlir::Attribute $cppClass::inferExpandDims(unsigned) const { return {}; }
    ::mlir::Attribute $cppClass::inferTrans(::llvm::ArrayRef<int64_t> shape,
                                            ::llvm::ArrayRef<int32_t> order) const {
      return ::tilewright::ttg::transposeByBases(*this, shape, order);
    }
  }], methods);
}

/// The result of a matrix unit, which also says how the operands lie: the layout
/// tilewright::layout::`type`, whose functions are all that there is to say.
class TTG_MatrixResult<Dialect dialect, string name, string attrMnemonic, string type>
    : TTG_Fragment<dialect, name, attrMnemonic,
                   [DeclareAttrInterfaceMethods<TTG_DotOperandParent>],
                   !strconcat(TTG_toLinearLayout, TTG_operands)> {
  let parameters = (ins TTG_Layout<type>:$layout);
}

#endif // TILEWRIGHT_IR_TTG_ENCODINGBASE
