//===- LinkCodeObject.h - Linking of an object file to an HSACO -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_LINKCODEOBJECT_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_LINKCODEOBJECT_H

#include "tilewright/Expected.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::emit {

/// The bytes of the shared object that the HSA runtime loads, linked by LLVM's linker from
/// `object`, the bytes of a relocatable file. The linker works on files: there are two in the
/// system's temporary folder meanwhile. May be called by several threads at once; they take
/// turns.
Expected<std::string> linkCodeObject(llvm::StringRef object);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_LINKCODEOBJECT_H
