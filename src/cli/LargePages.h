//===- LargePages.h - The heap of a short process --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LARGEPAGES_H
#define TILEWRIGHT_CLI_LARGEPAGES_H

#include <cstddef>

namespace tilewright::cli {

/// The first size of the command's heap, in bytes of address space: memory is taken as it is
/// written. Most compilations keep within it.
constexpr std::size_t heapBytes = std::size_t(48) << 20;

/// Asks the system for large pages at the beginning of the heap where it gives them on request
/// (Linux with glibc; elsewhere nothing happens): a small compilation fills ten megabytes and more
/// just once, which is a page fault for each 4 KiB otherwise. To be called before much is
/// allocated; failure leaves the heap as it is.
void useLargePages();

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LARGEPAGES_H
