//===- layout.h - Layouts and plans, from C ---------------------------*- C -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What `tilewright layout`, `convert` and `blockload` print, as texts in memory: JSON and pictures
// of layouts, plans of conversions, plans of block messages. Layouts are given as attributes of IR,
//
//     "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1],
//                    order = [1, 0]}>"
//
// and tensors as types, "tensor<128x64xf16>". Functions return 0 on success; else
// tilewright_last_error (launch.h) says what was wrong, and `*text` is null. `*text` is the
// caller's, to be given back by tilewright_free_text. Any number of threads may call these at the
// same time. The functions are in libtilewright.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_C_LAYOUT_H
#define TILEWRIGHT_C_LAYOUT_H

#ifdef __cplusplus
extern "C" {
#endif

/// Null is allowed.
void tilewright_free_text(char *text);

/// Who holds what of a tensor. `view`: "tensor", "hw", "bases" or "access"; `format`: "json",
/// "text", "svg" or "cute" (docs/layout-tool.md). JSON is
///
///   {"in": {"register": 16, ..}, "out": {"dim0": 16, ..}, "bases": {"register": [[1, 0], ..], ..}}
int tilewright_describe_layout(const char *layout, const char *tensor, const char *view,
                               const char *format, char **text);

/// How a tensor gets from one layout to another on a target: the plan that the compiler emits.
/// `format`: "json" or "text" (docs/layouts.md).
int tilewright_describe_conversion(const char *from, const char *to, const char *tensor,
                                   const char *target, const char *format, char **text);

/// The work of block messages; a null member has the default.
typedef struct TilewrightBlockLoad {
  const char *layout, *tensor;
  /// "row_major" (default) or "column_major".
  const char *memory;
  /// "load" (default), "store" or "prefetch".
  const char *access;
  /// "steps" or "messages"; default: steps for the loads of a DPAS operand, else messages.
  const char *view;
  /// Such as "xpu:pvc", the default.
  const char *target;
  /// A message's rows may be pieces of the contiguous dimension; messages that are instructions of
  /// SPIR-V's extension alone.
  int fold_rows, extension_forms_only;
} TilewrightBlockLoad;

/// The messages between memory and a tensor in a layout. `format`: "json" or "text"
/// (docs/block-loads.md, docs/block-messages.md).
int tilewright_describe_block_load(const TilewrightBlockLoad *query, const char *format,
                                   char **text);

#ifdef __cplusplus
}
#endif

#endif // TILEWRIGHT_C_LAYOUT_H
