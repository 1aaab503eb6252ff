//===- Dialect.td - The tt dialect and its types ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_DIALECT
#define TILEWRIGHT_IR_TT_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"

def Triton_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tilewright::tt";
  let summary = "Tile programs: what a kernel computes, before layouts";
  let description = [{
    A kernel is a function run by a grid of program instances. Its values are scalars and
    tensors (tiles) of numbers or pointers; it loads and stores them through pointers. The
    names and the textual syntax are those of Triton 3.6.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

def TT_PtrType : TypeDef<Triton_Dialect, "Pointer", []> {
  let mnemonic = "ptr";
  let summary = "Pointer to a scalar in memory";
  let description = [{
    `!tt.ptr<T[, addressSpace]>` with T an integer or floating-point type. Address space 1,
    global memory, is the default and is not printed.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
                                        CArg<"int", "1">:$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_TensorDescType : TypeDef<Triton_Dialect, "TensorDesc", []> {
  let mnemonic = "tensordesc";
  let summary = "A tensor in memory, of which blocks are loaded and stored";
  let description = [{
    `!tt.tensordesc<tensor<128x64xf16>>`: the block's shape and element type, and the layout it
    is to have in shared memory if that is known. Also read without the inner `tensor<>`.
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

def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64],
                         "floating-point", "::mlir::FloatType">;
def TT_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "integer", "::mlir::IntegerType">;
def TT_Ptr : DialectType<Triton_Dialect, CPred<"::llvm::isa<::tilewright::tt::PointerType>($_self)">,
                         "pointer", "::tilewright::tt::PointerType">;
def TT_TensorDesc : DialectType<Triton_Dialect,
    CPred<"::llvm::isa<::tilewright::tt::TensorDescType>($_self)">, "tensor descriptor",
    "::tilewright::tt::TensorDescType">;

def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;

def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Type : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr, TT_Tensor]>;

//===--------------------------------------------------------------------------===//
// Enumerations
//===--------------------------------------------------------------------------===//

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilewright::tt";
}

def TT_CacheModifier : TT_Enum<"CacheModifier", "how a memory access uses the caches", [
  I32EnumAttrCase<"NONE", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">,
  I32EnumAttrCase<"CG", 3, "cg">, I32EnumAttrCase<"WB", 4, "wb">,
  I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">]>;
def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "how long a cache keeps the line", [
  I32EnumAttrCase<"NORMAL", 1, "evict_normal">, I32EnumAttrCase<"EVICT_FIRST", 2, "evict_first">,
  I32EnumAttrCase<"EVICT_LAST", 3, "evict_last">]>;
def TT_PaddingOption : TT_Enum<"PaddingOption", "value of elements outside a checked block", [
  I32EnumAttrCase<"PAD_ZERO", 1, "zero">, I32EnumAttrCase<"PAD_NAN", 2, "nan">]>;
def TT_ProgramDim : TT_Enum<"ProgramIDDim", "an axis of the grid of programs", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def TT_RoundingMode : TT_Enum<"RoundingMode", "rounding of a narrowing float cast", [
  I32EnumAttrCase<"RTZ", 0, "rtz">, I32EnumAttrCase<"RTNE", 1, "rtne">]>;
def TT_PropagateNan : TT_Enum<"PropagateNan", "what a NaN operand does to the result", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"ALL", 0xFFFF, "all">]>;
def TT_RMWOp : TT_Enum<"RMWOp", "what an atomic operation does with the value in memory", [
  I32EnumAttrCase<"AND", 1, "and">, I32EnumAttrCase<"OR", 2, "or">,
  I32EnumAttrCase<"XOR", 3, "xor">, I32EnumAttrCase<"ADD", 4, "add">,
  I32EnumAttrCase<"FADD", 5, "fadd">, I32EnumAttrCase<"MAX", 6, "max">,
  I32EnumAttrCase<"MIN", 7, "min">, I32EnumAttrCase<"UMAX", 8, "umax">,
  I32EnumAttrCase<"UMIN", 9, "umin">, I32EnumAttrCase<"XCHG", 10, "exch">]>;
def TT_MemSemantic : TT_Enum<"MemSemantic", "what an atomic operation orders", [
  I32EnumAttrCase<"RELAXED", 1, "relaxed">, I32EnumAttrCase<"ACQUIRE", 2, "acquire">,
  I32EnumAttrCase<"RELEASE", 3, "release">,
  I32EnumAttrCase<"ACQUIRE_RELEASE", 4, "acq_rel">]>;
def TT_MemSyncScope : TT_Enum<"MemSyncScope", "the threads an atomic operation is one step for", [
  I32EnumAttrCase<"GPU", 1, "gpu">, I32EnumAttrCase<"CTA", 2, "cta">,
  I32EnumAttrCase<"SYSTEM", 3, "sys">]>;
def TT_DescriptorReduceKind : TT_Enum<"DescriptorReduceKind",
    "what becomes of a block in memory", [
  I32EnumAttrCase<"ADD", 1, "add">, I32EnumAttrCase<"MIN", 2, "min">,
  I32EnumAttrCase<"MAX", 3, "max">, I32EnumAttrCase<"INC", 4, "inc">,
  I32EnumAttrCase<"DEC", 5, "dec">, I32EnumAttrCase<"AND", 6, "and">,
  I32EnumAttrCase<"OR", 7, "or">, I32EnumAttrCase<"XOR", 8, "xor">]>;
def TT_InputPrecision : TT_Enum<"InputPrecision", "how f32 products are made", [
  I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">,
  I32EnumAttrCase<"IEEE", 2, "ieee">, I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
  I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;
def TT_ScaleDotElemType : TT_Enum<"ScaleDotElemType", "elements of a product with scales", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">,
  I32EnumAttrCase<"E2M3", 2, "e2m3">, I32EnumAttrCase<"E3M2", 3, "e3m2">,
  I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">]>;

#endif // TILEWRIGHT_IR_TT_DIALECT
