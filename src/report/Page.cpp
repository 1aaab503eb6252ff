//===- Page.cpp - The page that shows a report --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Page.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilewright;

// The template of the page, with styles, scripts and libraries, as the build has put it together:
// AssemblePage.cmake. It lies between the two symbols.
extern "C" const char tilewright_report_page[];
extern "C" const char tilewright_report_page_end[];

/// What the template has in the place of the reports.
constexpr StringLiteral placeOfData = "@TILEWRIGHT_REPORT@";

/// The text as the page takes it: by zlib's format and base64, or base64 alone where this LLVM has
/// no zlib. The first letter says which.
static std::string packText(StringRef text) {
  if (!compression::zlib::isAvailable())
    return "b" + encodeBase64(text);
  SmallVector<uint8_t> packed;
  compression::zlib::compress(arrayRefFromStringRef(text), packed);
  return "z" + encodeBase64(packed);
}

/// The part of a report that is unpacked only when it is looked at.
static std::string takePasses(json::Object &report) {
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(report["passes"]));
  report.erase("passes");
  return packText(text);
}

/// <script type="text/plain">: nothing in base64 ends it.
static void addData(std::string &page, StringRef id, size_t number, StringRef data) {
  page += "<script type=\"text/plain\" id=\"" + id.str() + std::to_string(number) + "\">";
  page += data;
  page += "</script>\n";
}

std::string report::renderPage(std::vector<json::Object> reports) {
  auto [head, tail] =
      StringRef(tilewright_report_page, tilewright_report_page_end - tilewright_report_page)
          .split(placeOfData);
  std::string page = head.str();
  for (auto [number, report] : enumerate(reports)) {
    addData(page, "passes", number, takePasses(report));
    std::string text;
    raw_string_ostream(text) << json::Value(std::move(report));
    addData(page, "report", number, packText(text));
  }
  page += tail;
  return page;
}
