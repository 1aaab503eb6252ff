//===- EncodingVerification.cpp - Checks common to all encodings --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/EncodingVerification.h"

#include "layout/encoding/Encodings.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;

LogicalResult ir::report(StringRef encoding, const Result<void> &valid,
                         function_ref<InFlightDiagnostic()> emitError) {
  if (valid)
    return success();
  return emitError() << encoding << ": " << valid.error();
}

LogicalResult ir::verifyRank(Attribute encoding, unsigned rank, ArrayRef<int64_t> shape,
                             function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() != rank)
    return emitError() << encoding << " describes tensors of rank " << rank << ", not of rank "
                       << shape.size();
  if (ShapedType::isDynamicShape(shape))
    return reportShape(encoding, shape, Failure("all sizes must be known"), emitError);
  return success();
}

LogicalResult ir::verifyShape(Attribute encoding, unsigned rank, ArrayRef<int64_t> shape,
                              function_ref<InFlightDiagnostic()> emitError) {
  if (failed(verifyRank(encoding, rank, shape, emitError)))
    return failure();
  return reportShape(encoding, shape, layout::verifyShape(shape), emitError);
}

LogicalResult ir::reportShape(Attribute encoding, ArrayRef<int64_t> shape,
                              const Result<void> &valid,
                              function_ref<InFlightDiagnostic()> emitError) {
  if (valid)
    return success();
  InFlightDiagnostic error = emitError() << encoding << " cannot describe a tensor of shape ";
  llvm::interleave(
      shape,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          error << '?';
        else
          error << size;
      },
      [&] { error << 'x'; });
  return error << ": " << valid.error();
}
