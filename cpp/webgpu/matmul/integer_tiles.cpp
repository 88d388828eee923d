#include "webgpu/matmul/integer_tiles.h"

#include "webgpu/matmul/integer_tile_store.wgsl.h"
#include "webgpu/matmul/integer_tile_workgroup.wgsl.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Threads of a workgroup that sum a tile together.
constexpr int kLanes = 8;
/// Number of tiles that occupies a GPU.
constexpr std::size_t kBusyTiles = 4096;
constexpr int kMaxTileRows = 4;

}  // namespace

IntegerTiles::IntegerTiles(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      tile_rows_(rows > 1 ? kMaxTileRows : 1),
      tiles_(static_cast<std::size_t>((rows + tile_rows_ - 1) / tile_rows_) *
             static_cast<std::size_t>((columns + 3) / 4)),
      // Software renderers run barriers badly.
      is_workgroup_(tiles_ < kBusyTiles && !is_software()) {}

void IntegerTiles::launch(Dispatch& dispatch, Tensor& out, std::string_view functions,
                          std::string_view source) const {
  dispatch.set("rows", rows_)
      .set("columns", columns_)
      .set("vectors", (columns_ + 3) / 4)
      .constant("ROWS", tile_rows_)
      .constant("LANES", is_workgroup_ ? kLanes : 1);
  if (!is_workgroup_) {
    return dispatch.threads(out, tiles_, {functions, source, wgsl::kIntegerTileStore, R"(
      fn run(i: i32) {
        let q = i / params.vectors;
        let v = i - q * params.vectors;
        store_sums(q * ROWS, v, lane_sums(q * ROWS, v, 0));
      }
    )"_wgsl});
  }
  constexpr std::size_t kTiles = Dispatch::kThreads / kLanes;
  dispatch.workgroups(out, fold_workgroups((tiles_ + kTiles - 1) / kTiles),
                      {functions, source, wgsl::kIntegerTileStore, wgsl::kIntegerTileWorkgroup});
}

}  // namespace tenure::webgpu
