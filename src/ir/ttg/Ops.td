//===- Ops.td - The ops of the ttg dialect ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPS
#define TILEWRIGHT_IR_TTG_OPS

include "ir/tt/Dialect.td"
include "ir/ttg/Encodings.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_TileSizes : NativeOpTrait<"TileSizes"> {
  let cppNamespace = "::tilewright::tt";
}

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonGPU_Dialect, mnemonic, !listconcat(traits, [TTG_TileSizes])>;

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [Pure, SameOperandsAndResultShape,
                                                    SameOperandsAndResultElementType]> {
  let summary = "The same tensor in another layout";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "The threads of the block wait for one another";
  let description = [{
    `ttg.barrier` names the memory whose accesses before it are seen by all after it: `local`
    (shared memory), `global_read`, `global_write`, `tensor`, joined by `|`, or `all`.
  }];
  let arguments = (ins I32Attr:$addressSpaces);
  let hasCustomAssemblyFormat = 1;
}

#endif // TILEWRIGHT_IR_TTG_OPS
