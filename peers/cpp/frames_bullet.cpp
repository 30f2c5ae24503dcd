// Bullet 3 on whole frames: its dynamic tree, pairs found in one pass at the end, and btGjkEpaSolver2.
//
// In single precision, or in double with BT_USE_DOUBLE_PRECISION and the float64 libraries. Margins are 0: the shapes are
// the polytopes themselves.

#include "frames.hpp"

#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include <memory>

namespace {

btScalar scalar(double number) { return static_cast<btScalar>(number); }
btVector3 vector(double x, double y, double z) { return btVector3(scalar(x), scalar(y), scalar(z)); }

class Engine {
 public:
#ifdef BT_USE_DOUBLE_PRECISION
  static const char* name() { return "bullet-f64, tree and GJK"; }
#else
  static const char* name() { return "bullet, tree and GJK"; }
#endif

  explicit Engine(const peer::Recording& recording)
      : dispatcher_(&configuration_), world_(&dispatcher_, &tree_, &configuration_), objects_(recording.shape_of.size()) {
    tree_.m_deferedcollide = true;
    for (const peer::Shape& shape : recording.shapes) hulls_.push_back(hull(shape));
    convert(recording.frames[0]);
    for (size_t k = 0; k < objects_.size(); ++k) {
      objects_[k].setCollisionShape(hulls_[recording.shape_of[k]].get());
      objects_[k].setCollisionFlags(0);
      objects_[k].setUserIndex(static_cast<int>(k));
      objects_[k].setWorldTransform(poses_[static_cast<int>(k)]);
      world_.addCollisionObject(&objects_[k]);
    }
  }

  ~Engine() {
    for (btCollisionObject& object : objects_) world_.removeCollisionObject(&object);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void convert(const std::vector<peer::Placement>& frame) {
    poses_.clear();
    for (const peer::Placement& p : frame)
      poses_.push_back(btTransform(btQuaternion(scalar(p.x), scalar(p.y), scalar(p.z), scalar(p.w)), vector(p.tx, p.ty, p.tz)));
  }

  void find(std::vector<peer::Pair>& pairs) {
    for (size_t k = 0; k < objects_.size(); ++k) objects_[k].setWorldTransform(poses_[static_cast<int>(k)]);
    world_.updateAabbs();
    world_.computeOverlappingPairs();
    const btBroadphasePairArray& found = world_.getPairCache()->getOverlappingPairArray();
    for (int k = 0; k < found.size(); ++k) pairs.push_back({number(found[k].m_pProxy0), number(found[k].m_pProxy1)});
  }

  bool test(const peer::Pair& pair) {
    const btCollisionObject &a = objects_[pair[0]], &b = objects_[pair[1]];
    const btTransform &pose_a = a.getWorldTransform(), &pose_b = b.getWorldTransform();
    btGjkEpaSolver2::sResults found;
    return !btGjkEpaSolver2::Distance(hull_of(a), pose_a, hull_of(b), pose_b, pose_b.getOrigin() - pose_a.getOrigin(), found);
  }

 private:
  static const btConvexShape* hull_of(const btCollisionObject& object) {
    return static_cast<const btConvexShape*>(object.getCollisionShape());
  }
  static uint32_t number(const btBroadphaseProxy* proxy) {
    return static_cast<uint32_t>(static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex());
  }
  static std::unique_ptr<btConvexHullShape> hull(const peer::Shape& shape) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      hull->addPoint(vector(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]), false);
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase tree_;
  btCollisionWorld world_;
  std::vector<std::unique_ptr<btConvexHullShape>> hulls_;
  std::vector<btCollisionObject> objects_;
  btAlignedObjectArray<btTransform> poses_;
};

}  // namespace

int main(int argc, char** argv) { return peer::serve_frames<Engine>(argc, argv); }
