// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the sentences of the core that the workbench looks up while it runs, as a C++ file that lupdate reads. The
// core knows no Qt, so its sources cannot mark them. Not a test.
#include "core/base/message.h"
#include "core/config/config_fields.h"
#include "core/config/example_list.h"
#include "core/config/model_rows.h"
#include "core/config/setting_words.h"
#include "core/report/report_words.h"

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

/// `arguments`: the folder of the experiments that come with the program.
int main(int count, char** arguments) {
    for (const ErrorWords& words : errorCatalogue())
        for (const std::string_view part : {words.what, words.why, words.cure})
            print("messages", part);
    for (const Sentence& sentence : messageCatalogue())
        print("messages", sentence.words);
    for (const std::string_view words : reportWords())
        print("reports", words);
    for (const ConfigField& field : configFields()) {
        print("fields", field.help);
        print("fields", field.details);
    }
    for (const auto& [context, rows] :
         {std::pair("fields", settingTitleRows()), std::pair("fields", zeroMeaningRows()),
          std::pair("fields", emptyMeaningRows()), std::pair("choices", choiceTitleRows())})
        for (const SettingWord& row : rows)
            print(context, row.words);
    for (int at = 1; at < count; ++at)
        for (const Example& example : listExamples(arguments[at]))
            print("examples", example.question);
    for (const ModelRow& model : modelRows)
        print("choices", model.title);
    for (const DatasetRow& data : datasetRows)
        print("choices", data.title);
}
