//===- Page.h - The page that shows a report ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_PAGE_H
#define TILEWRIGHT_REPORT_PAGE_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tilewright::report {

/// One HTML file that shows the reports, one after the other to choose from. It needs no other file
/// and no network: styles, scripts and libraries are in it, and the reports, compressed.
std::string renderPage(std::vector<llvm::json::Object> reports);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PAGE_H
