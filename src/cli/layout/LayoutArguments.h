//===- LayoutArguments.h - Layout and tensor arguments of the commands -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The arguments of `layout`, `convert` and `blockload`: the text of a layout attribute and
// of a tensor type, such as
//
//   #ttg.blocked<{sizePerThread = [1, 4], ..}>        tensor<128x64xf16>
//
// Every error names the argument as its file and points into the argument's text. No text
// whatsoever makes them fail otherwise.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_LAYOUTARGUMENTS_H
#define TILEWRIGHT_CLI_LAYOUT_LAYOUTARGUMENTS_H

#include "cli/Namespaces.h"
#include "tilewright/Expected.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Types.h"
#include "tilewright/layout/LinearLayout.h"

#include <memory>
#include <string>
#include <vector>

namespace tilewright::cli {

/// The user's text, and its name in errors: "--tensor", or a file's name.
struct ArgumentText {
  std::string name;
  std::string text;
  /// The line of the file that the text begins with.
  int firstLine = 1;
};

/// A layout, not yet of any tensor.
struct LayoutArgument {
  ArgumentText source;
  mlir::Attribute attribute;
};

/// A tensor; each of its sizes is at least 1, their product at most tt::maxTensorElements.
struct TensorArgument {
  ArgumentText source;
  llvm::SmallVector<int64_t> shape;
  /// An integer, a float or a pointer.
  mlir::Type elementType;
  /// Bits of an element as it is stored: a pointer has 64, i1 has 8.
  unsigned elementBits = 0;
  /// The layout that the type itself names; null where it names none.
  mlir::Attribute encoding;
};

/// Reads arguments. What it returns lives as long as it does.
class LayoutArguments {
public:
  LayoutArguments();
  ~LayoutArguments();
  LayoutArguments(const LayoutArguments &) = delete;
  LayoutArguments &operator=(const LayoutArguments &) = delete;

  mlir::MLIRContext *context() { return mlirContext.get(); }

  /// `name` is how errors call the argument.
  Expected<LayoutArgument> parseLayout(llvm::StringRef name, llvm::StringRef text);
  Expected<TensorArgument> parseTensor(llvm::StringRef name, llvm::StringRef text);

  /// Every `#alias = ..` of a file of IR, in order, by its name without the `#`. The rest of the
  /// file is not looked at: it may hold ops that nobody knows.
  struct Alias {
    std::string name;
    LayoutArgument layout;
  };
  Expected<std::vector<Alias>> parseAliases(llvm::StringRef file, llvm::StringRef text);

  /// Whether `layout` can be that of `tensor`. Errors: it is no layout, neither of a tensor in
  /// registers nor of one in shared memory; it does not fit the tensor; a size is no power of two,
  /// but for cooperative matrices.
  Expected<void> check(const LayoutArgument &layout, const TensorArgument &tensor);

  /// The map of `layout` on `tensor`: (register, lane, warp, block), or (offset, block), to
  /// (dim0, dim1, ..). Errors: it is no layout of a tensor in registers (in shared memory), what
  /// check() finds, or it is no linear map: a cooperative matrix with padding.
  Expected<layout::LinearLayout> distributedLayout(const LayoutArgument &layout,
                                                   const TensorArgument &tensor);
  Expected<layout::LinearLayout> sharedLayout(const LayoutArgument &layout,
                                              const TensorArgument &tensor);

private:
  std::unique_ptr<mlir::MLIRContext> mlirContext;
};

/// An error at `offset` bytes into an argument's text, underlining `length` bytes.
Diagnostic errorAt(const ArgumentText &source, size_t offset, size_t length, std::string message,
                   std::string remedy = {});

/// `attribute` as IR writes it.
std::string textOf(mlir::Attribute attribute);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_LAYOUTARGUMENTS_H
