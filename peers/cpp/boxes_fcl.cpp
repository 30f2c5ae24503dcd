// FCL's dynamic AABB tree manager on given boxes.

#include "boxes.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/sphere.h>

#include <memory>

namespace {

// An object whose box is given; its shape is never looked at.
class Object : public fcl::CollisionObjectd {
 public:
  explicit Object(const std::shared_ptr<fcl::CollisionGeometryd>& shape) : fcl::CollisionObjectd(shape) {}
  void set(const boxes::Box& box) {
    aabb.min_ = fcl::Vector3d(box.min[0], box.min[1], box.min[2]);
    aabb.max_ = fcl::Vector3d(box.max[0], box.max[1], box.max[2]);
  }
};

bool count(fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* pairs) {
  ++*static_cast<size_t*>(pairs);
  return false;
}

class Engine {
 public:
  explicit Engine(const std::vector<boxes::Box>& first) {
    const auto shape = std::make_shared<fcl::Sphered>(1.0);
    for (const boxes::Box& box : first) {
      objects_.push_back(std::make_unique<Object>(shape));
      objects_.back()->set(box);
      manager_.registerObject(objects_.back().get());
    }
    manager_.setup();
  }
  size_t frame(const std::vector<boxes::Box>& next) {
    for (size_t k = 0; k < next.size(); ++k) objects_[k]->set(next[k]);
    manager_.update();
    return pairs();
  }
  size_t pairs() {
    size_t found = 0;
    manager_.collide(&found, count);
    return found;
  }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

int main(int count, char** words) { return boxes::run<Engine>(count, words, "fcl dynamic AABB tree"); }
