#include <limits>

#include "core/dispatch.h"
#include "gl/kernels.h"
#include "gl/units.h"

namespace tenure::gl {
namespace {

// An axis is (scale, shift, divisor, extent): output o lies at (o * scale + shift) / divisor in the input. In
// whole numbers, since neighbours hang on how a quotient is rounded.
constexpr std::string_view kAt =
    "uniform ivec4 rows,columns;uniform int height,width,depth;\n"
    "V at(int e){int p=e/depth,c=e-p*depth,r=p/width,n=r/height;\n"
    "int y=(r-n*height)*rows.x+rows.y,x=(p-r*width)*columns.x+columns.y;";

constexpr std::string_view kNearest =
    "y=clamp(y/rows.z,0,rows.w-1);x=clamp(x/columns.z,0,columns.w-1);"
    "return X(((n*rows.w+y)*columns.w+x)*depth+c);}\n";

// Before the first position both neighbours are the first. A neighbour of no weight is not read: it may be
// NaN.
constexpr std::string_view kBilinear =
    "y=y<0?0:y;x=x<0?0:x;"
    "int top=y/rows.z,left=x/columns.z;"
    "float down=float(y-top*rows.z)/float(rows.z),across=float(x-left*columns.z)/float(columns.z);"
    "int bottom=down>0.&&top+1<rows.w?top+1:top,right=across>0.&&left+1<columns.w?left+1:left;"
    "top=(n*rows.w+top)*columns.w;bottom=(n*rows.w+bottom)*columns.w;\n"
    "#define AT(row,column) V(X((row+column)*depth+c))\n"
    "V a=AT(top,left),b=AT(top,right);"
    "a+=(AT(bottom,left)-a)*down;b+=(AT(bottom,right)-b)*down;"
    "return a+(b-a)*across;}\n";

/// Whether a shader's int holds every position, all of which lie below 2 * in * out.
bool positions_fit(const KernelArgs& args) {
  const Shape& in = args.in[0].shape();
  const Shape& out = args.out.shape();
  const auto fits = [&](int i) {
    return std::int64_t{2} * in[i] * out[i] <= std::numeric_limits<std::int32_t>::max();
  };
  return fits(1) && fits(2);
}

std::array<int, 4> axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  if (attrs.align_corners && out > 1) return {in - 1, 0, out - 1, in};
  if (attrs.half_pixel_centers) return {2 * in, in - out, 2 * out, in};
  return {in, 0, out, in};
}

/// The position's whole part is the nearest: rounded where corners are aligned, else the cell it falls into.
std::array<int, 4> nearest_axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  const auto [scale, shift, divisor, extent] = axis(in, out, attrs);
  if (attrs.align_corners) return {2 * scale, divisor, 2 * divisor, extent};
  return {scale, shift + (attrs.half_pixel_centers ? divisor / 2 : 0), divisor, extent};
}

void resize(const KernelArgs& args, std::string_view name, const std::array<int, 4>& rows,
            const std::array<int, 4>& columns, std::string_view source) {
  const Shape& out = args.out.shape();
  UnitPass pass(name, out[3] % 4 == 0);
  pass.input("x", args.in[0])
      .set("rows", rows)
      .set("columns", columns)
      .set("height", out[1])
      .set("width", out[2])
      .set("depth", pass.units(out[3]));
  pass.draw(args.out, text(kAt, source));
}

}  // namespace

void resize_nearest_neighbor(const KernelArgs& args) {
  if (!positions_fit(args)) return leave_to_cpu(Op::resize_nearest_neighbor, args);
  const auto attrs = args.attrs.as<ResizeAttrs>();
  const Shape& in = args.in[0].shape();
  resize(args, "resize_nearest_neighbor", nearest_axis(in[1], attrs.height, attrs),
         nearest_axis(in[2], attrs.width, attrs), kNearest);
}

void resize_bilinear(const KernelArgs& args) {
  if (!positions_fit(args)) return leave_to_cpu(Op::resize_bilinear, args);
  const auto attrs = args.attrs.as<ResizeAttrs>();
  const Shape& in = args.in[0].shape();
  resize(args, "resize_bilinear", axis(in[1], attrs.height, attrs), axis(in[2], attrs.width, attrs),
         kBilinear);
}

}  // namespace tenure::gl
