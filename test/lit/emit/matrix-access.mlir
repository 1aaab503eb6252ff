// Matrix accesses to shared memory: what the lowering emits is selected as ldmatrix and stmatrix,
// and stays on its side of a barrier.

// RUN: tilewright-emit %s --target=cuda:90 -o - | FileCheck %s
// RUN: %if ptxas %{ tilewright-emit %s --target=cuda:90 -o %t.ptx && %ptxas -arch sm_90a %t.ptx -o %t.cubin %}

llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

// CHECK-LABEL: .entry k(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: stmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// CHECK: bar.sync 0;
// CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: bar.warp.sync -1;
// CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16
// CHECK: bar.sync 0;
// CHECK: stmatrix.sync.aligned.m8n8.x1.shared.b16
// CHECK: ret;
llvm.func @k(%out: !llvm.ptr<1>, %v: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %shared = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %offset = llvm.shl %t, %four : i32
  %row = llvm.getelementptr inbounds %shared[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %row, %v, %v, %t, %v {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
  nvvm.stmatrix %row, %t, %v {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
  nvvm.barrier0
  %a = nvvm.ldmatrix %row {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  %b = nvvm.ldmatrix %row {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.bar.warp.sync %all : i32
  %c = nvvm.ldmatrix %row {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  nvvm.barrier0
  nvvm.stmatrix %row, %v {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
  %b3 = llvm.extractvalue %b[3] : !llvm.struct<(i32, i32, i32, i32)>
  %sum = llvm.add %a, %b3 : i32
  %total = llvm.add %sum, %c : i32
  %place = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %total, %place : i32, !llvm.ptr<1>
  llvm.return
}
