// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of what can go wrong: what happened, why, how to mend it. Sorted by layer; codes never change once released.
#include "core/base/error.h"

namespace accumulus {

const std::vector<ErrorWords>& errorCatalogue() {
    using enum ErrorKind;
    // clang-format off
    static const std::vector<ErrorWords> catalogue = {
        // The first entry answers for every unknown code.
        {"internal.unknown", Internal, "Something unexpected went wrong.", "{reason}", "Please report this with the log."},
        {"internal.exception", Internal, "Unexpected failure in {place}.", "{reason}", "Please report this with the log."},

        // files
        {"file.open", Data, "{file} cannot be opened.", "{reason}.", "Check the path and its permissions."},
        {"file.write", Library, "{file} cannot be written.", "{reason}.", "Free some space or choose a folder that you may write to."},

        // config
        {"config.file", Configuration, "The experiment file {file} cannot be read.", "{reason}.", "Check the path."},
        {"config.syntax", Configuration, "{file} is not valid TOML at line {line}, column {column}.", "{reason}.", "Correct that line."},
        {"config.unknown-key", Configuration, "There is no setting {key}{place}.", "", "Did you mean {nearest}? `accumulus-cli fields` lists every setting."},
        {"config.value", Configuration, "{key} = {value} is not allowed{place}: {reason}.", "", "Allowed: {allowed}."},
        {"config.assignment", Configuration, "--set {text} is not of the form key=value.", "", "Write for example --set batch.micro=16."},
        {"config.batch.multiple", Configuration, "Effective batch {effective} is not a multiple of micro-batch {micro}.", "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples.", "Use {upper} or {lower}, or set batch.ragged = \"weight\"."},
        {"config.batch.micro-exceeds", Configuration, "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples, more than the effective batch {effective}.", "", "Lower batch.micro, or set batch.effective = {perMicroStep}."},
        {"config.batch.disagree", Configuration, "Micro-batch {micro} x {steps} accumulation steps x {devices} device(s) is {product}, not the effective batch {effective}.", "", "Set batch.steps = 0 to derive it ({derived}), or batch.effective = {product}."},
        {"config.batch.exceeds-data", Configuration, "Effective batch {effective} is larger than the training set ({samples}).", "", "Use at most {samples}."},
        {"config.warmup", Configuration, "Warm-up {warmup} updates exceeds the {updates} updates of this run.", "", "Use for example schedule.warmup = \"{suggested} updates\"."},
        {"config.json", Configuration, "The stored settings cannot be read.", "{reason}.", "They were written by another version of the program, or the library file is damaged."},
        {"config.conflict", Configuration, "{key} = {value} does not go together with {other}.", "{reason}.", "{cure}."},
    };
    // clang-format on
    return catalogue;
}

} // namespace accumulus
