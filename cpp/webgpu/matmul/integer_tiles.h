#pragma once

#include <initializer_list>
#include <string_view>

#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// The tiles of a product of integers, some rows of four columns each. A thread sums one, or several threads
/// of a workgroup where there are too few tiles to occupy a GPU.
class IntegerTiles {
 public:
  IntegerTiles(int rows, int columns);

  /// True if several threads sum a tile.
  bool is_workgroup() const { return is_workgroup_; }
  /// Sets the parameters of the sizes, and dispatches the kernel. The source defines
  /// `fn lane_sums(row: i32, v: i32, lane: i32) -> array<vec4i, ROWS>`: the sums of a thread, number `lane`
  /// of LANES, in rows `row` to `row + ROWS - 1` of columns 4 * v to 4 * v + 3. What it declares besides
  /// includes `fn finish(sum: i32, c: i32) -> T`, an element of column c.
  void launch(Dispatch& dispatch, Tensor& out, std::string_view functions, std::string_view source) const;

 private:
  int rows_;
  int columns_;
  int tile_rows_;
  std::size_t tiles_;
  bool is_workgroup_;
};

}  // namespace tenure::webgpu
