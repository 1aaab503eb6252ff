//===- Encodings.td - The encodings of the ttg dialect ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODINGS
#define TILEWRIGHT_IR_TTG_ENCODINGS

include "ir/ttg/Dialect.td"
include "ir/ttg/encoding/EncodingBase.td"
include "ir/ttg/Interfaces.td"

//===--------------------------------------------------------------------------===//
// Tensors in registers
//===--------------------------------------------------------------------------===//

def TTG_BlockedEncoding
    : TTG_Distributed<TritonGPU_Dialect, "BlockedEncoding", "blocked", [
        DeclareAttrInterfaceMethods<TTG_DotOperandParent>]> {
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
  let parameters = (ins TTG_Layout<"Blocked">:$layout);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<unsigned>":$sizePerThread,
    "::llvm::ArrayRef<unsigned>":$threadsPerWarp, "::llvm::ArrayRef<unsigned>":$warpsPerCTA,
    "::llvm::ArrayRef<unsigned>":$order), [{
      return $_get($_ctxt, ::tilewright::layout::Blocked{sizePerThread.vec(), threadsPerWarp.vec(),
                                                         warpsPerCTA.vec(), order.vec()});
    }]>];
  let extraClassDeclaration = [{
    /// The layout that spreads a tensor of `shape` over `numWarps` warps of `threadsPerWarp`
    /// threads, each thread with at least `sizePerThread` neighbouring elements, the fastest
    /// dimension of `order` covered first.
    static BlockedEncodingAttr getCovering(::mlir::MLIRContext *context,
        ::llvm::ArrayRef<int64_t> shape, ::llvm::ArrayRef<unsigned> sizePerThread,
        ::llvm::ArrayRef<unsigned> order, unsigned numWarps, unsigned threadsPerWarp);

    ::llvm::ArrayRef<unsigned> getSizePerThread() const { return getLayout().sizePerThread; }
    ::llvm::ArrayRef<unsigned> getThreadsPerWarp() const { return getLayout().threadsPerWarp; }
    ::llvm::ArrayRef<unsigned> getWarpsPerCTA() const { return getLayout().warpsPerCTA; }
  }];
  let extraClassDefinition =
      !strconcat(TTG_verifyEncoding, TTG_inferReduce, TTG_toLinearLayout, TTG_operands);
}

def TTG_SliceEncoding
    : TTG_Distributed<TritonGPU_Dialect, "SliceEncoding", "slice", [],
                      ["isLinear", "toLinearLayoutOf"]> {
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

def TTG_LinearEncoding : TTG_Distributed<TritonGPU_Dialect, "LinearEncoding", "linear"> {
  let summary = "Any layout without a swizzle, by the bases of its map";
  let description = [{
    The coordinates that each bit of the register, lane, warp and block numbers adds: a power
    of two along one dimension, or nothing.

    ```mlir
    #ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]], block = []}>
    ```
  }];
  let parameters = (ins "unsigned":$rank, TTG_Layout<"Linear">:$layout);
  let extraClassDefinition =
      !strconcat(TTG_verifyEncoding, TTG_inferReduce, TTG_toLinearLayout);
}

def TTG_GenericLinearEncoding
    : TTG_Distributed<TritonGPU_Dialect, "GenericLinearEncoding", "generic_linear"> {
  let summary = "Any layout whose warps may be swizzled, by the bases of its map";
  let description = [{
    As `linear`, but bases of warps may move in more than one dimension, all bases by any
    distance. They must reach every element.

    ```mlir
    #ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4]], warp = [[1, 4], [2, 0]], block = []}>
    ```
  }];
  let parameters = (ins "unsigned":$rank, TTG_Layout<"Linear">:$layout);
  let extraClassDefinition =
      !strconcat(TTG_verifyEncoding, TTG_inferReduce, TTG_toLinearLayout);
}

def TTG_DotOperandEncoding
    : TTG_Fragment<TritonGPU_Dialect, "DotOperandEncoding", "dot_op"> {
  let summary = "An operand of a matrix product";
  let description = [{
    Operand A (`opIdx` 0) or B (1) of a matrix product whose result has the layout `parent`:
    blocked or that of a matrix unit. `kWidth` elements along the summed dimension are next to
    each other in a thread; a blocked parent has none.

    ```mlir
    #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
    ```
  }];
  let parameters = (ins "unsigned":$opIdx, "::tilewright::ttg::DotOperandParent":$parent,
                    "unsigned":$kWidth);
}

//===--------------------------------------------------------------------------===//
// Results of matrix units
//===--------------------------------------------------------------------------===//

def TTG_NvidiaMmaEncoding
    : TTG_MatrixResult<TritonGPU_Dialect, "NvidiaMmaEncoding", "nvidia_mma", "nvidia::Mma"> {
  let summary = "The accumulator of NVIDIA's matrix instructions";
  let description = [{
    `versionMajor` 2: mma.sync, `instrShape` [M, N]; 3: wgmma, [M a warp, N, K]. Keys that are
    not known are ignored.

    ```mlir
    #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
    #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 32]}>
    ```
  }];
}

def TTG_AmdWmmaEncoding
    : TTG_MatrixResult<TritonGPU_Dialect, "AmdWmmaEncoding", "amd_wmma", "amd::Wmma"> {
  let summary = "The accumulator of AMD RDNA's matrix instructions";
  let description = [{
    `version` 1: gfx11, 2: gfx12. `ctaLayout` says how the block's instruction tiles lie:
    the bases of the warps and of further registers, counted in tiles. `instrShape` is
    [M, N, K], [16, 16, 16] where it is left out. Read as well: `warpsPerCTA` with
    `tilesPerWarp` in place of `ctaLayout`, counted along the last dimension first. Keys that
    are not known are ignored.

    ```mlir
    #ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
    ```
  }];
}

def TTG_AmdMfmaEncoding
    : TTG_MatrixResult<TritonGPU_Dialect, "AmdMfmaEncoding", "amd_mfma", "amd::Mfma"> {
  let summary = "The accumulator of AMD CDNA's matrix instructions";
  let description = [{
    `version` 1 to 4: CDNA 1 to 4; 0: any. `instrShape` is [M, N, K]. A warp has `tilesPerWarp`
    instructions next to each other along each dimension, one where it is left out;
    `elementBitWidth` is 32 where it is left out. Keys that are not known are ignored.

    ```mlir
    #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 16], isTransposed = true}>
    ```
  }];
}

//===--------------------------------------------------------------------------===//
// Tensors in shared memory
//===--------------------------------------------------------------------------===//

/// `methods`: those of the interface that it does not leave as they are.
class TTG_Shared<string name, string attrMnemonic, list<string> methods = []>
    : TTG_Encoding<TritonGPU_Dialect, name, attrMnemonic, [
        DeclareAttrInterfaceMethods<TTG_SharedLayoutEncoding, methods>]>;

/// Those that are the map of tilewright::layout::`type`.
class TTG_SharedMap<string name, string attrMnemonic, string type, list<string> methods>
    : TTG_Shared<name, attrMnemonic, methods> {
  let parameters = (ins TTG_Layout<type>:$layout);
  let extraClassDefinition = !strconcat(TTG_verifyEncoding, TTG_toLinearLayout);
}

def TTG_SharedMemorySpace : AttrDef<TritonGPU_Dialect, "SharedMemorySpace", [
    DeclareAttrInterfaceMethods<TTG_MemorySpace>]> {
  let mnemonic = "shared_memory";
  let summary = "The memory that the threads of a block share";
}

def TTG_SwizzledSharedEncoding
    : TTG_SharedMap<"SwizzledSharedEncoding", "swizzled_shared", "SwizzledShared",
                    ["inferTrans"]> {
  let summary = "Shared memory with vectors exchanged row by row";
  let description = [{
    Vectors of `vec` elements; the vector index of row r is XORed with
    (r / `perPhase`) mod `maxPhase`.

    ```mlir
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    ```
  }];
}

def TTG_AmdRotatingSharedEncoding
    : TTG_SharedMap<"AmdRotatingSharedEncoding", "amd_rotating_shared", "amd::RotatingShared",
                    ["inferTrans"]> {
  let summary = "Swizzled shared memory whose phases change from block to block of rows";
  let description = [{
    ```mlir
    #ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>
    ```
  }];
}

def TTG_NvmmaSharedEncoding
    : TTG_SharedMap<"NvmmaSharedEncoding", "nvmma_shared", "nvidia::NvmmaShared",
                    ["getAlignment", "inferTrans"]> {
  let summary = "Shared memory as wgmma and the tensor memory accelerator see it";
  let description = [{
    `swizzlingByteWidth` is 0, 32, 64 or 128. `transposed`: the last but one dimension is
    contiguous. `rank` is 2 where neither it nor `CGALayout` says otherwise.

    ```mlir
    #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    ```
  }];
  let extraClassDefinition = !strconcat(TTG_verifyEncodingByLayout, TTG_toLinearLayout);
}

def TTG_PaddedSharedEncoding
    : TTG_SharedMap<"PaddedSharedEncoding", "padded_shared", "PaddedShared",
                    ["hasPadding", "paddedOffset", "inferTrans"]> {
  let summary = "Shared memory with holes";
  let description = [{
    After each `interval` elements there is a hole of `pad` elements, for each pair. The
    order of the elements is that of `shape`, dimension order[0] the fastest, or given by its
    bases.

    ```mlir
    #ttg.padded_shared<[32:+4, 128:+8] {order = [1, 0], shape = [64, 64]}>
    #ttg.padded_shared<[32:+4] {offset = [[0, 1], [1, 0]], block = []}>
    ```
  }];
  let parameters = (ins "unsigned":$rank, TTG_Layout<"PaddedShared">:$layout);
  let extraClassDefinition = !strconcat(TTG_verifyEncodingByLayout, TTG_toLinearLayout);
}

def TTG_SharedLinearEncoding
    : TTG_SharedMap<"SharedLinearEncoding", "shared_linear", "SharedLinear",
                    ["getAlignment", "inferTrans"]> {
  let summary = "Any layout of shared memory, by the bases of its map";
  let description = [{
    ```mlir
    #ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>
    ```
  }];
  let parameters = (ins "unsigned":$rank, TTG_Layout<"SharedLinear">:$layout);
  let extraClassDefinition = !strconcat(TTG_verifyEncodingByLayout, TTG_toLinearLayout);
}

def TTG_PartitionedSharedEncoding
    : TTG_Shared<"PartitionedSharedEncoding", "partitioned_shared", ["isLinear"]> {
  let summary = "Shared memory in pieces that lie in different partitions";
  let description = [{
    Dimension `partitionDim` is cut into `numPartitions` * `numGroups` pieces, which the
    memory's partitions hold in turn, each laid out by `partitionLayout`. As the partitions lie
    where the allocation puts them, no map from offsets describes the whole.

    ```mlir
    #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #inner}>
    ```
  }];
  let parameters = (ins "unsigned":$numPartitions, "unsigned":$numGroups,
    "unsigned":$partitionDim, "::tilewright::ttg::SharedLayoutEncoding":$partitionLayout);
}

#endif // TILEWRIGHT_IR_TTG_ENCODINGS
