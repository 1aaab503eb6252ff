//===- LayoutLibrary.cpp - The C interface of layouts and plans ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "mlir/IR/Attributes.h"

#include "capi/Guard.h"
#include "cli/layout/BlockLoadReport.h"
#include "cli/layout/ConversionReport.h"
#include "cli/layout/LayoutReport.h"
#include "tilewright-c/layout.h"

using namespace tilewright;
using namespace tilewright::capi;

static Expected<std::string> describeLayout(const std::string &layoutText,
                                            const std::string &tensorText,
                                            const std::string &viewName,
                                            const std::string &formatName) {
  auto view = cli::parseLayoutView(viewName, "");
  if (!view)
    return view.error();
  auto format = cli::parseLayoutFormat(formatName, "");
  if (!format)
    return format.error();
  cli::LayoutArguments arguments;
  auto tensor = arguments.parseTensor("tensor", tensorText);
  if (!tensor)
    return tensor.error();
  auto layout = arguments.parseLayout("layout", layoutText);
  if (!layout)
    return layout.error();
  return cli::describeLayout(arguments, *layout, *tensor, *view, *format);
}

void tilewright_free_text(char *text) { std::free(text); }

int tilewright_describe_layout(const char *layout, const char *tensor, const char *view,
                               const char *format, char **text) {
  *text = nullptr;
  return guard([&] {
    return giveText(describeLayout(capi::textOf(layout), capi::textOf(tensor), capi::textOf(view),
                                   capi::textOf(format)),
                    text);
  });
}

int tilewright_describe_conversion(const char *from, const char *to, const char *tensor,
                                   const char *target, const char *format, char **text) {
  *text = nullptr;
  return guard([&]() -> Expected<void> {
    const std::string formatName = capi::textOf(format);
    if (formatName != "json" && formatName != "text")
      return makeError("there is no format '" + formatName + "'", "format is json or text");
    return giveText(cli::describeConversion({.from = capi::textOf(from),
                                             .to = capi::textOf(to),
                                             .tensor = capi::textOf(tensor),
                                             .target = capi::textOf(target),
                                             .prefix = ""},
                                            formatName == "json"),
                    text);
  });
}

int tilewright_describe_block_load(const TilewrightBlockLoad *given, const char *format,
                                   char **text) {
  *text = nullptr;
  return guard([&] {
    cli::BlockLoadQuery query;
    query.layout = capi::textOf(given->layout);
    query.tensor = capi::textOf(given->tensor);
    for (auto [value, member] :
         {std::pair(given->memory, &query.memory), std::pair(given->access, &query.access),
          std::pair(given->view, &query.view), std::pair(given->target, &query.target),
          std::pair(format, &query.format)})
      if (value)
        *member = value;
    query.foldRows = given->fold_rows;
    query.extensionFormsOnly = given->extension_forms_only;
    return giveText(cli::describeBlockLoad(query), text);
  });
}
