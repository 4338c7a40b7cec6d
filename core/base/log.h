// SPDX-License-Identifier: GPL-3.0-or-later
// The program's log: spdlog's default logger, on stderr, level from ACCUMULUS_LOG (trace, debug, info, warn, error,
// off; default warn). Any thread. The workbench adds a sink of its own. Use spdlog::info(...) and friends directly.
#pragma once

#include <functional>
#include <string>

namespace accumulus {

enum class LogLevel { Debug, Info, Warning, Error };

/// Call once in main, before any thread starts.
void setUpLog();
/// `receive` gets every message from info level up, on the thread that logs.
void addLogReceiver(std::function<void(LogLevel, const std::string&)> receive);

void logInfo(const std::string& message);
void logWarning(const std::string& message);
void logError(const std::string& message);

} // namespace accumulus
