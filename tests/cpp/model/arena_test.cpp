#include "model/arena.h"

#include <algorithm>
#include <random>

#include "catch.h"
#include "core/storage.h"

namespace tenure {

TEST_CASE("Blocks alive together never overlap, and keep their slack", "[model][arena]") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Lifetime> blocks(random() % 40);
    for (Lifetime& block : blocks) {
      block.bytes = random() % 1000;
      block.first = static_cast<int>(random() % 30);
      block.last = block.first + static_cast<int>(random() % 10);
    }
    const ArenaLayout layout = plan_arena(blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      CHECK(layout.offsets[i] % 16 == 0);
      CHECK(layout.offsets[i] + blocks[i].bytes + Storage::kSlack <= layout.bytes);
      for (std::size_t j = 0; j < i; ++j) {
        if (blocks[i].last < blocks[j].first || blocks[j].last < blocks[i].first) continue;
        const bool apart = layout.offsets[i] + blocks[i].bytes + Storage::kSlack <= layout.offsets[j] ||
                           layout.offsets[j] + blocks[j].bytes + Storage::kSlack <= layout.offsets[i];
        CHECK(apart);
      }
    }
  }
}

TEST_CASE("A chain of blocks needs two places", "[model][arena]") {
  std::vector<Lifetime> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back({1024, i, i + 1});
  CHECK(plan_arena(blocks).bytes == 2 * (1024 + Storage::kSlack));
}

TEST_CASE("No blocks need no memory", "[model][arena]") { CHECK(plan_arena({}).bytes == 0); }

}  // namespace tenure
