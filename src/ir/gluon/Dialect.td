//===- Dialect.td - Layouts that are still to be chosen -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_GLUON_DIALECT
#define TILEWRIGHT_IR_GLUON_DIALECT

include "ir/tt/Interfaces.td"
include "mlir/IR/AttrTypeBase.td"

def Gluon_Dialect : Dialect {
  let name = "gluon";
  let cppNamespace = "::tilewright::gluon";
  let summary = "Layouts that are still to be chosen";
  let description = [{
    Encodings that stand for one that is inferred from the others of a kernel, or from its accesses
    of memory: gluon-resolve-auto-encodings and gluon-infer-coalesced-encodings choose.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Gluon_Encoding<string name, string attrMnemonic>
    : AttrDef<Gluon_Dialect, name, [TT_UndecidedEncoding]> {
  let mnemonic = attrMnemonic;
}

def Gluon_AutoEncoding : Gluon_Encoding<"AutoEncoding", "auto_encoding"> {
  let summary = "The layout that follows from those of the tensor's uses";
}

def Gluon_CoalescedEncoding : Gluon_Encoding<"CoalescedEncoding", "coalesced_encoding"> {
  let summary = "The layout in which memory is accessed best";
}

#endif // TILEWRIGHT_IR_GLUON_DIALECT
