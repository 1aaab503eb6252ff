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

/// Encodings of tensors in registers that no other encoding of their kind describes once a
/// dimension is gone or moved: that leads to a slice or to the bases of a map. Any tensor of
/// their rank can have them.
class TTG_Fragment<Dialect dialect, string name, string attrMnemonic, list<Trait> traits = []>
    : TTG_Distributed<dialect, name, attrMnemonic, traits> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyEncoding(::llvm::ArrayRef<int64_t> shape, ::mlir::Type,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const {
      return ::tilewright::ir::verifyShape(*this, getRank(), shape, emitError);
    }
    ::mlir::Attribute $cppClass::inferReduce(unsigned axis) const {
      return ::tilewright::ttg::sliceOf(*this, axis);
    }
    ::mlir::Attribute $cppClass::inferExpandDims(unsigned) const { return {}; }
    ::mlir::Attribute $cppClass::inferTrans(::llvm::ArrayRef<int64_t> shape,
                                            ::llvm::ArrayRef<int32_t> order) const {
      return ::tilewright::ttg::transposeByBases(*this, shape, order);
    }
  }];
}

#endif // TILEWRIGHT_IR_TTG_ENCODINGBASE
