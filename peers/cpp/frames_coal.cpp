// coal 3 on whole frames, in double precision: a dynamic AABB tree and GJK.
//
// With WARM, the other of its two trees, and GJK that starts from the last direction and support points of a pair.

#include "frames.hpp"

#include <coal/broadphase/broadphase.h>
#include <coal/collision.h>
#include <coal/shape/convex.h>

#include <memory>
#include <unordered_map>

namespace {

struct Collect : coal::CollisionCallBackBase {
  std::vector<peer::Pair>* pairs = nullptr;
  bool collide(coal::CollisionObject* a, coal::CollisionObject* b) override {
    pairs->push_back({number(a), number(b)});
    return false;
  }
  static uint32_t number(coal::CollisionObject* object) {
    return static_cast<uint32_t>(reinterpret_cast<size_t>(object->getUserData()));
  }
};

class Engine {
 public:
#ifdef WARM
  static const char* name() { return "coal, tree and GJK that remembers"; }
  using Manager = coal::DynamicAABBTreeCollisionManager;
#else
  static const char* name() { return "coal, tree in an array and GJK"; }
  using Manager = coal::DynamicAABBTreeArrayCollisionManager;
#endif

  explicit Engine(const peer::Recording& recording) : request_(coal::NO_REQUEST, 1) {
    request_.distance_upper_bound = 1e-6;  // stop once a separating axis is found
    std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;
    for (const peer::Shape& shape : recording.shapes) shapes.push_back(convex(shape));
    convert(recording.frames[0]);
    std::vector<coal::CollisionObject*> all;
    for (size_t k = 0; k < recording.shape_of.size(); ++k) {
      objects_.push_back(std::make_unique<coal::CollisionObject>(shapes[recording.shape_of[k]], poses_[k]));
      objects_.back()->setUserData(reinterpret_cast<void*>(k));
      all.push_back(objects_.back().get());
    }
    manager_.registerObjects(all);
    manager_.setup();
  }

  void convert(const std::vector<peer::Placement>& frame) {
    poses_.clear();
    for (const peer::Placement& p : frame)
      poses_.emplace_back(Eigen::Quaterniond(p.w, p.x, p.y, p.z), coal::Vec3s(p.tx, p.ty, p.tz));
  }

  void find(std::vector<peer::Pair>& pairs) {
    for (size_t k = 0; k < objects_.size(); ++k) {
      objects_[k]->setTransform(poses_[k]);
      objects_[k]->computeAABB();
    }
    manager_.update();
    collect_.pairs = &pairs;
    manager_.collide(&collect_);
  }

  bool test(const peer::Pair& pair) {
    const uint64_t key = uint64_t{std::min(pair[0], pair[1])} << 32 | std::max(pair[0], pair[1]);
    if (IS_WARM) remember(key);
    result_.clear();
    coal::collide(objects_[pair[0]].get(), objects_[pair[1]].get(), request_, result_);
    if (IS_WARM) memories_[key] = {result_.cached_gjk_guess, result_.cached_support_func_guess};
    return result_.isCollision();
  }

 private:
#ifdef WARM
  static constexpr bool IS_WARM = true;
#else
  static constexpr bool IS_WARM = false;
#endif

  struct Memory {
    coal::Vec3s guess;
    coal::support_func_guess_t support;
  };

  void remember(uint64_t key) {
    const auto memory = memories_.find(key);
    request_.gjk_initial_guess = coal::GJKInitialGuess::DefaultGuess;
    if (memory == memories_.end()) return;
    request_.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    request_.cached_gjk_guess = memory->second.guess;
    request_.cached_support_func_guess = memory->second.support;
  }

  static std::shared_ptr<coal::CollisionGeometry> convex(const peer::Shape& shape) {
    auto vertices = std::make_shared<std::vector<coal::Vec3s>>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      vertices->emplace_back(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]);
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (size_t k = 0; k < shape.triangles.size(); k += 3)
      triangles->emplace_back(shape.triangles[k], shape.triangles[k + 1], shape.triangles[k + 2]);
    return std::make_shared<coal::Convex<coal::Triangle>>(vertices, vertices->size(), triangles, triangles->size());
  }

  std::vector<coal::Transform3s> poses_;
  std::vector<std::unique_ptr<coal::CollisionObject>> objects_;
  Manager manager_;
  Collect collect_;
  coal::CollisionRequest request_;
  coal::CollisionResult result_;
  std::unordered_map<uint64_t, Memory> memories_;
};

}  // namespace

int main(int argc, char** argv) { return peer::serve_frames<Engine>(argc, argv); }
