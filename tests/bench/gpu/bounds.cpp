#include "gl/shader/kernel.h"
#include "ops/ops.h"
#include "report.h"
#include "sections.h"
#include "webgpu/shader/kernel.h"

namespace tenure::bench {
namespace {

using gl::Pass;

constexpr double kGiga = 1e9;

void report_bound(const char* name, double amount, double milliseconds, const char* unit) {
  Row("bound")
      .set("name", name)
      .set("value", amount / (milliseconds / 1e3) / kGiga)
      .set("unit", unit)
      .set("ms", milliseconds);
}

/// Reports the rate of copying buffers of WebGPU, as arrays of vec4s.
void report_buffer_copies(const Effort& effort, int side) {
  const Tensor x = device_values({side, side});
  const double milliseconds = time_on_device(effort, [&] {
    Tensor out = Tensor::deferred(x.spec());
    webgpu::Dispatch("bench_copy").output4().input4("x", x).elements(out, "fn run(i:i32){out[i]=x[i];}");
  });
  report_bound("copy", 2.0 * static_cast<double>(x.bytes()), milliseconds, "GB/s");
}

/// Calls fma(steps) with more and more steps until it takes a while; reports the rate of the multiply-adds.
template <class Fma>
void report_fma_rate(const Effort& effort, double flops_of_step, Fma fma) {
  int steps = 64;
  double milliseconds = time_on_device(effort, [&] { fma(steps); });
  while (milliseconds < effort.round() / 4 && steps < 1 << 14) {
    steps *= 4;
    milliseconds = time_on_device(effort, [&] { fma(steps); });
  }
  report_bound("multiply-adds in registers", flops_of_step * steps, milliseconds, "GFLOP/s");
}

/// Four chains of vec4 multiply-adds, each of 4 multiplications and 4 additions.
constexpr double kFlopsOfStep = 4 * 4 * 2;

/// Reports the rate of four independent chains of vec4 multiply-adds in a WGSL kernel.
void report_webgpu_fma(const Effort& effort, int side) {
  const Tensor x = device_values({side, side});
  report_fma_rate(effort, static_cast<double>(x.elements()) / 4 * kFlopsOfStep, [&](int steps) {
    Tensor out = Tensor::deferred(x.spec());
    webgpu::Dispatch("bench_fma")
        .output4()
        .input4("x", x)
        .set("steps", steps)
        .elements(out,
                  "fn run(i:i32){let m=x[i];let c=m.yzwx;var p=c;var q=m.zwxy;var r=m.wxyz;var s=m;"
                  "for(var k=0;k<params.steps;k++){p=fma(p,m,c);q=fma(q,m,c);r=fma(r,m,c);s=fma(s,m,c);}"
                  "out[i]=p+q+r+s;}");
  });
}

/// Reports the rate of copying texels.
void report_copies(const Effort& effort, int side) {
  const Tensor x = device_values({side, side});
  const double bytes = 2.0 * static_cast<double>(x.bytes());
  const auto copy = [&](const char* name, std::string_view source) {
    return time_on_device(effort, [&] {
      Tensor out = Tensor::deferred(x.spec());
      Pass(name).input("x", x).texels(out, source);
    });
  };
  report_bound("copy, the texel under the fragment", bytes,
               copy("bench_copy_here", "T4 texel(int i){return x_at_fragment();}"), "GB/s");
  report_bound("copy, by index", bytes, copy("bench_copy_index", "T4 texel(int i){return x4(i);}"), "GB/s");
}

/// Reports the rate of four independent chains of vec4 multiply-adds.
void report_fma(const Effort& effort, int side) {
  const Tensor x = device_values({side, side});
  report_fma_rate(effort, static_cast<double>(x.elements()) / 4 * kFlopsOfStep, [&](int steps) {
    Tensor out = Tensor::deferred(x.spec());
    Pass("bench_fma")
        .input("x", x)
        .set("steps", steps)
        .texels(out,
                "uniform int steps;T4 texel(int i){vec4 m=x_at_fragment(),c=m.yzwx,p=c,q=m.zwxy,r=m.wxyz,s=m;"
                "for(int k=0;k<steps;++k){p=p*m+c;q=q*m+c;r=r*m+c;s=s*m+c;}return p+q+r+s;}");
  });
}

/// Reports the rate of texel fetches that hit caches.
void report_fetches(const Effort& effort, int side) {
  const Tensor x = device_values({256, 256});
  constexpr int kFetches = 64;
  const TensorSpec spec{{side, side}, DType::kFloat32};
  const double milliseconds = time_on_device(effort, [&] {
    Tensor out = Tensor::deferred(spec);
    Pass("bench_fetch")
        .input("x", x)
        .set("steps", kFetches)
        .texels(out,
                "uniform int steps;T4 texel(int i){vec4 s=vec4(0);"
                "for(int k=0;k<steps;++k)s+=x4(i+k*17&16383);return s;}");
  });
  report_bound("fetches of cached texels", static_cast<double>(side) * side / 4 * kFetches, milliseconds,
               "Gtexel/s");
}

void report_transfers(const Effort& effort, int side) {
  const Tensor source = values({side, side});
  const auto bytes = static_cast<double>(source.bytes());
  const double up = time_on_device(effort, [&] {
    Tensor copy(source.spec());
    copy.mutable_data<float>()[0] = 1;
    backend().device->move_to_device(copy);
  });
  report_bound("upload", bytes, up, "GB/s");
  const Tensor there = device_values({side, side});
  const double made = time_on_device(effort, [&] { neg(there); });
  const double read = time_on_device(effort, [&] { neg(there).data<float>(); });
  report_bound("download", bytes, std::max(read - made, 1e-3), "GB/s");
}

void report_latencies(const Effort& effort) {
  const Tensor x = device_values({16});
  const double round_trip = time_on_device(effort, [&] { neg(x).data<float>(); });
  Row("bound").set("name", "draw and read of 16 elements").set("value", round_trip * 1e3).set("unit", "us");
  constexpr int kDraws = 100;
  const double draws = time_on_device(effort, [&] {
    Tensor y = x;
    for (int i = 0; i < kDraws; ++i) y = neg(y);
  });
  Row("bound")
      .set("name", "one of a hundred small draws")
      .set("value", draws * 1e3 / kDraws)
      .set("unit", "us");
}

}  // namespace

void report_bounds(const Effort& effort, DeviceKind kind) {
  const int large = effort.quick ? 512 : 4096;
  const int medium = effort.quick ? 256 : 1024;
  report_latencies(effort);
  if (kind == DeviceKind::kWebGpu) {
    report_buffer_copies(effort, large);
    report_webgpu_fma(effort, medium);
  } else {
    report_copies(effort, large);
    report_fma(effort, medium);
    report_fetches(effort, medium);
  }
  report_transfers(effort, large / 2);
}

}  // namespace tenure::bench
