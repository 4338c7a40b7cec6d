// SPDX-License-Identifier: GPL-3.0-or-later
// The precompiled header of the torch translation units: the parts of ATen and autograd the engine uses, not
// torch/torch.h.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>
