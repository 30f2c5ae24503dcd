// coal's trees on two meshes: OBBRSS for overlap, RSS for distance, the fastest of its trees for each.

#include "meshes.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

namespace {

coal::Transform3s pose(const peer::Placement& p) {
  return coal::Transform3s(Eigen::Quaterniond(p.w, p.x, p.y, p.z), coal::Vec3s(p.tx, p.ty, p.tz));
}

template <class Bound>
void fill(coal::BVHModel<Bound>& model, const peer::Shape& shape) {
  std::vector<coal::Vec3s> vertices;
  std::vector<coal::Triangle> triangles;
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
    coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    return coal::collide(&overlap_[0], pose(a), &overlap_[1], pose(b), request, result) > 0;
  }
  double distance(const peer::Placement& a, const peer::Placement& b) {
    coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    return std::max(0.0, coal::distance(&distance_[0], pose(a), &distance_[1], pose(b), request, result));
  }

 private:
  coal::BVHModel<coal::OBBRSS> overlap_[2];
  coal::BVHModel<coal::RSS> distance_[2];
};

}  // namespace

int main(int count, char** words) { return meshes::run<Engine>(count, words, "coal OBBRSS, RSS"); }
