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
#include <string_view>

namespace accumulus {

/// Long format, one row per window, per evaluation and, for runs on several ranks, per window and rank, told apart by
/// the first column; only such runs have the columns that ranks alone have. ASCII header, UTF-8, point as
/// decimal sign, shortest digits that read back to the same double; what was not measured is empty, a value that was
/// not finite is nan.
[[nodiscard]] Status exportRunCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                                  const std::stop_token& stop = {});

/// Wide format: one row per window with the evaluations made after it in columns of their own (test_loss,
/// validation_accuracy, ...); an evaluation that belongs to no window has a row in which window is empty. Numbers as in
/// the long format, without ranks.
[[nodiscard]] Status exportRunWideCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                                      const std::stop_token& stop = {});

/// What becomes the step of an event file.
enum class ExportedStep { Updates, Samples };

/// TensorBoard's event file: every value of a window (train/loss, progress/samples, ...) and of an evaluation
/// (test/accuracy, ...) as floats, and the run itself as the text accumulus/run. A window without an update stands at
/// the updates so far. TensorBoard finds files whose name holds "tfevents", one folder a run: to any other name, which
/// becomes a folder, a name for the file is added. Returns the file.
[[nodiscard]] Result<std::filesystem::path> exportRunEvents(RunReader& reader, const std::string& run,
                                                            ExportedStep step, const std::filesystem::path& file,
                                                            const std::stop_token& stop = {});
/// The tag of a value of a window: "train/loss", "progress/samples".
[[nodiscard]] std::string eventTag(std::string_view windowValue);
inline constexpr const char* eventRunTag = "accumulus/run";

/// One object: the run, its settings, environment and summary, arrays of windows (each with its ranks where there were
/// several), evaluations, events and checkpoints. Non-finite values are null.
[[nodiscard]] Status exportRunJson(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                                   const std::stop_token& stop = {});

enum class ExportedWeights { Initial, Best, Last };

/// The newest of that kind. Error "export.no-checkpoint".
[[nodiscard]] Result<CheckpointRecord> exportedCheckpoint(RunReader& reader, const RunRecord& run,
                                                          ExportedWeights which);
/// Its weights, byte for byte.
[[nodiscard]] Status exportRunWeights(RunReader& reader, const std::string& run, ExportedWeights which,
                                      const std::filesystem::path& file, const std::stop_token& stop = {});

} // namespace accumulus
