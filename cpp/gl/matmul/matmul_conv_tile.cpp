#include "gl/matmul/matmul_conv_tile.h"

#include <string_view>

#include "core/text.h"

namespace tenure::gl {
namespace {

/// Repeats the pattern for each row of a tile, with $ replaced by the row and @ by the index of its texel in
/// the second group. GLSL arrays would be shorter, but SwiftShader keeps them in memory.
std::string each(std::string_view pattern) {
  std::string result;
  for (int row = 0; row < kTileRows; ++row) {
    for (const char c : pattern) {
      if (c == '$') {
        append(result, row);
      } else if (c == '@') {
        append(result, row + kTileRows);
      } else {
        result += c;
      }
    }
  }
  return result;
}

/// Generates the GLSL that multiplies four channels of each row by four channels of eight columns. On
/// SwiftShader, mat4 * vec4 is faster than the sum of scaled columns, and incrementing coordinates is faster
/// than computing them from indices.
std::string multiply() {
  const std::string_view group =
      "m=mat4(textureLod(f,vec2(B.x+w,B.y),0.),textureLod(f,vec2(B.x+w+df,B.y),0.),"
      "textureLod(f,vec2(B.x+w+2.*df,B.y),0.),textureLod(f,vec2(B.x+w+3.*df,B.y),0.));";
  const auto columns = [&](std::string_view name) {
    std::string result;
    for (const char c : group) c == 'B' ? result += name : result += c;
    return result;
  };
  return "{\n#if PADDED\n" +
         each("vec4 v$=intBitsToFloat(floatBitsToInt(textureLod(x,vec2(a$.x+u,a$.y),0.))&m$);") +
         "\n#else\n" + each("vec4 v$=textureLod(x,vec2(a$.x+u,a$.y),0.);") + "\n#endif\nmat4 " +
         columns("b0") + each("s$+=m*v$;") + columns("b1") + each("s@+=m*v$;") + "u+=dx;w+=4.*df;}\n";
}

}  // namespace

const std::string& tile_source() {
  static const std::string kSource =
      "uniform int rows,pairs,depth,run,steps;\n"
      "#if BATCHED\nuniform int tiles,x_matrix,f_matrix;\n#endif\n"
      "#if WINDOW\nuniform int blocks;\n#endif\n"
      "void vertex(int v){int q=idiv(v,pairs),g=(v-q*pairs)*2,x0=0,f0=g*steps*run*4;\n"
      "#if BATCHED\n"
      "int b=idiv(q,tiles);ivec2 matrix=matrices(b);q-=b*tiles;x0+=matrix.x*x_matrix;f0+=matrix.y*f_matrix;\n"
      "#endif\n"
      // Rows past the end repeat the last row.
      "int r=q*8,last=rows-1;\n"
      "#if WINDOW\n"
      // One division for eight rows: each row's coordinates are incremented from those of the row before.
      "int y=idiv(r,sizes.z),column=r-y*sizes.z,n=idiv(y,sizes.w);y-=n*sizes.w;bool end;\n" +
      each(
          "ivec2 c$=ivec2(column,y)*slide.xy-slide.zw;int p$=pixel(c$,n)*depth;"
          "column+=int(r+$<last);end=column==sizes.z;column=end?0:column;"
          "y+=int(end);end=y==sizes.w;y=end?0:y;n+=int(end);\n") +
      "int block=0;ivec2 tap=ivec2(0);\n"
      "#else\n" +
      each("int p$=x0+min(r+$,last)*depth;") +
      "\n#endif\n"
      "float dx=intBitsToFloat(x_.z),df=intBitsToFloat(f_.z);vec4 start=START(g);\n" +
      each("vec4 s$=start;") + "start=START(g+1);\n" + each("vec4 s@=start;") +
      "\nfor(int j=0;j<steps;++j){\n"
      "#if WINDOW\n"
      "ivec2 d=tap*window.zw;int o=(d.y*sizes.x+d.x)*depth+block*run;\n"
      "#else\nint o=j*run;\n#endif\n"
      "#if PADDED\n" +
      // A bit mask instead of a factor: the pixel that is read for padding may be infinite.
      each("int m$=-int(inside(c$+d));vec2 a$=x_at((p$+o)&m$);") + "\n#else\n" + each("vec2 a$=x_at(p$+o);") +
      "\n#endif\n"
      "int fj=f0+j*run*4;vec2 b0=f_at(fj),b1=f_at(fj+steps*run*4);float u=0.,w=0.;\n"
      "#if UNROLLED\nfor(int k=0;k<run;k+=2){\n" +
      multiply() + multiply() + "}\n#else\n" + multiply() +
      "#endif\n"
      "#if WINDOW\n"
      "bool end=++block==blocks;block=end?0:block;tap.x+=int(end);"
      "end=tap.x==window.x;tap.x=end?0:tap.x;tap.y+=int(end);\n"
      "#endif\n"
      "}\n" +
      each("t$=s$;t@=s@;") + "}\n";
  return kSource;
}

}  // namespace tenure::gl
