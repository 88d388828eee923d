#pragma once

/// FOR_EACH(PREFIX_, (A(1), B(2))) expands to PREFIX_A(1) PREFIX_B(2). It turns the list of an op's inputs
/// into parameters, pointers or a table. The rescanning is David Mazières'
/// (scs.stanford.edu/~dm/blog/va-opt.html).
#define FOR_EACH(prefix, list) FOR_EACH_RESCAN(FOR_EACH_BEGIN(prefix, FOR_EACH_ITEMS list))
#define FOR_EACH_ITEMS(...) __VA_ARGS__
#define FOR_EACH_BEGIN(prefix, ...) __VA_OPT__(FOR_EACH_STEP(prefix, __VA_ARGS__))
#define FOR_EACH_STEP(prefix, item, ...) \
  prefix##item __VA_OPT__(FOR_EACH_AGAIN FOR_EACH_PARENS(prefix, __VA_ARGS__))
#define FOR_EACH_AGAIN() FOR_EACH_STEP
#define FOR_EACH_PARENS ()
#define FOR_EACH_RESCAN(...) FOR_EACH_RESCAN3(FOR_EACH_RESCAN3(FOR_EACH_RESCAN3(__VA_ARGS__)))
#define FOR_EACH_RESCAN3(...) FOR_EACH_RESCAN9(FOR_EACH_RESCAN9(FOR_EACH_RESCAN9(__VA_ARGS__)))
#define FOR_EACH_RESCAN9(...) __VA_ARGS__
