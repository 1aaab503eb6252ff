//===- Dialect.td - The ttg dialect -------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_DIALECT
#define TILEWRIGHT_IR_TTG_DIALECT

include "mlir/IR/OpBase.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tilewright::ttg";
  let summary = "Tile programs whose tensors have layouts";
  let description = [{
    Encodings say where the elements of a tensor live; `ttg.convert_layout` moves them. The
    names and the textual syntax are those of Triton 3.6.

    Module attributes: `ttg.num-warps` (the default group's), `ttg.total-num-warps` (with those of
    the partitions; optional), `ttg.threads-per-warp`, `ttg.num-ctas` (i32), `ttg.target` (string,
    such as "cuda:90"), `ttg.shared` (i32, bytes a block).
  }];
  let dependentDialects = ["::tilewright::tt::TritonDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();

    /// The plans for `target`, null for none in particular; they live as long as the context.
    ::tilewright::plan::PlanCache &getPlanCache(const ::tilewright::target::Target *target);

  private:
    std::mutex planCachesMutex;
    std::map<const ::tilewright::target::Target *,
             std::unique_ptr<::tilewright::plan::PlanCache>> planCaches;

  public:
  }];
}

#endif // TILEWRIGHT_IR_TTG_DIALECT
