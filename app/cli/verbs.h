// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of accumulus-cli, one file each. Each function adds its subcommand with its options to `app`; when the
// command line chooses it, `chosen` becomes the work to do, which returns the exit code.
#pragma once

#include "app/cli/console.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace accumulus::cli {

using Work = std::function<int(Console&)>;

void addRun(CLI::App& app, Work& chosen);
void addResume(CLI::App& app, Work& chosen);
void addFollow(CLI::App& app, Work& chosen);
void addFetch(CLI::App& app, Work& chosen);
void addDemo(CLI::App& app, Work& chosen);
void addList(CLI::App& app, Work& chosen);
void addCompare(CLI::App& app, Work& chosen);
void addExport(CLI::App& app, Work& chosen);
void addImport(CLI::App& app, Work& chosen);
void addAudit(CLI::App& app, Work& chosen);
void addVerify(CLI::App& app, Work& chosen);
void addPlan(CLI::App& app, Work& chosen);
void addNoise(CLI::App& app, Work& chosen);
void addReport(CLI::App& app, Work& chosen);
void addFields(CLI::App& app, Work& chosen);

} // namespace accumulus::cli
