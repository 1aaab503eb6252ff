//===- OpBase.td - What the ops of tt have in common ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_OPBASE
#define TILEWRIGHT_IR_TT_OPBASE

include "ir/tt/Dialect.td"
include "ir/tt/OpInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Tensors of the op have power-of-two sizes, no more elements than a block can hold, and a
/// layout as their encoding if they have one.
def TT_TileSizes : NativeOpTrait<"TileSizes"> {
  let cppNamespace = "::tilewright::tt";
}

/// Tensors among the operands and results have one encoding, or none.
def TT_SameEncoding : NativeOpTrait<"SameEncoding"> {
  let cppNamespace = "::tilewright::tt";
}

def TT_GlobalMemory : Resource<"::tilewright::tt::GlobalMemory">;

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<Triton_Dialect, mnemonic, !listconcat(traits, [TT_TileSizes, TT_LayoutOp])>;

class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [SameOperandsAndResultType, Elementwise, Pure])>;

#endif // TILEWRIGHT_IR_TT_OPBASE
