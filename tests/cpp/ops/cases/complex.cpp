#include "ops/cases/case.h"

namespace tenure::cases {

void add_complex(Table& table) {
  const Input z = complexes({2, 3});
  table.add(Op::complex, {floats({2, 3}), floats({2, 3})});
  for (const Op op : {Op::real, Op::imag, Op::conj}) {
    table.add(op, {z});
    table.add(op, {floats({4})});
  }
  table.add(Op::complex_abs, {z});
  for (const Op op : {Op::abs, Op::neg}) table.add(op, {z});
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::div}) {
    table.add(op, {z, complexes({3})});
    table.add(op, {z, floats({3}).within(0.5F, 2)});
    table.add(op, {given({}, {2}), z});
  }
  for (const Op op : {Op::sum, Op::mean}) table.add(op, {z}, ReduceAttrs{{1}, true});
  table.add(Op::unsorted_segment_sum, {z, indices({2}, {1, 1})}, SegmentsAttrs{.segments = 2});
  table.add(Op::transpose, {z}, PermutationAttrs{});
  table.add(Op::concat, {z, z}, AxisAttrs{-1});
  table.add(Op::slice, {z}, SliceAttrs{{0, 1}, {2, 2}});
  table.add(Op::strided_slice, {z}, StridedSliceAttrs{.begin = {1, 2}, .end = {-3, 0}, .strides = {-1, -1}});
  table.add(Op::gather, {z, indices({3}, {2, 2, 0})}, GatherAttrs{.axis = 1});
  table.add(Op::tile, {z}, TileAttrs{{2, 2}});
  table.add(Op::pad, {z}, PadAttrs{{1, 0}, {0, 2}, 7});
  table.add(Op::mirror_pad, {z}, MirrorPadAttrs{{0, 1}, {1, 2}, false});
  table.add(Op::reverse, {z}, AxesAttrs{{1}});
  table.add(Op::where, {bools({3}), z, complexes({2, 1})});
  table.add(Op::reshape, {z}, ToShapeAttrs{{3, 2}});
  for (const std::int32_t size : {1, 3, 4, 5, 8}) {
    table.add(Op::fft, {complexes({2, size})});
    table.add(Op::ifft, {complexes({2, size})});
    table.add(Op::rfft, {floats({2, size})}, LengthAttrs{});
    table.add(Op::irfft, {complexes({2, size})});
  }
  table.add(Op::fft, {complexes({0, 3})});
  for (const std::int32_t length : {4, 9}) table.add(Op::rfft, {floats({2, 6})}, LengthAttrs{length});
}

}  // namespace tenure::cases
