//===- Dialect.td - The ttng dialect: its encodings and types -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_DIALECT
#define TILEWRIGHT_IR_TTNG_DIALECT

include "ir/ttg/Interfaces.td"
include "ir/ttg/encoding/EncodingBase.td"
include "mlir/IR/AttrTypeBase.td"

def TritonNvidiaGPU_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::tilewright::ttng";
  let summary = "What NVIDIA's GPUs do at once for many threads";
  let description = [{
    Barriers in shared memory, the tensor memory accelerator's copies, products of warp groups,
    tensor memory. The names and the textual syntax are those of Triton 3.6.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

//===--------------------------------------------------------------------------===//
// Tensor memory
//===--------------------------------------------------------------------------===//

def TTNG_TensorMemorySpace : AttrDef<TritonNvidiaGPU_Dialect, "TensorMemorySpace", [
    DeclareAttrInterfaceMethods<TTG_MemorySpace>]> {
  let mnemonic = "tensor_memory";
  let summary = "The memory of Blackwell's matrix units: 128 rows of 512 words a block";
}

def TTNG_TensorMemoryEncoding : AttrDef<TritonNvidiaGPU_Dialect, "TensorMemoryEncoding"> {
  let mnemonic = "tensor_memory_encoding";
  let summary = "Tiles of rows and columns of tensor memory";
  let description = [{
    Blocks of `blockM` x `blockN` elements, one every `colStride` elements of a column's word.
    `CGALayout` holds the bases of the block dimension in a cluster; with `twoCTAs` two of its
    blocks make one product. `fp4Padded`: 4-bit elements, one a byte. Older texts have
    `CTASplitM` and `CTASplitN`, into how many blocks rows and columns are split.

    ```mlir
    #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
    ```
  }];
  let parameters = (ins "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride,
    TTG_Bases:$CGALayout, "unsigned":$CTASplitM, "unsigned":$CTASplitN, "bool":$twoCTAs,
    "bool":$fp4Padded);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTNG_TensorMemoryScalesEncoding
    : AttrDef<TritonNvidiaGPU_Dialect, "TensorMemoryScalesEncoding"> {
  let mnemonic = "tensor_memory_scales_encoding";
  let summary = "Scales of a product in tensor memory";
  let description = [{
    `blockRepOrder` says whether blocks of scales follow one another along the summed dimension
    first (`kThenMn`) or along the other (`mnThenK`); empty where it is not said.

    ```mlir
    #ttng.tensor_memory_scales_encoding<>
    ```
  }];
  let parameters = (ins TTG_Bases:$CGALayout, "unsigned":$CTASplitM, "unsigned":$CTASplitN,
                        StringRefParameter<>:$blockRepOrder);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

def TTNG_TensorDescIm2ColType : TypeDef<TritonNvidiaGPU_Dialect, "TensorDescIm2Col"> {
  let mnemonic = "tensordesc_im2col";
  let summary = "An image in memory, of which blocks of patches are loaded";
  let description = [{
    `!ttng.tensordesc_im2col<64x128xf16, #nvmma>`: pixels by channels, and the layout that a block
    is to have in shared memory. Also read with an inner `tensor<>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
      return $_get(blockType.getContext(), blockType);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

#endif // TILEWRIGHT_IR_TTNG_DIALECT
