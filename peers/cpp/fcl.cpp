// FCL 0.7 in double precision, by libccd, the faster of its two solvers. Nothing is remembered: libccd cannot.

#include "peer.hpp"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <fcl/geometry/shape/convex.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace {

class Fcl {
 public:
  static const char* name() { return "fcl"; }
  static const char* methods() { return "intersects:cold distance:cold signed:cold"; }

  explicit Fcl(const peer::Work& work) : work_(work) {
    for (const peer::Shape& shape : work.shapes) shapes_.push_back(convex(shape));
    overlap_.gjk_solver_type = fcl::GST_LIBCCD;
  }

  void forget() {}

  void place(const std::vector<peer::Placement>& placements) {
    poses_.resize(placements.size());
    for (size_t body = 0; body < placements.size(); ++body) {
      const peer::Placement& p = placements[body];
      poses_[body].setIdentity();
      poses_[body].linear() = Eigen::Quaterniond(p.w, p.x, p.y, p.z).toRotationMatrix();
      poses_[body].translation() = fcl::Vector3d(p.tx, p.ty, p.tz);
    }
  }

  double answer(peer::Question question, bool, const peer::Candidate& pair) {
    switch (question) {
      case peer::Question::Intersects: return collide(pair);
      case peer::Question::Distance: return std::max(0.0, distance(pair, unsigned_));
      case peer::Question::Signed: return distance(pair, signed_);
    }
    throw std::runtime_error("no such question");
  }

 private:
  using Poses = std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>;

  static std::unique_ptr<fcl::CollisionGeometryd> convex(const peer::Shape& shape) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      vertices->emplace_back(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]);
    auto faces = std::make_shared<std::vector<int>>();
    for (size_t k = 0; k < shape.triangles.size(); k += 3) {
      faces->push_back(3);
      for (size_t corner = 0; corner < 3; ++corner) faces->push_back(static_cast<int>(shape.triangles[k + corner]));
    }
    return std::make_unique<fcl::Convexd>(vertices, static_cast<int>(shape.triangles.size() / 3), faces);
  }

  const fcl::CollisionGeometryd* shape(uint32_t body) const { return shapes_[work_.shape_of[body]].get(); }

  double collide(const peer::Candidate& pair) {
    fcl::CollisionResultd result;
    fcl::collide(shape(pair.a), poses_[pair.a], shape(pair.b), poses_[pair.b], overlap_, result);
    return result.isCollision() ? 1 : 0;
  }

  double distance(const peer::Candidate& pair, const fcl::DistanceRequestd& request) {
    fcl::DistanceResultd result;
    try {
      return fcl::distance(shape(pair.a), poses_[pair.a], shape(pair.b), poses_[pair.b], request, result);
    } catch (const std::exception&) {  // it gives up on some degenerate polytopes of its own making
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  const peer::Work& work_;
  std::vector<std::unique_ptr<fcl::CollisionGeometryd>> shapes_;
  Poses poses_;
  fcl::CollisionRequestd overlap_{1, false};
  fcl::DistanceRequestd unsigned_{true, false, 0, 0, 1e-6, fcl::GST_LIBCCD};
  fcl::DistanceRequestd signed_{true, true, 0, 0, 1e-6, fcl::GST_LIBCCD};
};

}  // namespace

int main(int argc, char** argv) { return peer::serve<Fcl>(argc, argv); }
