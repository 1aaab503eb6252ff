//===- ClusterOrder.h - Clusters of a loop's body in their order ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_CLUSTERORDER_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_CLUSTERORDER_H

#include <algorithm>
#include <vector>

namespace tilewright::transform {

/// A cluster, by a number that says nothing of its place.
using Cluster = unsigned;

/// The clusters of a body, in the order of their places, between which others are put.
class ClusterOrder {
public:
  Cluster append() {
    clusters.push_back(clusters.size());
    return clusters.back();
  }
  Cluster insertBefore(Cluster cluster) {
    const Cluster made = clusters.size();
    clusters.insert(clusters.begin() + placeOf(cluster), made);
    return made;
  }

  size_t placeOf(Cluster cluster) const {
    return std::find(clusters.begin(), clusters.end(), cluster) - clusters.begin();
  }
  bool isBefore(Cluster a, Cluster b) const { return placeOf(a) < placeOf(b); }
  const std::vector<Cluster> &get() const { return clusters; }

private:
  std::vector<Cluster> clusters;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_CLUSTERORDER_H
