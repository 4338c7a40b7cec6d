// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the sentences of the core that the workbench looks up while it runs, as a C++ file that lupdate reads. The
// core knows no Qt, so its sources cannot mark them. Not a test.
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/config/config_fields.h"
#include "core/config/model_rows.h"

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace accumulus;

std::set<std::pair<std::string, std::string>> printed;

void print(const char* context, std::string_view sentence) {
    if (sentence.empty() || !printed.emplace(context, sentence).second)
        return;
    std::string escaped;
    for (const char c : sentence) {
        if (c == '"' || c == '\\')
            escaped += '\\';
        escaped += c;
    }
    std::printf("QT_TRANSLATE_NOOP(\"%s\", \"%s\")\n", context, escaped.c_str());
}

} // namespace

int main() {
    for (const ErrorWords& words : errorCatalogue())
        for (const std::string_view part : {words.what, words.why, words.cure})
            print("errors", part);
    for (const ConfigField& field : configFields()) {
        print("fields", field.help);
        print("fields", field.details);
    }
    for (const ModelRow& model : modelRows)
        print("choices", model.title);
    for (const DatasetRow& data : datasetRows)
        print("choices", data.title);
    for (const Verdict verdict : {Verdict::Equivalent, Verdict::Different, Verdict::DifferentWithinMargin,
                                  Verdict::WithinMarginOtherMethod, Verdict::Inconclusive, Verdict::NotEnoughSeeds})
        print("verdicts", verdictWords(verdict));
    // Of checkConfig: those findings that are no entry of the catalogue, by id, and the labels of all fixes.
    for (const char* id : {"B03", "B04", "B05", "B08", "D06", "M04", "N02", "N04", "O01", "O03", "P01"})
        print("findings", id);
    for (const char* label : {"Use %1",
                              "Use mlp",
                              "Use %1 %",
                              "Use %1 seeds",
                              "Use micro-batch %1",
                              "Use %1 accumulation steps",
                              "Use effective batch %1",
                              "Allow ragged",
                              "Weight",
                              "Drop",
                              "Carry over",
                              "Weight by samples",
                              "Use GroupNorm",
                              "Freeze statistics",
                              "Add the ghost control",
                              "Use char-gpt",
                              "Use lenet5",
                              "Use tinyshakespeare",
                              "No augmentation",
                              "Use %1 heads",
                              "Use width %1",
                              "Use auto",
                              "Use dynamic",
                              "Use fp32",
                              "No limit",
                              "Use CPU",
                              "Keep %1",
                              "Linear: %1",
                              "Square root: %1",
                              "Half-life: %1",
                              "Noise scale: %1"})
        print("fixes", label);
}
