//===- Passes.td - The passes of the lowering ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From ttg to the LLVM dialect, in this order; MLIR's convert-scf-to-cf runs between
// tilewright-set-access-width and allocate-shared-memory.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_PASSES
#define TILEWRIGHT_LOWER_CORE_PASSES

include "mlir/Pass/PassBase.td"

def LegalizeViews : Pass<"tilewright-legalize-views", "::mlir::ModuleOp"> {
  let summary = "Convert layouts where a view moves elements between threads";
  let description = [{
    Leaves only views (tt.expand_dims, tt.trans, tt.reshape, ..) that rename registers;
    ttg.convert_layout moves what others move. A .ttgir may have any layouts on the two sides of a
    view; the passes over layouts leave none that this pass has to change.
  }];
  let constructor = "::tilewright::lower::createLegalizeViewsPass()";
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def AllocateGlobalScratch
    : Pass<"tritongpu-global-scratch-memory-allocation", "::mlir::ModuleOp"> {
  let summary = "Place the global memory that programs have of their own";
  let description = [{
    Replaces each ttg.global_scratch_alloc by an address in memory that the launch passes as the
    kernel's last argument, a piece for each program, and sets `ttg.global_scratch_memory_size`, the
    bytes of a piece, on the module. A kernel without such ops stays as it is.
  }];
  let constructor = "::tilewright::lower::createAllocateGlobalScratchPass()";
  let dependentDialects = ["::tilewright::tt::TritonDialect", "::mlir::arith::ArithDialect"];
}

def SetAccessWidth : Pass<"tilewright-set-access-width", "::mlir::ModuleOp"> {
  let summary = "Say on loads and stores how many elements one access takes, and on other ops "
                "which elements are the same";
  let description = [{
    Sets `ttg.access_width` on each tt.load, tt.store and tt.atomic_rmw of a tensor: the dimension
    along which, and the number of elements that, one access of a thread takes. Runs while loops
    are still scf: that is where the axis information sees most.
  }];
  let constructor = "::tilewright::lower::createSetAccessWidthPass()";
}

def TransposeLoads : Pass<"tilewright-transpose-loads", "::mlir::ModuleOp"> {
  let summary = "Loads that transpose, of what goes to shared memory across the rows loaded";
  let description = [{
    Where a tt.load is only stored to shared memory (ttg.local_store), whose elements lie along
    another dimension than the load's in global memory, and the target has a load by which lanes
    exchange what they load (ttg/TransposingLoads.h): puts a ttg.convert_layout between the two and
    marks load and conversion `ttg.transposing`. Takes the mark from all others. Runs after
    tilewright-set-access-width.
  }];
  let constructor = "::tilewright::lower::createTransposeLoadsPass()";
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def AllocateMemorySpaces : Pass<"tilewright-allocate-memory-spaces", "::mlir::ModuleOp"> {
  let summary = "Place what a kernel has in memories besides shared memory";
  let description = [{
    For each further memory of the target (lower/space/MemorySpace.h), such as tensor memory: gives
    allocations that hold something at the same time units of their own, takes the memory for the
    block where the kernel begins and gives it back where it ends, and puts a ttg.barrier wherever
    units are used again while threads may still be at their last use. Notes on the module how many
    units a block is given. Fails if that is more than the target has.
  }];
  let constructor = "::tilewright::lower::createAllocateMemorySpacesPass()";
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect",
                           "::tilewright::tw::TilewrightDialect"];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "Place the scratch memory of ops and put barriers between uses of the same bytes";
  let description = [{
    Sets `allocation.offset` on allocations (ttg.local_alloc) and on ops that need scratch memory
    (ttg::ScratchUser), and `ttg.shared`, the bytes of a block, on the module. Puts a ttg.barrier
    wherever bytes are used again while threads may still be at their last use, as
    ttg::SharedMemoryUser says what an op accesses. Fails if a block would need more than the
    target has.
  }];
  let constructor = "::tilewright::lower::createAllocateSharedMemoryPass()";
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def ConvertTritonGPUToLLVM : Pass<"convert-triton-gpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower tiles with layouts to what each thread does, in the LLVM dialect";
  let description = [{
    Lowers a module of tt, ttg, arith, math and cf for the target that it names. A tensor becomes
    its registers, one value each. Fails, with an error at each op concerned, where the target
    cannot do what an op says.
  }];
  let constructor = "::tilewright::lower::createConvertTritonGPUToLLVMPass()";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TILEWRIGHT_LOWER_CORE_PASSES
