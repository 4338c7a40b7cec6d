// SPDX-License-Identifier: GPL-3.0-or-later
// How long files and functions may be (CONTRIBUTING.md, Style), and which ones have a reason to be longer. The rule is
// tried on made-up files first.
#include "tests/architecture/source_tree.h"

#include <tuple>

namespace test_file_sizes {
using namespace accumulus::test;

namespace {

constexpr int fileLines = 400;
constexpr int functionLines = 60;

/// What is longer, and why. An exception that is not needed any more is an offence, too.
using Exceptions = std::map<QString, QString>;

const Exceptions longFiles{
    {"resources/python/accumulus_capture.py", "one file, which people copy beside their script"},
    {"resources/python/accumulus_export.py", "one file, which people copy beside their script"},
};

/// By file and name.
const Exceptions longFunctions{
    {"app/workbench/window_actions.cpp createActions", "a table: the window's actions"},
    {"core/base/error_catalogue.cpp errorCatalogue", "a table: one entry an error"},
    {"core/base/message_catalogue_analysis.cpp analysisSentences", "a table: one sentence a code"},
    {"core/base/message_catalogue_audits.cpp auditSentences", "a table: one sentence a code"},
    {"core/base/message_catalogue_files.cpp fileSentences", "a table: one sentence a code"},
    {"core/base/message_catalogue_reasons.cpp reasonSentences", "a table: one sentence a code"},
    {"core/config/field_rows_data.cpp batchSection", "a table: one row a setting"},
    {"core/config/field_rows_data.cpp dataSection", "a table: one row a setting"},
    {"core/config/field_rows_data.cpp modelSection", "a table: one row a setting"},
    {"core/config/field_rows_study.cpp studyRows", "a table: one row a setting"},
    {"core/config/field_rows_training.cpp numericsSection", "a table: one row a setting"},
    {"core/config/field_rows_training.cpp optimizerSection", "a table: one row a setting"},
    {"core/engine/engine.cpp Engine::compute",
     "attempts at one window: what each way out restores stands side by side"},
    {"core/report/report_words.cpp reportWords", "a table: the words of a report"},
    {"widgets/pages/compare/saved_list.cpp SavedList::SavedList", "makes its controls, one after another"},
    {"widgets/pages/home/home_page.cpp HomePage::HomePage", "makes its controls, one after another"},
    {"widgets/pages/library/library_page_actions.cpp LibraryPage::Impl::connectAll",
     "connects its controls, one after another"},
    {"widgets/pages/library/library_page_build.cpp LibraryPage::Impl::build", "makes its controls, one after another"},
    {"widgets/pages/live/live_page.cpp LivePage::Impl::Impl", "makes its controls, one after another"},
    {"widgets/pages/queue/queue_panel.cpp QueuePanel::QueuePanel", "makes its controls, one after another"},
    {"widgets/plots/verdict_mark.cpp paintInterval", "one picture, from its ground to its labels"},
};

struct Function {
    QString name; ///< as it is defined, with its class
    int line = 0; ///< of its head
    int lines = 0;
};

/// The functions that a file defines, by its layout: clang-format puts the closing brace of a function alone under the
/// first letter of its head, at the margin or, in a class, one step to the right.
std::vector<Function> functionsOf(const QString& text) {
    static const QRegularExpression head(
        "^(?!\\s*(if|for|while|switch|case|do|else|try|catch|return|namespace|struct|class|enum|#)"
        "\\b)[^=]*?([\\w:~]+|operator\\W+)\\(");
    std::vector<Function> found;
    const QStringList lines = text.split('\n');
    for (const QString& indent : {QString(), QString(4, ' ')}) {
        for (int end = 0; end < lines.size(); ++end) {
            if (lines[end] != indent + '}')
                continue;
            int begin = end - 1;
            while (begin > 0 &&
                   (lines[begin].isEmpty() || lines[begin].startsWith(indent + ' ') || lines[begin].startsWith('#')))
                --begin;
            const auto match = head.match(begin >= 0 ? lines[begin] : QString());
            if (match.hasMatch())
                found.push_back({match.captured(2).trimmed(), begin + 1, end - begin + 1});
        }
    }
    return found;
}

/// A source tree and what is too long in it, one sentence per offence.
class Tree : public SourceTree {
public:
    using SourceTree::SourceTree;

    [[nodiscard]] QStringList fileOffences(const Exceptions& exceptions = {}) const {
        std::map<QString, QString> found;
        for (const QString& file : m_files) {
            if (!isSource(file))
                continue;
            const QString whole = text(file);
            const auto lines = whole.count('\n') + (whole.isEmpty() || whole.endsWith('\n') ? 0 : 1);
            found[file] = lines > fileLines ? QString("%1 lines, more than %2").arg(lines).arg(fileLines) : QString();
        }
        return judged(found, exceptions);
    }

    [[nodiscard]] QStringList functionOffences(const Exceptions& exceptions = {}) const {
        std::map<QString, QString> found;
        for (const auto& [file, includes] : m_includes) {
            if (!QRegularExpression("^(core|widgets|app)/").match(file).hasMatch())
                continue;
            for (const Function& function : functionsOf(text(file))) {
                QString& offence = found[file + ' ' + function.name]; // of overloads the longest
                if (function.lines > functionLines)
                    offence = QString("%1 lines from line %2 on, more than %3")
                                  .arg(function.lines)
                                  .arg(function.line)
                                  .arg(functionLines);
            }
        }
        return judged(found, exceptions);
    }

private:
    /// Others may have any length.
    static bool isSource(const QString& file) {
        static const QRegularExpression source("^(core|widgets|app|resources|packaging|tests)/.*\\.(cpp|h|cu|py|sh)$");
        return source.match(file).hasMatch();
    }

    /// `found`: what is wrong with each place, empty where nothing is.
    static QStringList judged(const std::map<QString, QString>& found, const Exceptions& exceptions) {
        QStringList offences;
        for (const auto& [place, offence] : found) {
            if (exceptions.contains(place) && offence.isEmpty())
                offences << place + ": needs no exception";
            else if (!exceptions.contains(place) && !offence.isEmpty())
                offences << place + ": " + offence;
        }
        for (const auto& [place, reason] : exceptions) {
            if (!found.contains(place))
                offences << place + ": an exception for what does not exist";
            if (reason.isEmpty())
                offences << place + ": an exception without a reason";
        }
        return offences;
    }
};

/// So many lines with the two that plant() puts on top.
QString fileOf(int lines) { return QString("int a;\n").repeated(lines - 2); }

/// A definition of so many lines.
QString functionOf(const QString& head, int lines, const QString& indent = {}) {
    return indent + head + " {\n" + (indent + "    work();\n").repeated(lines - 2) + indent + "}\n";
}

} // namespace

class TestFileSizes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlantedLongFileIsCaught() {
        QTemporaryDir folder;
        plant(folder, {{"core/base/full.cpp", fileOf(400)},
                       {"core/base/long.cpp", fileOf(401)},
                       {"core/cuda/long.cu", fileOf(401)},
                       {"widgets/style/long.h", fileOf(401)},
                       {"resources/python/long.py", fileOf(401)},
                       {"packaging/long.sh", fileOf(401)},
                       {"resources/manual/long.md", fileOf(2000)},
                       {"tests/unit/base/full.cpp", fileOf(400)},
                       {"tests/unit/base/long.cpp", fileOf(400) + "int last;"}});
        const Tree tree(folder.path());
        const QString offence = ": 401 lines, more than 400";
        QCOMPARE(tree.fileOffences(),
                 (QStringList{"core/base/long.cpp" + offence, "core/cuda/long.cu" + offence,
                              "packaging/long.sh" + offence, "resources/python/long.py" + offence,
                              "tests/unit/base/long.cpp" + offence, "widgets/style/long.h" + offence}));
        const Exceptions all{{"core/base/long.cpp", "a"},       {"core/cuda/long.cu", "a"},
                             {"packaging/long.sh", "a"},        {"resources/python/long.py", "a"},
                             {"tests/unit/base/long.cpp", "a"}, {"widgets/style/long.h", "a"}};
        expectNone(tree.fileOffences(all));
        for (const auto& [place, reason, said] :
             {std::tuple("core/base/full.cpp", "a", "core/base/full.cpp: needs no exception"),
              std::tuple("core/base/gone.cpp", "a", "core/base/gone.cpp: an exception for what does not exist"),
              std::tuple("core/base/long.cpp", "", "core/base/long.cpp: an exception without a reason")}) {
            Exceptions one = all;
            one[place] = reason;
            QCOMPARE(tree.fileOffences(one), QStringList{said});
        }
    }

    void aPlantedLongFunctionIsCaught() {
        QTemporaryDir folder;
        const QString wrapped = "Error Reader::read(const std::string& text,\n                   int first) const";
        const QString constructed = "Page::Page(int a)\n    : Base(a), m_a{a}";
        plant(folder, {{"core/base/full.cpp", functionOf("int full(int a)", 60)},
                       {"core/base/long.cpp", functionOf("int longer(int a)", 61)},
                       {"core/base/table.cpp", "const int table[] = {\n" + QString("    1,\n").repeated(80) + "};\n"},
                       {"core/base/wrapped.cpp", functionOf(wrapped, 60)},
                       {"widgets/style/page.cpp", functionOf(constructed, 60)},
                       {"widgets/style/page.h", "class Page {\npublic:\n" + functionOf("void full()", 60, "    ") +
                                                    functionOf("void longer()", 61, "    ") + "};\n"},
                       {"app/cli/run.cpp", "int run() {\n" + functionOf("if (ready())", 58, "    ") + "}\n"},
                       {"app/cli/plan.cpp", "int plan() {\n" + functionOf("if (ready())", 59, "    ") + "}\n"},
                       {"tests/unit/base/test_anything.cpp", functionOf("int test()", 90)}});
        const Tree tree(folder.path());
        QCOMPARE(tree.functionOffences(),
                 (QStringList{"app/cli/plan.cpp plan: 61 lines from line 3 on, more than 60",
                              "core/base/long.cpp longer: 61 lines from line 3 on, more than 60",
                              "core/base/wrapped.cpp Reader::read: 61 lines from line 3 on, more than 60",
                              "widgets/style/page.cpp Page::Page: 61 lines from line 3 on, more than 60",
                              "widgets/style/page.h longer: 61 lines from line 65 on, more than 60"}));
        QVERIFY(tree.functionOffences({{"core/base/full.cpp full", "none"}})
                    .contains("core/base/full.cpp full: needs no exception"));
        QVERIFY(tree.functionOffences({{"core/base/full.cpp gone", "none"}})
                    .contains("core/base/full.cpp gone: an exception for what does not exist"));
    }

    void noFileIsTooLong() { expectNone(Tree(source()).fileOffences(longFiles)); }

    void noFunctionIsTooLong() {
        const Tree tree(source());
        QVERIFY(functionsOf(tree.text("core/base/error.cpp")).size() > 2);
        expectNone(tree.functionOffences(longFunctions));
    }

    void theDocumentSaysTheLimits() {
        const QString document = textOf(QDir(source()).filePath("CONTRIBUTING.md"));
        for (const QString& words : {QString("packaging` or `tests` has at most %1 lines").arg(fileLines),
                                     QString("or `app` at most %1").arg(functionLines)})
            QVERIFY2(document.contains(words), qPrintable(words));
    }
};

QTEST_APPLESS_MAIN(TestFileSizes)
} // namespace test_file_sizes
#include "test_file_sizes.moc"
