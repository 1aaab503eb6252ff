//===- OpBase.td - What the ops of ttng have in common --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_OPBASE
#define TILEWRIGHT_IR_TTNG_OPBASE

include "ir/ttg/OpBase.td"
include "ir/ttng/Dialect.td"
include "ir/ttng/Enums.td"

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TritonNvidiaGPU_Dialect, mnemonic,
         !listconcat(traits, [TTG_TileSizes, TT_LayoutOp, TTG_SharedMemoryUser])>;

def TTNG_TensorMemory : Resource<"::tilewright::ttng::TensorMemory">;

def TTNG_TensorOrMemDesc : AnyTypeOf<[TT_Tensor, TTG_MemDescType]>;
def TTNG_Descriptor : AnyTypeOf<[TT_TensorDesc, TTNG_TensorDescIm2ColType]>;

/// Memory that an op reads, or writes; which memory, its type says.
class TTNG_Reads<string reason = ""> : Arg<TTG_MemDescType, reason, [MemRead<TTG_SharedMemory>]>;
class TTNG_Writes<string reason = ""> : Arg<TTG_MemDescType, reason, [MemWrite<TTG_SharedMemory>]>;
class TTNG_Changes<string reason = "">
    : Arg<TTG_MemDescType, reason, [MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>;

/// For `extraClassDeclaration`: what an op does to a barrier is one step for all others that do
/// something to it, so that it has to be ordered with its beginning and end only.
class TTNG_TellsBarrier<string barrier> {
  string decl = "void getViewAccesses(::llvm::SmallVectorImpl<::tilewright::ttg::ViewAccess> "
                # "&accesses) {\n"
                # "  ::tilewright::ttng::getViewAccesses(getOperation(), get" # barrier
                # "(), accesses);\n}\n";
}

#endif // TILEWRIGHT_IR_TTNG_OPBASE
