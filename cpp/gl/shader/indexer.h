#pragma once

#include <string_view>

#include "gl/shader/kernel.h"
#include "shape_util/strided_indexer.h"

namespace tenure::gl {

/// Sets the macros and uniforms that kStridedIndexerSource reads.
void set_indexer(Pass& pass, const StridedIndexer& indexer, int inputs);

/// GLSL of a StridedIndexer's iteration. seek(e) sets `place` to the offset of output element e in the input:
/// an int, or a vector for two or three inputs. next() advances it to the next element. Unrolled for each
/// rank, since software renderers do not unroll loops.
extern const std::string_view kStridedIndexerSource;

}  // namespace tenure::gl
