//===- Assemble.h - AMDGCN text to an object file -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLE_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLE_H

#include "target/Target.h"
#include "tilewright/Expected.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::emit {

class EncodedText;

/// The bytes of the relocatable ELF file that LLVM's assembler makes of `text` for `target`, a
/// "hip" one, whose instructions in `encoded` it takes as they are. An error has the place in the
/// source that the text's directives name.
Expected<std::string> assemble(llvm::StringRef text, const EncodedText &encoded,
                               const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_OBJECT_ASSEMBLE_H
