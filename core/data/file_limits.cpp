// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/file_limits.h"

namespace accumulus {
namespace {

FileLimits limitsNow;

} // namespace

const FileLimits& fileLimits() { return limitsNow; }

OtherFileLimits::OtherFileLimits(const FileLimits& limits) : m_before(limitsNow) { limitsNow = limits; }
OtherFileLimits::~OtherFileLimits() { limitsNow = m_before; }

} // namespace accumulus
