//===- OpBase.td - What all ops of ttg have in common -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPBASE
#define TILEWRIGHT_IR_TTG_OPBASE

include "ir/tt/Dialect.td"
include "ir/tt/OpInterfaces.td"
include "ir/ttg/encoding/Encodings.td"
include "ir/ttg/OpInterfaces.td"
include "ir/ttg/Types.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_TileSizes : NativeOpTrait<"TileSizes"> {
  let cppNamespace = "::tilewright::tt";
}

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonGPU_Dialect, mnemonic,
         !listconcat(traits, [TTG_TileSizes, TT_LayoutOp, TTG_SharedMemoryUser])>;

// The resources that ops read and write. Common subexpressions and dead ops are found by these alone.
def TTG_SharedMemory : Resource<"::tilewright::ttg::SharedMemory">;
def TTG_GlobalMemory : Resource<"::tilewright::tt::GlobalMemory">;

#endif // TILEWRIGHT_IR_TTG_OPBASE
