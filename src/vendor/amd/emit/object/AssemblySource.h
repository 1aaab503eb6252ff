//===- AssemblySource.h - Source locations of assembly lines --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLYSOURCE_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLYSOURCE_H

#include "tilewright/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::emit {

/// The source of line `line` (from 1) of the assembly `text`, as its directives `.file` and `.loc`
/// before that line say; no file if none does.
SourceRange findSource(llvm::StringRef text, unsigned line);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLYSOURCE_H
