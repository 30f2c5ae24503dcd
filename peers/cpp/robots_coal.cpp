// coal on the parts of a robot. See src/bin/robots.rs.
//
// robots_coal[-VARIANT] FILE, by the name that the program is called by: every pair is asked by `collide`, after its boxes, from
// a default guess (no variant), from the guess that the pair had before (-warm), or with Nesterov acceleration (-nesterov). Parts
// that are triangles are trees of OBBRSS.

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/shape/convex.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using coal::Transform3s;
using coal::Vec3s;

struct Robot {
  std::vector<std::shared_ptr<coal::CollisionGeometry>> hulls;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<std::vector<Transform3s>> configurations;

  explicit Robot(const char* path) : file_(path, std::ios::binary) {
    for (uint32_t part = number(), k = 0; k < part; ++k) read_part();
    pairs.resize(number());
    for (auto& pair : pairs) {
      pair.first = number();
      pair.second = number();
    }
    configurations.resize(number());
    for (auto& poses : configurations)
      for (size_t k = 0; k < hulls.size(); ++k) {
        double entries[12];
        file_.read(reinterpret_cast<char*>(entries), sizeof entries);
        Eigen::Matrix3d turn;
        turn << entries[0], entries[1], entries[2], entries[3], entries[4], entries[5], entries[6], entries[7], entries[8];
        poses.emplace_back(turn, Vec3s(entries[9], entries[10], entries[11]));
      }
    if (!file_) throw std::runtime_error("the file ends early");
  }

 private:
  uint32_t number() {
    uint32_t value = 0;
    file_.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  void read_part() {
    const bool is_mesh = number() == 1;
    const uint32_t vertices = number(), triangles = number();
    auto points = std::make_shared<std::vector<Vec3s>>(vertices);
    for (Vec3s& point : *points) {
      double entries[3];
      file_.read(reinterpret_cast<char*>(entries), sizeof entries);
      point = Vec3s(entries[0], entries[1], entries[2]);
    }
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (uint32_t k = 0; k < triangles; ++k) {
      const uint32_t a = number(), b = number(), c = number();
      faces->emplace_back(a, b, c);
    }
    if (is_mesh) {
      auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
      model->beginModel();
      model->addSubModel(*points, *faces);
      model->endModel();
      hulls.push_back(model);
      return;
    }
    hulls.push_back(std::make_shared<coal::Convex<coal::Triangle>>(points, vertices, faces, triangles));
  }
  std::ifstream file_;
};

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const Robot robot(words[1]);
  const std::string program = words[0];
  const auto ends_with = [&](const std::string& end) {
    return program.size() >= end.size() && program.compare(program.size() - end.size(), end.size(), end) == 0;
  };
  const bool is_warm = ends_with("-warm"), is_accelerated = ends_with("-nesterov");
  std::printf("coal%s\n", is_warm ? ", cached guess" : is_accelerated ? ", Nesterov" : "");
  std::fflush(stdout);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::vector<coal::CollisionObject> objects;
    for (const auto& hull : robot.hulls) objects.emplace_back(hull);
    coal::CollisionRequest plain(coal::NO_REQUEST, 1);
    plain.distance_upper_bound = 1e-6;  // whether they touch is all that is asked
    if (is_accelerated) plain.gjk_variant = coal::NesterovAcceleration;
    std::vector<coal::CollisionRequest> requests(robot.pairs.size(), plain);
    coal::CollisionResult result;
    std::string answers(robot.pairs.size() * robot.configurations.size(), '0');
    size_t place = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const auto& poses : robot.configurations) {
      for (size_t k = 0; k < objects.size(); ++k) {
        objects[k].setTransform(poses[k]);
        objects[k].computeAABB();
      }
      for (size_t k = 0; k < robot.pairs.size(); ++k, ++place) {
        const coal::CollisionObject &a = objects[robot.pairs[k].first], &b = objects[robot.pairs[k].second];
        if (!a.getAABB().overlap(b.getAABB())) continue;
        result.clear();
        coal::collide(&a, &b, requests[k], result);
        if (is_warm) requests[k].updateGuess(result);
        if (result.isCollision()) answers[place] = '1';
      }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%.9f %s\n", time.count(), answers.c_str());
    std::fflush(stdout);
  }
  return 0;
}
