// coal's dynamic AABB tree manager on given boxes.

#include "boxes.hpp"

#include <coal/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>

namespace {

struct Count : coal::CollisionCallBackBase {
  size_t pairs = 0;
  bool collide(coal::CollisionObject*, coal::CollisionObject*) override {
    ++pairs;
    return false;
  }
};

class Engine {
 public:
  explicit Engine(const std::vector<boxes::Box>& first) {
    const auto shape = std::make_shared<coal::Sphere>(1.0);
    std::vector<coal::CollisionObject*> all;
    for (const boxes::Box& box : first) {
      objects_.push_back(std::make_unique<coal::CollisionObject>(shape));
      set(*objects_.back(), box);
      all.push_back(objects_.back().get());
    }
    manager_.registerObjects(all);
    manager_.setup();
  }
  size_t frame(const std::vector<boxes::Box>& next) {
    for (size_t k = 0; k < next.size(); ++k) set(*objects_[k], next[k]);
    manager_.update();
    return pairs();
  }
  size_t pairs() {
    Count count;
    manager_.collide(&count);
    return count.pairs;
  }

 private:
  static void set(coal::CollisionObject& object, const boxes::Box& box) {
    object.getAABB().min_ = coal::Vec3s(box.min[0], box.min[1], box.min[2]);
    object.getAABB().max_ = coal::Vec3s(box.max[0], box.max[1], box.max[2]);
  }
  std::vector<std::unique_ptr<coal::CollisionObject>> objects_;
  coal::DynamicAABBTreeArrayCollisionManager manager_;
};

}  // namespace

int main(int count, char** words) { return boxes::run<Engine>(count, words, "coal dynamic AABB tree array"); }
