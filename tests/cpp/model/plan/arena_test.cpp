#include "model/plan/arena.h"

#include <algorithm>
#include <random>

#include "catch.h"
#include "core/memory/storage.h"

namespace tenure {

namespace {

std::vector<Lifetime> random_blocks(std::size_t count, unsigned steps, std::mt19937& random) {
  std::vector<Lifetime> blocks(count);
  for (Lifetime& block : blocks) {
    block.bytes = random() % 1000;
    block.first = static_cast<int>(random() % steps);
    block.last = block.first + static_cast<int>(random() % 10);
  }
  return blocks;
}

void check_apart(std::span<const Lifetime> blocks, const ArenaLayout& layout) {
  std::size_t faults = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t end = layout.offsets[i] + blocks[i].bytes + Storage::kSlack;
    faults += layout.offsets[i] % 16 == 0 && end <= layout.bytes ? 0 : 1;
    for (std::size_t j = 0; j < i; ++j) {
      if (blocks[i].last < blocks[j].first || blocks[j].last < blocks[i].first) continue;
      const std::size_t other_end = layout.offsets[j] + blocks[j].bytes + Storage::kSlack;
      faults += end <= layout.offsets[j] || other_end <= layout.offsets[i] ? 0 : 1;
    }
  }
  CHECK(faults == 0);
}

}  // namespace

TEST_CASE("Blocks alive together never overlap, and keep their slack", "[model][arena]") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const std::vector<Lifetime> blocks = random_blocks(random() % 40, 30, random);
    check_apart(blocks, plan_arena(blocks));
  }
}

TEST_CASE("Neither do thousands, which take each other's places too", "[model][arena]") {
  std::mt19937 random(7);
  const std::vector<Lifetime> blocks = random_blocks(6000, 3000, random);
  const ArenaLayout layout = plan_arena(blocks);
  check_apart(blocks, layout);
  std::vector<Lifetime> chain;
  for (int i = 0; i < 50'000; ++i) chain.push_back({1024, i, i + 1});
  CHECK(plan_arena(chain).bytes == 4 * (1024 + Storage::kSlack));
}

TEST_CASE("A chain of blocks needs two places", "[model][arena]") {
  std::vector<Lifetime> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back({1024, i, i + 1});
  CHECK(plan_arena(blocks).bytes == 2 * (1024 + Storage::kSlack));
}

TEST_CASE("No blocks need no memory", "[model][arena]") { CHECK(plan_arena({}).bytes == 0); }

}  // namespace tenure
