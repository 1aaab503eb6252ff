//===- TensorLayouts.cpp - Layouts of tensors in kernels of Gluon -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The author of such a kernel chooses the layouts. Nothing is converted that the kernel does not
// convert: where two layouts meet that differ, that is an error, which says in what they do.
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Layouts.h"
#include "frontend/value/TritonBuilder.h"
#include "ir/gluon/Dialect.h"
#include "ir/ttg/encoding/Inference.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

/// The remedy where two layouts differ.
static std::string remedyFor(Attribute left, Attribute right, llvm::ArrayRef<int64_t> shape) {
  const std::string bases = differingBases(left, right, shape);
  const std::string convert = "bring one to the other's layout with gl.convert_layout, or make it "
                              "in that layout";
  return bases.empty() ? convert : bases + "; " + convert;
}

Value TritonBuilder::inLayout(const Value &tensor, Attribute encoding, llvm::StringRef what) {
  const Attribute own = tensor.encoding();
  if (own == encoding || !isGluon)
    return tensor;
  if (!isAutoLayout(own))
    return fail(what + ": its layout is " + reprOfLayout(own) + ", and not " +
                    reprOfLayout(encoding),
                remedyFor(own, encoding, tensor.shape()));
  return Value::tensor(
      gluon::SetAutoLayoutOp::create(builder, loc(),
                                     tensorType(tensor.shape(), tensor.type, encoding), tensor.ssa),
      tensor.type);
}

bool TritonBuilder::matchLayouts(Value &left, Value &right, llvm::StringRef what) {
  const Attribute a = left.encoding(), b = right.encoding();
  if (a == b)
    return true;
  if (isAutoLayout(a))
    return bool(left = inLayout(left, b, what));
  if (isAutoLayout(b))
    return bool(right = inLayout(right, a, what));
  return reject(
      what + ": the layouts " + reprOfLayout(a) + " and " + reprOfLayout(b) + " differ",
      remedyFor(a, b, left.shape() == right.shape() ? left.shape() : llvm::ArrayRef<int64_t>()));
}

std::optional<Attribute> TritonBuilder::expandedLayout(const Value &tensor, unsigned axis) {
  const Attribute layout = tensor.encoding();
  if (!isGluon || isUndecidedLayout(layout))
    return layout;
  if (!layout) {
    fail("a scalar cannot get dimensions in a kernel of Gluon: no layout says where it goes",
         "use gl.full");
    return std::nullopt;
  }
  auto slice = llvm::dyn_cast<ttg::SliceEncodingAttr>(layout);
  if (slice && slice.getDim() == axis)
    return slice.getParent();
  const std::string wanted = "SliceLayout(" + std::to_string(axis) + ", parent)";
  fail("a tensor that gets dimension " + llvm::Twine(axis) + " must have the layout " + wanted +
           ", not " + reprOfLayout(layout),
       slice ? "make it in " + reprOfLayout(ttg::SliceEncodingAttr::get(axis, slice.getParent())) +
                   ", or add dimension " + std::to_string(slice.getDim())
             : "`parent` is the layout that the result is to have: give " + wanted +
                   " to what makes the tensor, or to gl.convert_layout");
  return std::nullopt;
}

/// Several orders of dimensions may describe one blocked layout: of those that a reshape gives, the
/// order of what is reshaped, as Triton chooses.
static Attribute inSourceOrder(Attribute source, llvm::ArrayRef<int64_t> from, Attribute reshaped,
                               llvm::ArrayRef<int64_t> to) {
  auto blocked = llvm::dyn_cast<ttg::BlockedEncodingAttr>(reshaped);
  auto given = llvm::dyn_cast<ttg::BlockedEncodingAttr>(source);
  if (!blocked || !given)
    return reshaped;
  // Runs of dimensions that have as many elements on both sides.
  llvm::SmallVector<llvm::SmallVector<unsigned>> runOf(from.size());
  for (unsigned i = 0, j = 0; i < from.size() && j < to.size();) {
    const unsigned first = i;
    llvm::SmallVector<unsigned> run{j};
    int64_t left = from[i++], right = to[j++];
    while (left != right) {
      if (left < right && i < from.size())
        left *= from[i++];
      else if (right < left && j < to.size()) {
        run.push_back(j);
        right *= to[j++];
      } else {
        return reshaped;
      }
    }
    for (unsigned dim = first; dim < i; ++dim)
      runOf[dim] = run;
  }
  layout::Blocked ordered = blocked.getLayout();
  ordered.order.clear();
  for (unsigned dim : given.getLayout().order)
    for (unsigned target : llvm::reverse(runOf[dim]))
      if (!llvm::is_contained(ordered.order, target))
        ordered.order.push_back(target);
  if (ordered.order.size() != to.size() || !layout::verify(ordered, ordered.rank()) ||
      !layout::toLinearLayout(ordered, to).sameMapAs(blocked.toLinearLayout(to)))
    return reshaped;
  return ttg::BlockedEncodingAttr::get(source.getContext(), ordered);
}

std::optional<Attribute> TritonBuilder::reshapedLayout(const Value &tensor,
                                                       llvm::ArrayRef<int64_t> shape) {
  const Attribute layout = tensor.encoding();
  if (!layout || isUndecidedLayout(layout))
    return layout;
  if (Attribute reshaped = ttg::inferReshape(tensor.shape(), layout, shape))
    return inSourceOrder(layout, tensor.shape(), reshaped, shape);
  fail("no layout describes a tensor " + describeShape(tensor.shape()) + " in " +
           reprOfLayout(layout) + " as " + describeShape(shape),
       "convert it with gl.convert_layout first");
  return std::nullopt;
}

std::optional<Attribute> TritonBuilder::transposedLayout(const Value &tensor,
                                                         llvm::ArrayRef<int32_t> order) {
  const Attribute layout = tensor.encoding();
  auto decided = llvm::dyn_cast_if_present<tt::LayoutEncoding>(layout);
  if (!decided)
    return layout;
  if (Attribute transposed = decided.inferTrans(tensor.shape(), order))
    return transposed;
  fail("no layout describes the transpose of a tensor in " + reprOfLayout(layout),
       "convert it with gl.convert_layout first");
  return std::nullopt;
}
