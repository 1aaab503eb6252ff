//===- Passes.td - Passes over tile programs without layouts ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_PASSES
#define TILEWRIGHT_TRANSFORM_TILE_PASSES

include "mlir/Pass/PassBase.td"

class TilePass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tilewright::tt::TritonDialect"];
}

def TritonCombine : TilePass<"triton-combine"> {
  let summary = "Merge neighbouring ops into one";
  let description = [{
    - `addptr(addptr(p, a), b)` with constant a and b is `addptr(p, a + b)`, where the sum
      fits the type of an offset.
    - `select(mask, load(p, mask), other)` is `load(p, mask, other)`.
    - `dot(a, b, 0) + c` is `dot(a, b, c)`.
    - A reduction along an axis of size 1 is a reshape.
    - A reduction of equal elements by min, max, and, or is that element.

    Sums and products of floating-point numbers stay in the order in which they were written.
  }];
}

def TritonReorderBroadcast : TilePass<"triton-reorder-broadcast"> {
  let summary = "Compute first, broadcast afterwards";
  let description = [{
    An elementwise op on splats becomes a splat of the scalar op; one on broadcasts becomes a
    broadcast of the op on the smallest shape that all its operands can be broadcast from.
    Shape changes of splats become splats.
  }];
}

def ReplaceIndex : TilePass<"tilewright-replace-index"> {
  let summary = "Integers of 64 bits for those of type index";
  let description = [{
    No later stage knows how wide `index` is. Casts between it and other integers become
    extensions and truncations.
  }];
}

def InlineStraightCalls : TilePass<"tilewright-inline-straight-calls"> {
  let summary = "Calls of functions of one block become what these do";
  let description = [{
    What is left to MLIR's inliner: functions of several blocks, those that call themselves, and
    those marked noinline. The time is linear in what is copied. Functions stay.
  }];
}

def TritonRewriteTensorPointer : TilePass<"triton-rewrite-tensor-pointer"> {
  let summary = "Block pointers become pointers, sizes, strides and offsets";
  let description = [{
    What is loaded or stored through a block pointer is accessed through a tensor of pointers, with
    a mask for the dimensions that are to be checked. Block pointers go through branches, loops,
    selects and calls as their values. A block that has a layout keeps it.
  }];
}

def TritonRewriteTensorDescriptorToPointer
    : TilePass<"triton-rewrite-tensor-descriptor-to-pointer"> {
  let summary = "Tensor descriptors become pointers, sizes and strides";
  let description = [{
    What is loaded, stored, gathered, scattered or combined through a descriptor is accessed
    through a tensor of pointers, with a mask for what lies outside of the tensor. Elements
    outside are read as 0 or NaN, as the descriptor says; `tt.descriptor_reduce` becomes a
    `tt.atomic_rmw`. Descriptors go through branches, loops and calls as their values, also as
    arguments of kernels: for those tilewright-expand-descriptor-arguments comes first.
  }];
}

def ExpandDescriptorArguments : TilePass<"tilewright-expand-descriptor-arguments"> {
  let summary = "Kernels take tensors where they took descriptors, and make the descriptors";
  let description = [{
    A kernel's descriptor argument becomes the tensor's address, which is a multiple of 16, its
    sizes (i32) and its strides (i64, multiples of 16 bytes but for the last, which is 1); a
    `tt.make_tensor_descriptor` of them stands at the kernel's beginning. Sizes and strides that
    follow the descriptor already, as in Triton's IR, stay.
  }];
}

def TritonLoopUnroll : TilePass<"triton-loop-unroll"> {
  let summary = "Unroll the loops marked with tt.loop_unroll_factor";
  let description = [{
    The marked `scf.for` runs several iterations at once; a second loop runs what is left of
    them, unless it is known that nothing is. That loop is marked `tt.num_stages = 1`, as it is
    too short to be pipelined. The attribute is removed.
  }];
}

def TritonLoopAwareCSE : TilePass<"triton-loop-aware-cse"> {
  let summary = "Common subexpressions, those carried around loops as well";
  let description = [{
    Besides what `cse` finds: two values carried by an `scf.for` that begin equal and are
    updated equally are one value.
  }];
}

def TritonLoopInvariantCodeMotion : TilePass<"triton-licm"> {
  let summary = "Loop-invariant code motion that moves loads as well";
  let description = [{
    Ops without side effects leave the loop as in MLIR's `loop-invariant-code-motion`. A
    `tt.load` leaves an `scf.for` in which nothing is written; it is masked so that it reads
    nothing when the loop has no iteration. It leaves the condition of such an `scf.while` as it
    is. Shared memory that is not mutable goes with the tensor that it holds. Nothing leaves a
    loop whose `llvm.loop_annotation` disables it.
  }];
}

#endif // TILEWRIGHT_TRANSFORM_TILE_PASSES
