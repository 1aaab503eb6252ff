//===- Enums.td - The enumerations of the tw dialect --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_ENUMS
#define TILEWRIGHT_IR_TW_ENUMS

include "mlir/IR/EnumAttr.td"

def TW_CombineKind : I32EnumAttr<"CombineKind", "How two elements become one", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"UMin", 3, "umin">,
    I32EnumAttrCase<"UMax", 4, "umax">]> {
  let cppNamespace = "::tilewright::tw";
}

#endif // TILEWRIGHT_IR_TW_ENUMS
