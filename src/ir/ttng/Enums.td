//===- Enums.td - Keywords of ttng's ops ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_ENUMS
#define TILEWRIGHT_IR_TTNG_ENUMS

include "mlir/IR/EnumAttr.td"

class TTNG_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilewright::ttng";
}

def TTNG_PackedArithKind : TTNG_Enum<"PackedArithKind", "arithmetic on two numbers at once", [
  I32EnumAttrCase<"ADD", 0, "add">, I32EnumAttrCase<"SUB", 1, "sub">,
  I32EnumAttrCase<"MUL", 2, "mul">, I32EnumAttrCase<"FMA", 3, "fma">,
  I32EnumAttrCase<"MIN", 4, "min">, I32EnumAttrCase<"MAX", 5, "max">]>;
def TTNG_TMEMLoadReduce : TTNG_Enum<"TMEMLoadReduce", "what a load also reduces rows to", [
  I32EnumAttrCase<"MIN", 0, "min">, I32EnumAttrCase<"MAX", 1, "max">]> {
  // TTNG_TMEMLoadReduceAttr is what texts have.
  let genSpecializedAttr = 0;
}

#endif // TILEWRIGHT_IR_TTNG_ENUMS
