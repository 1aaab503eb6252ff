//===- Ops.td - The ops of the tt dialect -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_OPS
#define TILEWRIGHT_IR_TT_OPS

include "ir/tt/OpBase.td"
include "ir/tt/AtomicOps.td"
include "ir/tt/DescriptorOps.td"
include "ir/tt/DotOps.td"
include "ir/tt/ElementwiseOps.td"

//===--------------------------------------------------------------------------===//
// Casts
//===--------------------------------------------------------------------------===//

class TT_CastOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [SameOperandsAndResultShape,
                                           TT_SameEncoding, Elementwise, Pure])> {
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr"> {
  let summary = "64-bit integers as pointers";
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int"> {
  let summary = "Pointers as 64-bit integers";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
}

def TT_BitcastOp : TT_CastOp<"bitcast"> {
  let summary = "The same bits as another type of the same width";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Type:$result);
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_CastOp<"fp_to_fp"> {
  let summary = "Floating-point conversion, to and from 8-bit floats as well";
  let description = "`rounding` is needed exactly when the result is narrower than the operand.";
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat =
    "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Arithmetic that arith and math lack
//===--------------------------------------------------------------------------===//

def TT_ClampFOp : TT_ElementwiseOp<"clampf"> {
  let summary = "min(max(x, min), max)";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)
  }];
}

def TT_PreciseSqrtOp : TT_ElementwiseOp<"precise_sqrt"> {
  let summary = "Square root, correctly rounded";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let extraClassDeclaration = TT_InstructionsPerElement<16>.decl;
}

def TT_PreciseDivFOp : TT_ElementwiseOp<"precise_divf"> {
  let summary = "Quotient, correctly rounded";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
  let extraClassDeclaration = TT_InstructionsPerElement<16>.decl;
}

def TT_MulhiUIOp : TT_ElementwiseOp<"mulhiui"> {
  let summary = "High half of the unsigned product";
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

//===--------------------------------------------------------------------------===//
// Pointers and memory
//===--------------------------------------------------------------------------===//

def TT_AddPtrOp : TT_Op<"addptr", [Pure, Elementwise, SameOperandsAndResultShape,
    TT_SameEncoding,
    TypesMatchWith<"the result has the pointer's type", "result", "ptr", "$_self">]> {
  let summary = "Pointer plus an offset in elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the result has the pointee's type", "ptr", "result",
                   "::tilewright::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask is i1 of the pointer's shape and layout", "ptr", "mask",
                   "::tilewright::tt::getMaskType($_self)">,
    OptionalTypesMatchWith<"`other` has the pointee's type", "ptr", "other",
                   "::tilewright::tt::getPointeeType($_self)">]> {
  let summary = "Load through a pointer or a tensor of pointers";
  let description = [{
    Elements whose mask is false are not read; they are `other`, or undefined without it.
  }];
  let arguments = (ins
    TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOption>:$padding,
    DefaultValuedAttr<TT_CacheModifier, "::tilewright::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilewright::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$mask,
                                 "::mlir::Value":$other)>];
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = "::tilewright::tt::LayoutRule getLayoutRule();\n" # TT_InstructionsPerElement<8>.decl;
}

def TT_StoreOp : TT_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the value has the pointee's type", "ptr", "value",
                   "::tilewright::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask is i1 of the pointer's shape and layout", "ptr", "mask",
                   "::tilewright::tt::getMaskType($_self)">]> {
  let summary = "Store through a pointer or a tensor of pointers";
  let description = "Elements whose mask is false are not written.";
  let arguments = (ins
    TT_PtrLike:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifier, "::tilewright::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilewright::tt::EvictionPolicy::NORMAL">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
}

//===--------------------------------------------------------------------------===//
// The grid
//===--------------------------------------------------------------------------===//

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "Index of this program along an axis of the grid";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "Number of programs along an axis of the grid";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

//===--------------------------------------------------------------------------===//
// Creation and shapes
//===--------------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, .., end - 1";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = TT_LayoutRule<"AnyResult">.decl;
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "A tensor whose elements all are one scalar";
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = TT_LayoutRule<"AnyResult">.decl # TT_InstructionsPerElement<0>.decl;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure,
    TypesMatchWith<"the result is the tensor's element", "src", "result",
                   "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "The one element of a tensor of one element";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_LayoutRule<"AnyLayout">.decl;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure, SameOperandsAndResultElementType]> {
  let summary = "Insert a dimension of size 1";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "The same elements in another shape";
  let description = [{
    Row-major order is kept, unless `allow_reorder`: then any order of the elements will do.
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = "::tilewright::tt::LayoutRule getLayoutRule();\n" # TT_LayoutInference<>.decl;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure, SameOperandsAndResultElementType,
                                         TT_SameEncoding]> {
  let summary = "Repeat along the dimensions of size 1";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = TT_InstructionsPerElement<0>.decl;
}

def TT_TransOp : TT_Op<"trans", [Pure, SameOperandsAndResultElementType]> {
  let summary = "Permute the dimensions";
  let description = "Dimension i of the result is dimension `order[i]` of the operand.";
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands,
    SameOperandsAndResultElementType]> {
  let summary = "Two tensors as the halves of a new last dimension of size 2";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
}

def TT_SplitOp : TT_Op<"split", [Pure, SameOperandsAndResultElementType,
    TypesMatchWith<"the results have one type", "outLHS", "outRHS", "$_self">]> {
  let summary = "The two halves of the last dimension, which has size 2";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
}

def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands,
    SameOperandsAndResultElementType]> {
  let summary = "The elements of two tensors in one, in any order";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_InferredLayout<"Inferred">.decl;
}

//===--------------------------------------------------------------------------===//
// Elements that meet
//===--------------------------------------------------------------------------===//

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "Elements of a tensor, chosen by their index along one axis";
  let description = [{
    Element (i.., k, ..) of the result is element (i.., indices[i.., k, ..], ..) of `src`. The
    shapes are equal but for `axis`. `efficient_layout`: the layouts were chosen so that no
    element leaves its warp and are to be kept.
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat =
    "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = "::tilewright::tt::LayoutRule getLayoutRule();";
}

def TT_HistogramOp : TT_Op<"histogram", [Pure,
    OptionalTypesMatchWith<"the mask is i1 of the operand's shape and layout", "src", "mask",
                           "::tilewright::tt::getMaskType($_self)">]> {
  let summary = "How often each number from 0 to the result's size less 1 occurs";
  let description = "Elements whose mask is false, and those that are no bin's, are not counted.";
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = TT_LayoutRule<"AnyLayout">.decl;
}

//===--------------------------------------------------------------------------===//
// Reductions and scans
//===--------------------------------------------------------------------------===//

def TT_ReduceOp : TT_Op<"reduce", [Pure]> {
  let summary = "Combine the elements along one axis";
  let description = [{
    The region combines two elements, one of each operand a pair, into one; it must be
    associative and commutative. The results lack the axis; reducing a one-dimensional tensor
    gives scalars.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region MinSizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int":$axis)>];
  let extraClassDeclaration = TT_InferredLayout<"Collective">.decl # [{
    /// The types of the elements, one an operand.
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp">, Pure, Terminator,
                                                ReturnLike]> {
  let summary = "The combined elements";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanOp : TT_Op<"scan", [Pure]> {
  let summary = "Combine each element with all before it along one axis";
  let description = [{
    The region combines two elements, one of each operand a pair, into one: those that came
    before, then the element at hand. It must be associative. `reverse` starts from the end of
    the axis.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region MinSizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int":$axis, "bool":$reverse), [{
    build($_builder, $_state, srcs.getTypes(), srcs, axis, reverse);
  }]>];
  let extraClassDeclaration = TT_LayoutRule<"Collective">.decl # [{
    /// The types of the elements, one an operand.
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ScanReturnOp : TT_Op<"scan.return", [HasParent<"ScanOp">, Pure, Terminator, ReturnLike]> {
  let summary = "The combined elements";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, IsolatedFromAbove,
    FunctionOpInterface, OpAsmOpInterface, TT_ProgramScope]> {
  let summary = "A kernel (public) or a function that kernels call (private)";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
    CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs,
    CArg<"::llvm::ArrayRef<::mlir::DictionaryAttr>", "{}">:$argAttrs)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
  let hasCustomAssemblyFormat = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Call of a function";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let builders = [OpBuilder<(ins "::tilewright::tt::FuncOp":$callee, "::mlir::ValueRange":$operands), [{
    $_state.addOperands(operands);
    $_state.addAttribute("callee", ::mlir::SymbolRefAttr::get(callee));
    $_state.addTypes(callee.getFunctionType().getResults());
  }]>];
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, results)
  }];
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "End of a function";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_IR_TT_OPS
