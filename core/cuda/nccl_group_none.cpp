// SPDX-License-Identifier: GPL-3.0-or-later
// nccl_group.h in a build without NCCL: whoever asks whyNoNccl() gets no further.
#include "core/cuda/nccl_group.h"

namespace accumulus::gpu {

struct NcclGroup::Members {};

std::string whyNoNccl() { return "reason.no-nccl"; }
std::string newNcclId() { throw NcclFailed(whyNoNccl()); }

NcclGroup::NcclGroup(const std::string&, int, int, at::Device, Await) { throw NcclFailed(whyNoNccl()); }
NcclGroup::~NcclGroup() = default;
void NcclGroup::swap(std::span<const at::Tensor>, std::span<const at::Tensor>) {}
void NcclGroup::collect(const at::Tensor&, std::span<const std::pair<std::int64_t, std::int64_t>>) {}
void NcclGroup::finish() {}

} // namespace accumulus::gpu
