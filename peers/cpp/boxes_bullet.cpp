// Bullet's dynamic tree broad phase on given boxes, in single precision.

#include "boxes.hpp"

#include <btBulletCollisionCommon.h>

#include <memory>

namespace {

class Engine {
 public:
  explicit Engine(const std::vector<boxes::Box>& first) : dispatcher_(&configuration_) {
    for (size_t k = 0; k < first.size(); ++k)
      proxies_.push_back(tree_.createProxy(corner(first[k].min), corner(first[k].max), 0, nullptr, 1, 1, &dispatcher_));
    tree_.calculateOverlappingPairs(&dispatcher_);
  }
  size_t frame(const std::vector<boxes::Box>& next) {
    for (size_t k = 0; k < next.size(); ++k)
      tree_.setAabb(proxies_[k], corner(next[k].min), corner(next[k].max), &dispatcher_);
    tree_.calculateOverlappingPairs(&dispatcher_);
    return pairs();
  }
  size_t pairs() { return static_cast<size_t>(tree_.getOverlappingPairCache()->getNumOverlappingPairs()); }

 private:
  static btVector3 corner(const double* p) {
    return btVector3(static_cast<btScalar>(p[0]), static_cast<btScalar>(p[1]), static_cast<btScalar>(p[2]));
  }
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase tree_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

int main(int count, char** words) { return boxes::run<Engine>(count, words, "bullet btDbvtBroadphase"); }
