//===- Guard.h - The border between C++ and C -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CAPI_GUARD_H
#define TILEWRIGHT_CAPI_GUARD_H

#include "runtime/launch/LastError.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace tilewright::capi {

/// Calls a function that returns an Expected<void>, and gives its status. Nothing of ours throws,
/// but memory may be out: then that is the error.
template <typename Call> int guard(Call call) noexcept {
  try {
    return runtime::finish(call());
  } catch (...) {
  }
  try {
    return runtime::fail(makeError("out of memory"));
  } catch (...) {
    return 1;
  }
}

/// An optional text of the caller's.
inline std::string textOf(const char *text) { return text ? text : ""; }

/// Gives a text to the caller, who frees it by tilewright_free_text.
inline Expected<void> giveText(const Expected<std::string> &text, char **given) {
  if (!text)
    return text.error();
  *given = static_cast<char *>(std::malloc(text->size() + 1));
  if (!*given)
    return makeError("out of memory");
  std::memcpy(*given, text->c_str(), text->size() + 1);
  return {};
}

} // namespace tilewright::capi

#endif // TILEWRIGHT_CAPI_GUARD_H
