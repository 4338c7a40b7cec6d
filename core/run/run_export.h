// SPDX-License-Identifier: GPL-3.0-or-later
// A run as files that other programs read. Shared by the command line and the workbench, so both write the same bytes.
// Reads only; files appear whole or not at all. Thread: the reader's. Errors: those of the reader, "file.open",
// "file.write", "export.no-checkpoint", "library.cancelled" once `stop` asks for it.
#pragma once

#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace accumulus {

/// Long format, one row per window, per evaluation and, for runs on several ranks, per window and rank, told apart by
/// the first column; only such runs have the columns that ranks alone have. ASCII header, UTF-8, point as
/// decimal sign, shortest digits that read back to the same double; what was not measured is empty, a value that was
/// not finite is nan.
[[nodiscard]] Status exportRunCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                                  const std::stop_token& stop = {});

/// One object: the run, its settings, environment and summary, arrays of windows (each with its ranks where there were
/// several), evaluations, events and checkpoints. Non-finite values are null.
[[nodiscard]] Status exportRunJson(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                                   const std::stop_token& stop = {});

enum class ExportedWeights { Initial, Best, Last };

/// The newest safetensors checkpoint of that kind, byte for byte.
[[nodiscard]] Status exportRunWeights(RunReader& reader, const std::string& run, ExportedWeights which,
                                      const std::filesystem::path& file, const std::stop_token& stop = {});

} // namespace accumulus
