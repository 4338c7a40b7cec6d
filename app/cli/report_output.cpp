// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_output.h"

namespace accumulus::cli {

int writeDocument(const Result<ReportDocument>& document, const std::string& out, Console& console) {
    if (!document)
        return console.fail(document.error());
    if (const Status written = writeReport(*document, out); !written)
        return console.fail(written.error());
    console.line(out);
    return 0;
}

} // namespace accumulus::cli
