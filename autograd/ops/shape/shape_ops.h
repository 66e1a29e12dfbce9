// All operations that move elements about.
#pragma once

#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/shape/diagonal.h"
#include "autograd/ops/shape/join.h"
#include "autograd/ops/shape/reshape.h"
#include "autograd/ops/shape/slice.h"
