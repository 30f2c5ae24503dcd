// FCL's trees on two meshes: OBBRSS for overlap, RSS for distance, the fastest of its trees for each.

#include "meshes.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>

namespace {

fcl::Transform3d pose(const peer::Placement& p) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() = fcl::Quaterniond(p.w, p.x, p.y, p.z).toRotationMatrix();
  pose.translation() = fcl::Vector3d(p.tx, p.ty, p.tz);
  return pose;
}

template <class Bound>
void fill(fcl::BVHModel<Bound>& model, const peer::Shape& shape) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  for (size_t k = 0; k < shape.vertices.size(); k += 3)
    vertices.emplace_back(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]);
  for (size_t k = 0; k < shape.triangles.size(); k += 3)
    triangles.emplace_back(shape.triangles[k], shape.triangles[k + 1], shape.triangles[k + 2]);
  model.beginModel();
  model.addSubModel(vertices, triangles);
  model.endModel();
}

class Engine {
 public:
  Engine(const peer::Shape& a, const peer::Shape& b) {
    fill(overlap_[0], a);
    fill(overlap_[1], b);
    fill(distance_[0], a);
    fill(distance_[1], b);
  }
  double intersects(const peer::Placement& a, const peer::Placement& b) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(&overlap_[0], pose(a), &overlap_[1], pose(b), request, result) > 0;
  }
  double distance(const peer::Placement& a, const peer::Placement& b) {
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return std::max(0.0, fcl::distance(&distance_[0], pose(a), &distance_[1], pose(b), request, result));
  }

 private:
  fcl::BVHModel<fcl::OBBRSSd> overlap_[2];
  fcl::BVHModel<fcl::RSSd> distance_[2];
};

}  // namespace

int main(int count, char** words) { return meshes::run<Engine>(count, words, "FCL OBBRSS, RSS"); }
