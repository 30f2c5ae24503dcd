// Bullet 3 by btGjkEpaSolver2, in single precision, or in double with BT_USE_DOUBLE_PRECISION and the float64 libraries.
// Margins are 0: the shapes are the polytopes themselves. The solver starts from the offset of the bodies and keeps nothing.

#include "peer.hpp"

#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include <limits>
#include <memory>

namespace {

class Bullet {
 public:
#ifdef BT_USE_DOUBLE_PRECISION
  static const char* name() { return "bullet-f64"; }
#else
  static const char* name() { return "bullet"; }
#endif
  static const char* methods() { return "intersects:cold distance:cold signed:cold"; }

  explicit Bullet(const peer::Work& work) : work_(work) {
    for (const peer::Shape& shape : work.shapes) hulls_.push_back(hull(shape));
  }

  void forget() {}

  void place(const std::vector<peer::Placement>& placements) {
    poses_.clear();
    for (const peer::Placement& p : placements)
      poses_.push_back(btTransform(btQuaternion(scalar(p.x), scalar(p.y), scalar(p.z), scalar(p.w)), vector(p.tx, p.ty, p.tz)));
  }

  double answer(peer::Question question, bool, const peer::Candidate& pair) {
    const btConvexHullShape* a = hulls_[work_.shape_of[pair.a]].get();
    const btConvexHullShape* b = hulls_[work_.shape_of[pair.b]].get();
    const btTransform &pose_a = poses_[static_cast<int>(pair.a)], &pose_b = poses_[static_cast<int>(pair.b)];
    const btVector3 guess = pose_b.getOrigin() - pose_a.getOrigin();
    btGjkEpaSolver2::sResults found;
    const bool is_apart = btGjkEpaSolver2::Distance(a, pose_a, b, pose_b, guess, found);
    if (question == peer::Question::Intersects) return is_apart ? 0 : 1;
    if (is_apart) return found.distance;
    if (question == peer::Question::Distance) return 0;
    const bool has_depth = btGjkEpaSolver2::Penetration(a, pose_a, b, pose_b, guess, found, false);
    return has_depth ? found.distance : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static btScalar scalar(double number) { return static_cast<btScalar>(number); }
  static btVector3 vector(double x, double y, double z) { return {scalar(x), scalar(y), scalar(z)}; }

  static std::unique_ptr<btConvexHullShape> hull(const peer::Shape& shape) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      hull->addPoint(vector(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]), false);
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
  }

  const peer::Work& work_;
  std::vector<std::unique_ptr<btConvexHullShape>> hulls_;
  btAlignedObjectArray<btTransform> poses_;
};

}  // namespace

int main(int argc, char** argv) { return peer::serve<Bullet>(argc, argv); }
