// FCL 0.7 on whole frames, in double precision: a dynamic AABB tree and libccd.

#include "frames.hpp"

#include <fcl/fcl.h>

#include <memory>

namespace {

class Engine {
 public:
  static const char* name() { return "fcl, tree and libccd"; }

  explicit Engine(const peer::Recording& recording) : request_(1, false) {
    request_.gjk_solver_type = fcl::GST_LIBCCD;
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> shapes;
    for (const peer::Shape& shape : recording.shapes) shapes.push_back(convex(shape));
    convert(recording.frames[0]);
    std::vector<fcl::CollisionObjectd*> all;
    for (size_t k = 0; k < recording.shape_of.size(); ++k) {
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shapes[recording.shape_of[k]], poses_[k]));
      objects_.back()->setUserData(reinterpret_cast<void*>(k));
      all.push_back(objects_.back().get());
    }
    manager_.registerObjects(all);
    manager_.setup();
  }

  void convert(const std::vector<peer::Placement>& frame) {
    poses_.clear();
    for (const peer::Placement& p : frame) {
      fcl::Transform3d pose = fcl::Transform3d::Identity();
      pose.linear() = Eigen::Quaterniond(p.w, p.x, p.y, p.z).toRotationMatrix();
      pose.translation() = fcl::Vector3d(p.tx, p.ty, p.tz);
      poses_.push_back(pose);
    }
  }

  void find(std::vector<peer::Pair>& pairs) {
    for (size_t k = 0; k < objects_.size(); ++k) {
      objects_[k]->setTransform(poses_[k]);
      objects_[k]->computeAABB();
    }
    manager_.update();
    manager_.collide(&pairs, collect);
  }

  bool test(const peer::Pair& pair) {
    fcl::CollisionResultd result;
    fcl::collide(objects_[pair[0]].get(), objects_[pair[1]].get(), request_, result);
    return result.isCollision();
  }

 private:
  static bool collect(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* pairs) {
    const auto number = [](fcl::CollisionObjectd* object) {
      return static_cast<uint32_t>(reinterpret_cast<size_t>(object->getUserData()));
    };
    static_cast<std::vector<peer::Pair>*>(pairs)->push_back({number(a), number(b)});
    return false;
  }

  static std::shared_ptr<fcl::CollisionGeometryd> convex(const peer::Shape& shape) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (size_t k = 0; k < shape.vertices.size(); k += 3)
      vertices->emplace_back(shape.vertices[k], shape.vertices[k + 1], shape.vertices[k + 2]);
    auto faces = std::make_shared<std::vector<int>>();
    for (size_t k = 0; k < shape.triangles.size(); k += 3) {
      faces->push_back(3);
      for (size_t corner = 0; corner < 3; ++corner) faces->push_back(static_cast<int>(shape.triangles[k + corner]));
    }
    return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(shape.triangles.size() / 3), faces);
  }

  std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> poses_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  fcl::CollisionRequestd request_;
};

}  // namespace

int main(int argc, char** argv) { return peer::serve_frames<Engine>(argc, argv); }
