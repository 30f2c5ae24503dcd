// coal 3 in double precision: GJK and EPA, started from the last direction and support points of a pair.

#include "peer.hpp"

#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <algorithm>
#include <memory>

namespace {

class Coal {
 public:
  static const char* name() { return "coal"; }
  static const char* methods() {
    return "intersects:coherent intersects:cold distance:coherent distance:cold signed:coherent signed:cold";
  }

  explicit Coal(const peer::Work& work) : work_(work), memories_(work.pair_count) {
    for (const peer::Shape& shape : work.shapes) shapes_.push_back(convex(shape));
    overlap_.distance_upper_bound = 1e-6;  // stop once a separating axis is found
  }

  void forget() { std::fill(memories_.begin(), memories_.end(), Memory()); }

  void place(const std::vector<peer::Placement>& placements) {
    poses_.clear();
    for (const peer::Placement& p : placements)
      poses_.emplace_back(Eigen::Quaterniond(p.w, p.x, p.y, p.z), coal::Vec3s(p.tx, p.ty, p.tz));
  }

  double answer(peer::Question question, bool is_coherent, const peer::Candidate& pair) {
    Memory fresh;
    Memory& memory = is_coherent ? memories_[pair.pair] : fresh;
    switch (question) {
      case peer::Question::Intersects: return collide(pair, memory);
      case peer::Question::Distance: return std::max(0.0, distance(pair, memory, unsigned_));
      case peer::Question::Signed: return distance(pair, memory, signed_);
    }
    throw std::runtime_error("no such question");
  }

 private:
  struct Memory {
    bool is_known = false;
    coal::Vec3s guess;
    coal::support_func_guess_t support;
  };

  static std::unique_ptr<coal::CollisionGeometry> convex(const peer::Shape& shape) {
    auto vertices = std::make_shared<std::vector<coal::Vec3s>>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      vertices->emplace_back(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]);
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (size_t k = 0; k < shape.triangles.size(); k += 3)
      triangles->emplace_back(shape.triangles[k], shape.triangles[k + 1], shape.triangles[k + 2]);
    return std::make_unique<coal::Convex<coal::Triangle>>(vertices, vertices->size(), triangles, triangles->size());
  }

  const coal::CollisionGeometry* shape(uint32_t body) const { return shapes_[work_.shape_of[body]].get(); }

  double collide(const peer::Candidate& pair, Memory& memory) {
    recall(overlap_, memory);
    collided_.clear();
    coal::collide(shape(pair.a), poses_[pair.a], shape(pair.b), poses_[pair.b], overlap_, collided_);
    keep(memory, collided_);
    return collided_.isCollision() ? 1 : 0;
  }

  double distance(const peer::Candidate& pair, Memory& memory, coal::DistanceRequest& request) {
    recall(request, memory);
    measured_.clear();
    const double found = coal::distance(shape(pair.a), poses_[pair.a], shape(pair.b), poses_[pair.b], request, measured_);
    keep(memory, measured_);
    return found;
  }

  template <class Request>
  static void recall(Request& request, const Memory& memory) {
    request.gjk_initial_guess = memory.is_known ? coal::GJKInitialGuess::CachedGuess : coal::GJKInitialGuess::DefaultGuess;
    if (!memory.is_known) return;
    request.cached_gjk_guess = memory.guess;
    request.cached_support_func_guess = memory.support;
  }

  template <class Result>
  static void keep(Memory& memory, const Result& result) {
    memory = {true, result.cached_gjk_guess, result.cached_support_func_guess};
  }

  const peer::Work& work_;
  std::vector<std::unique_ptr<coal::CollisionGeometry>> shapes_;
  std::vector<coal::Transform3s> poses_;
  std::vector<Memory> memories_;
  coal::CollisionRequest overlap_{coal::NO_REQUEST, 1};
  coal::DistanceRequest unsigned_{true, false};
  coal::DistanceRequest signed_{true, true};
  coal::CollisionResult collided_;
  coal::DistanceResult measured_;
};

}  // namespace

int main(int argc, char** argv) { return peer::serve<Coal>(argc, argv); }
