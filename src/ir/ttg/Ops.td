//===- Ops.td - The ttg dialect: encodings and ops ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_OPS
#define TILEWRIGHT_IR_TTG_OPS

include "ir/tt/Dialect.td"
include "ir/tt/Interfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tilewright::ttg";
  let summary = "Tile programs whose tensors have layouts";
  let description = [{
    Encodings say where the elements of a tensor live; `ttg.convert_layout` moves them. The
    names and the textual syntax are those of Triton 3.6.

    Module attributes: `ttg.num-warps`, `ttg.threads-per-warp`, `ttg.num-ctas` (i32),
    `ttg.target` (string, such as "cuda:90"), `ttg.shared` (i32, bytes a block).
  }];
  let dependentDialects = ["::tilewright::tt::TritonDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = "void registerAttributes();";
}

//===--------------------------------------------------------------------------===//
// Encodings
//===--------------------------------------------------------------------------===//

class TTG_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TritonGPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

/// Encodings of tensors in registers.
class TTG_Distributed<string name, string attrMnemonic>
    : TTG_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<TT_LayoutEncoding>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]>;

def TTG_BlockedEncoding : TTG_Distributed<"BlockedEncoding", "blocked"> {
  let summary = "Tiles of elements a thread, threads a warp, warps a block";
  let description = [{
    In each dimension d a thread has `sizePerThread[d]` neighbouring elements, a warp is
    `threadsPerWarp[d]` threads long and a block `warpsPerCTA[d]` warps; a larger tensor
    repeats that tile, a smaller one is replicated. `order` lists the dimensions, the fastest
    first. `CGALayout` holds the bases of the block dimension in a cluster of blocks.

    ```mlir
    #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$sizePerThread,
    ArrayRefParameter<"unsigned">:$threadsPerWarp,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$order,
    ArrayRefParameter<"int32_t">:$CGALayout); // row-major [bit][dimension]
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<unsigned>":$sizePerThread,
    "::llvm::ArrayRef<unsigned>":$threadsPerWarp, "::llvm::ArrayRef<unsigned>":$warpsPerCTA,
    "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, sizePerThread, threadsPerWarp, warpsPerCTA, order,
                   ::llvm::ArrayRef<int32_t>());
    }]>];
  let extraClassDeclaration = [{
    /// The layout that spreads a tensor of `shape` over `numWarps` warps of `threadsPerWarp`
    /// threads, each thread with at least `sizePerThread` neighbouring elements, the fastest
    /// dimension of `order` covered first.
    static BlockedEncodingAttr getCovering(::mlir::MLIRContext *context,
        ::llvm::ArrayRef<int64_t> shape, ::llvm::ArrayRef<unsigned> sizePerThread,
        ::llvm::ArrayRef<unsigned> order, unsigned numWarps, unsigned threadsPerWarp);
  }];
}

def TTG_SliceEncoding : TTG_Distributed<"SliceEncoding", "slice"> {
  let summary = "Another layout with one dimension left out";
  let description = [{
    ```mlir
    #ttg.slice<{dim = 1, parent = #blocked}>
    ```
  }];
  let parameters = (ins "unsigned":$dim, "::tilewright::tt::LayoutEncoding":$parent);
  let builders = [AttrBuilderWithInferredContext<(ins "unsigned":$dim,
    "::tilewright::tt::LayoutEncoding":$parent), [{
      return $_get(parent.getContext(), dim, parent);
    }]>];
  let skipDefaultBuilders = 1;
}

def TTG_LinearEncoding : TTG_Distributed<"LinearEncoding", "linear"> {
  let summary = "Any layout, by the bases of its map";
  let description = [{
    The coordinates that each bit of the register, lane, warp and block numbers adds.

    ```mlir
    #ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]], block = []}>
    ```
  }];
  // Row-major [bit][dimension].
  let parameters = (ins "unsigned":$rank,
    ArrayRefParameter<"int32_t">:$registerBases, ArrayRefParameter<"int32_t">:$laneBases,
    ArrayRefParameter<"int32_t">:$warpBases, ArrayRefParameter<"int32_t">:$blockBases);
  let extraClassDeclaration = [{
    /// The encoding with the bases of `layout`, whose input dimensions are register, lane,
    /// warp and block and whose output dimensions are dim0, dim1, ..
    static LinearEncodingAttr get(::mlir::MLIRContext *context,
                                  const ::tilewright::layout::LinearLayout &layout);
  }];
}

def TTG_SwizzledSharedEncoding : TTG_Attr<"SwizzledSharedEncoding", "swizzled_shared"> {
  let summary = "Shared memory with vectors exchanged row by row";
  let description = [{
    Vectors of `vec` elements; the vector index of row r is XORed with
    (r / `perPhase`) mod `maxPhase`.

    ```mlir
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    ```
  }];
  let parameters = (ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase,
    ArrayRefParameter<"unsigned">:$order, ArrayRefParameter<"int32_t">:$CGALayout);
  let extraClassDeclaration = [{
    /// The map from (offset, block) to the coordinates of a tensor of `shape`.
    ::tilewright::layout::LinearLayout toLinearLayout(::llvm::ArrayRef<int64_t> shape);
  }];
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

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
