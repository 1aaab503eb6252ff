//===- Passes.td - Passes over NVIDIA's ops -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES

include "mlir/Pass/PassBase.td"

class NvidiaPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect",
                           "::tilewright::ttng::TritonNvidiaGPUDialect"];
}

def NvidiaAsyncDots : NvidiaPass<"tilewright-nvidia-async-dots"> {
  let summary = "Products of warp groups in loops run on while the next iteration begins";
  let description = [{
    Each `ttng.warp_group_dot` in a loop becomes asynchronous. One that only the same product of
    the next iteration adds to, and whose operands stay in memory so long, is waited for one
    iteration later; any other right after it. What becomes readable at a wait passes through it.
    After the loop all are waited for.
  }];
}

def NvidiaJoinIterations : NvidiaPass<"tilewright-nvidia-join-iterations"> {
  let summary = "Two iterations of products of short tiles of bytes become one";
  let description = [{
    A loop over K that sums products of i8, 64 elements along K each, and loads them at its counter,
    takes 128 in each iteration, where warp groups multiply them. Runs before tensors have layouts.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tilewright::tt::TritonDialect"];
  let options = [
    Option<"targetName", "target", "std::string",
           /*default=*/"std::string(::tilewright::OptionDefaults::target)", "the GPU">,
    Option<"numWarps", "num-warps", "int32_t",
           /*default=*/"::tilewright::OptionDefaults::numWarps", "warps of a block">,
    Option<"numStages", "num-stages", "int32_t",
           /*default=*/"::tilewright::OptionDefaults::numStages", "stages of a pipelined loop">
  ];
}

def NvidiaUnscaledMaxima : NvidiaPass<"tilewright-nvidia-unscaled-maxima"> {
  let summary = "Maxima of products that are scaled by one number are those of the products, scaled";
  let description = [{
    In loops, of products of warp groups with a left operand in memory that no iteration changes and
    at most 64 elements along K: that operand takes over the scale's sign.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::tilewright::tt::TritonDialect"];
}

def NvidiaHardwareSwizzles : NvidiaPass<"tilewright-nvidia-hardware-swizzles"> {
  let summary = "Operands of warp groups in memory get encodings that say where tiles begin";
  let description = [{
    Where a `ttng.warp_group_dot` reads memory of `#ttg.swizzled_shared`, and all such encodings of
    the module have the maps of `#ttg.nvmma_shared`, they become these.
  }];
}

def TritonNvidiaOptimizeDescriptorEncoding
    : NvidiaPass<"triton-nvidia-optimize-descriptor-encoding"> {
  let summary = "Which descriptors the tensor memory accelerator takes, and their layout in memory";
  let description = [{
    Descriptors whose blocks are copied by hardware get a layout of shared memory in their types,
    through loops, branches and selects. Those without are rewritten to pointers by
    `triton-rewrite-tensor-descriptor-to-pointer`.
  }];
}

def NvidiaSpecializeLoops : NvidiaPass<"tilewright-nvidia-specialize-loops"> {
  let summary = "A warp of its own begins the copies of loops that the source wants specialised";
  let description = [{
    Scheduled loops with `tt.warp_specialize` whose early loads are all blocks of descriptors, or
    operands of warp groups' products that copies of 16 bytes bring, at places that follow from
    numbers: a partition of one warp, or of four that copy, computes the places and copies the
    blocks into rings of buffers, and the block's warps wait for them and release them. Other such
    loops stay as they are, and a remark says so. With `automatic` also loops that are better so
    (ProducerChoice.h), though the source does not ask for it.
  }];
  let options = [
    Option<"automatic", "automatic", "bool", /*default=*/"false",
           "also loops that are better so, though the source does not ask for it">
  ];
}

def NvidiaPartitionRegisters : NvidiaPass<"tilewright-nvidia-partition-registers"> {
  let summary = "Partitions that ask for registers get them, and the default group the rest";
  let description = [{
    A `ttg.warp_specialize` with `requestedRegisters`, if it is the only one: its partitions begin at
    whole groups of four warps, the largest first, warps without work fill the last group, and each
    region begins with a `ttng.set_registers`. A group has the most that one of its partitions asks
    for. The block begins with as many registers as `ttg.maxnreg` says, or else as the
    multiprocessor has for a block of its own. Where that is not enough nothing is changed.
  }];
}

def NvidiaPipelineDescriptorLoads : NvidiaPass<"tilewright-nvidia-pipeline-descriptor-loads"> {
  let summary = "Descriptor loads of scheduled loops become copies into several buffers";
  let description = [{
    In loops that `tritongpu-schedule-loops` has given stages, `tt.descriptor_load`s that begin at
    least a stage before their use become copies by the tensor memory accelerator into as many
    buffers as are alive, with a barrier a buffer; loads that begin together and are used first by
    one op share it. The new ops have stages, too: `tritongpu-pipeline` expands the loop.
  }];
}

def TritonNvidiaTMALowering : NvidiaPass<"triton-nvidia-tma-lowering"> {
  let summary = "Descriptors become tensor maps, and accesses of blocks copies by hardware";
  let description = [{
    A load is a copy into shared memory, and a wait for its barrier; what is put into shared memory
    in the descriptor's layout is used where it is. Stores and reductions go through shared memory:
    in a loop through one tile, which is written when the copy before has read it. A descriptor
    that the kernel makes is a tensor map in memory of the launch.
  }];
}

def NvidiaTensorProducts : NvidiaPass<"tilewright-nvidia-tensor-products"> {
  let summary = "Products of operands in shared memory get accumulators in tensor memory";
  let description = [{
    A tw.memory_dot becomes a ttng.tc_gen5_mma. Where a loop does nothing with its sum but add to
    it, the sum stays in tensor memory until the loop ends; any other is stored before the product
    and loaded after it.
  }];
}

def TritonNvidiaMMALowering : NvidiaPass<"triton-nvidia-mma-lowering"> {
  let summary = "Wait at once for products in tensor memory that tell no barrier";
  let description = [{
    A ttng.tc_gen5_mma (or tc_gen5_mma_scaled) without `is_async` is complete when it is over. It
    gets a barrier of its own, which it tells and which is waited for right after it. In a function
    with a ttng.tc_gen5_commit it becomes `is_async` instead: that op tells who waits.
  }];
}

def NvidiaLaunchTensorMaps : Pass<"tilewright-nvidia-launch-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "Tensor maps that follow from the kernel's arguments become parameters";
  let description = [{
    A `tt.make_tensor_descriptor` with a layout of shared memory becomes one more argument of the
    kernel, the last, where the launch can make the map: its address is an argument, its sizes and
    strides are products of arguments and constants, and the kernel makes it in any case. How is
    said by `ttg.tensor_maps` of the module, in the order of these arguments.
  }];
  let dependentDialects = ["::tilewright::tt::TritonDialect"];
}

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PASSES
