//===- Types.td - The types of the ttg dialect --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_TYPES
#define TILEWRIGHT_IR_TTG_TYPES

include "ir/ttg/Dialect.td"
include "mlir/IR/AttrTypeBase.td"

def TTG_MemDescType : TypeDef<TritonGPU_Dialect, "MemDesc"> {
  let mnemonic = "memdesc";
  let summary = "A tensor in shared or tensor memory";
  let description = [{
    `!ttg.memdesc<3x128x64xf16, #encoding, #ttg.shared_memory, mutable>`: a view of memory of
    the block. `encoding` lays out the last dimensions of the memory, as many as it has; a
    dimension before them counts buffers, which lie one after the other and need not be a
    power of two. `mutable`: the memory is written after it was made.

    A part of a larger piece of memory has that piece's shape at its end, the alloc shape:
    `!ttg.memdesc<16x8xf16, #encoding, #ttg.shared_memory, mutable, 16x16>`. The encoding always
    describes the whole piece.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
    "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
    "bool":$mutableMemory, ArrayRefParameter<"int64_t">:$allocShape);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
        "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
        "::mlir::Attribute":$memorySpace, CArg<"bool", "false">:$mutableMemory,
        CArg<"::llvm::ArrayRef<int64_t>", "{}">:$allocShape), [{
      return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace,
                   mutableMemory, allocShape.empty() ? shape : allocShape);
    }]>
  ];
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    int64_t getNumElements() const;
    bool inSharedMemory() const;

    /// How many of the last dimensions the encoding lays out.
    unsigned getLayoutRank() const;
    /// The shape that the encoding lays out: the last dimensions of the alloc shape.
    ::llvm::ArrayRef<int64_t> getLayoutShape() const {
      return getAllocShape().take_back(getLayoutRank());
    }
    /// The dimensions that count buffers: those of the shape that the encoding does not know.
    ::llvm::ArrayRef<int64_t> getBufferShape() const {
      return getShape().drop_back(getLayoutRank());
    }

    // Of memory in shared memory:

    ::tilewright::ttg::SharedLayoutEncoding getSharedEncoding() const;
    /// (offset, block) -> (dim0, dim1, ..) of the layout shape. Offsets count elements from
    /// the buffer's start, holes left out: SharedLayoutEncoding::paddedOffset adds them.
    ::tilewright::layout::LinearLayout toLinearLayout() const;
    /// (dim0, dim1, ..) of the layout shape -> (offset, block): one of the offsets where an
    /// element has several.
    ::tilewright::layout::LinearLayout toOffsets() const;
    /// Elements from one buffer's start to the next one's, holes included.
    uint64_t getBufferStride() const;
    /// Bytes of the whole piece of memory, of the alloc shape.
    uint64_t getAllocBytes() const;

    /// The same memory with another shape, as part of the same piece.
    MemDescType withShape(::llvm::ArrayRef<int64_t> shape) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TTG_AsyncToken : TypeDef<TritonGPU_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "Orders asynchronous copies and what waits for them";
}

#endif // TILEWRIGHT_IR_TTG_TYPES
