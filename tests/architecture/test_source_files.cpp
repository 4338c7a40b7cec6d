// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for every file, kept by a machine: licence lines and names, what stands at the top level, what no file may
// hold, and documents that name files which exist. Every rule is tried on a planted offence first.
#include "tests/architecture/source_tree.h"

#include <QProcess>
#include <QSet>

#include <algorithm>

namespace test_source_files {
using namespace accumulus::test;

namespace {

/// Sources that are named after no header, and why. An exception that is not needed any more is an offence, too.
const std::map<QString, QString> ownNames{
    {"app/cli/main.cpp", "the program"},
    {"app/workbench/main.cpp", "the program"},
    {"app/cli/audit.cpp", "a verb"},
    {"app/cli/compare.cpp", "a verb; app/cli/verbs.h declares one function a file"},
    {"app/cli/demo.cpp", "a verb"},
    {"app/cli/export.cpp", "a verb"},
    {"app/cli/fetch.cpp", "a verb"},
    {"app/cli/fields.cpp", "a verb"},
    {"app/cli/follow.cpp", "a verb"},
    {"app/cli/import.cpp", "a verb"},
    {"app/cli/list.cpp", "a verb"},
    {"app/cli/noise.cpp", "a verb"},
    {"app/cli/plan.cpp", "a verb"},
    {"app/cli/report.cpp", "a verb"},
    {"app/cli/resume.cpp", "a verb"},
    {"app/cli/run.cpp", "a verb"},
    {"app/cli/verify.cpp", "a verb"},
    {"app/cli/without_engine.cpp", "app/cli/engine without LibTorch; CMake compiles one of the two into a program"},
    {"core/cuda/gpu_device.cpp", "device.h with CUDA; CMake compiles one of the two"},
    {"core/cuda/no_gpu.cpp", "device.h without CUDA"},
};

const QStringList sourceSuffixes{"cpp", "h", "cu", "cmake", "sh", "py", "toml", "svg", "xml"};

/// A source tree and what is wrong with its files, one sentence per offence.
class Tree : public SourceTree {
public:
    using SourceTree::SourceTree;

    [[nodiscard]] QStringList licenceOffences() const {
        QStringList offences;
        for (const QString& file : m_files) {
            const QString suffix = QFileInfo(file).suffix();
            if (!sourceSuffixes.contains(suffix) && !file.endsWith("CMakeLists.txt"))
                continue;
            const QStringList lines = text(file).split('\n').mid(0, 5);
            if (lines.filter(QString("SPDX-License") + "-Identifier: ").isEmpty())
                offences << file + ": no SPDX line on top";
            if (suffix == "h" && !text(file).contains("#pragma once"))
                offences << file + ": no #pragma once";
        }
        return offences;
    }

    [[nodiscard]] QStringList nameOffences() const {
        static const QRegularExpression snake("^[a-z][a-z0-9_]*\\.(cpp|h|cu)$");
        QStringList offences;
        for (const QString& file : m_files) {
            const QString name = QFileInfo(file).fileName();
            if ((name.endsWith(".cpp") || name.endsWith(".h") || name.endsWith(".cu")) && !snake.match(name).hasMatch())
                offences << file + ": not snake_case";
        }
        return offences;
    }

    /// A source is named after the header that declares what it defines, or `<header>_<part>` where it is one part of
    /// several; it includes that header, at least through another one of its folder.
    [[nodiscard]] QStringList sourceNameOffences(const std::map<QString, QString>& exceptions = {}) const {
        QStringList offences;
        for (const QString& file : m_files) {
            const bool source = file.endsWith(".cpp") || file.endsWith(".cu");
            const bool named = QRegularExpression("^(core|widgets|app|tests/support)/").match(file).hasMatch();
            if (!source || !named)
                continue;
            const QString offence = sourceNameOffence(file);
            if (exceptions.contains(file) && offence.isEmpty())
                offences << file + ": needs no exception";
            else if (!exceptions.contains(file) && !offence.isEmpty())
                offences << offence;
        }
        for (const auto& [file, reason] : exceptions) {
            if (!m_files.contains(file))
                offences << file + ": an exception for a file that does not exist";
        }
        return offences;
    }

    /// Paths of one person's machine and hosts that packages come from: both make a clone depend on where it was made.
    [[nodiscard]] QStringList machineOffences() const {
        // In pieces, so that this file passes its own test. /home/person is nobody: an example may name it.
        static const QRegularExpression pattern(
            QString("(^|[^\\w.])/(root|home/(?!person)\\w+|Users/\\w+|mnt/\\w+)%1|pypi%2|python%3|download%4pytorch")
                .arg("/", "\\.org", "hosted", "\\."));
        QStringList offences;
        for (const QString& file : m_files) {
            if (file.endsWith(".gz") || file.endsWith(".png"))
                continue;
            offences << offencesIn(file, pattern, "names ");
        }
        return offences;
    }

    /// A range made of a temporary Result by value(): it is gone before the first step.
    [[nodiscard]] QStringList loopOffences() const {
        static const QRegularExpression loop("\\bfor \\([^;()]*:[^;]*\\)\\.value\\(\\)\\)");
        QStringList offences;
        for (const QString& file : m_files) {
            if (file.endsWith(".cpp") || file.endsWith(".h") || file.endsWith(".cu"))
                offences << offencesIn(file, loop, "a loop over a part of what is gone: ");
        }
        return offences;
    }

    /// They go by the locale, which the workbench takes from the desktop.
    [[nodiscard]] QStringList localeOffences() const {
        static const QRegularExpression number("\\b(strto(f|d|ld)|atof|sto(f|d|ld)|sscanf)\\(");
        QStringList offences;
        for (const QString& file : m_files)
            if (file.endsWith(".cpp") || file.endsWith(".h") || file.endsWith(".cu"))
                if (!file.startsWith("tests/"))
                    offences << offencesIn(file, number, "reads numbers by the locale: ");
        return offences;
    }

private:
    [[nodiscard]] QStringList offencesIn(const QString& file, const QRegularExpression& pattern,
                                         const QString& what) const {
        QStringList offences;
        const QStringList lines = text(file).split('\n');
        for (int at = 0; at < lines.size(); ++at) {
            const auto match = pattern.match(lines[at]);
            if (match.hasMatch())
                offences << QString("%1:%2: ").arg(file).arg(at + 1) + what + match.captured(0).trimmed();
        }
        return offences;
    }

    [[nodiscard]] QString sourceNameOffence(const QString& file) const {
        const QString folder = file.section('/', 0, -2) + '/';
        const QString name = QFileInfo(file).baseName();
        QStringList candidates;
        for (const auto& [header, includes] : m_includes) {
            const QString base = QFileInfo(header).baseName();
            if (header.endsWith(".h") && header == folder + base + ".h" &&
                (name == base || name.startsWith(base + '_')))
                candidates << header;
        }
        if (candidates.isEmpty())
            return file + ": no header of that name, and none that it could be a part of";
        QSet<QString> seen;
        const bool declared = std::ranges::any_of(
            candidates, [&](const QString& header) { return includesNear(file, header, folder, seen); });
        return declared ? QString() : file + ": does not include " + candidates.join(" or ");
    }

    /// Does `file` include `header`, itself or through headers of `folder`?
    [[nodiscard]] bool includesNear(const QString& file, const QString& header, const QString& folder,
                                    QSet<QString> seen) const {
        const auto found = m_includes.find(file);
        if (found == m_includes.end() || seen.contains(file))
            return false;
        seen.insert(file);
        return std::ranges::any_of(found->second, [&](const Include& include) {
            return include.name == header ||
                   (include.name.startsWith(folder) && includesNear(include.name, header, folder, seen));
        });
    }
};

QStringList folderOffences(const QStringList& trackedFiles) {
    static const QRegularExpression rootFile(
        "^(CMakeLists\\.txt|CMakePresets\\.json|LICENSE|[A-Z]+(-[A-Z]+)*(\\.[a-z]{2}(_[A-Z]{2})?)?\\.md|\\.[a-z-]+)$");
    QStringList offences;
    for (const QString& file : trackedFiles) {
        const QString first = file.section('/', 0, 0);
        const bool known = file.contains('/') ? topLevelFolders.contains(first) : rootFile.match(file).hasMatch();
        if (!known && !offences.contains(first))
            offences << first;
    }
    return offences;
}

/// Paths below the source folders that a text names and that are not there. <name> stands for anything.
QStringList missingFiles(const QString& document, const QString& text) {
    static const QRegularExpression path("(?<![\\w/])(?:core|widgets|app|tests|packaging|resources|experiments)"
                                         "(?:/[\\w.*-]+(?:\\{[\\w,]+\\})?)+(?![\\w<{])");
    static const QRegularExpression endings("\\{[\\w,]+\\}");
    QStringList missing;
    for (auto match = path.globalMatch(text); match.hasNext();) {
        QString named = match.next().captured();
        while (named.endsWith('.'))
            named.chop(1);
        const QFileInfo pattern(QDir(source()).filePath(QString(named).replace(endings, "*")));
        const QDir folder = pattern.dir();
        if (!folder.exists() || folder.entryList({pattern.fileName(), pattern.fileName() + ".*"}).isEmpty())
            missing << document + " names " + named;
    }
    return missing;
}

} // namespace

class TestSourceFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlantedPathOrMissingLicenceIsCaught() {
        QTemporaryDir folder;
        plant(folder, {{"core/base/a.cpp", QString("auto f = \"/home") + "/someone/x\";\n"},
                       {"core/base/B.h", "\n"},
                       {"packaging/x.sh", QString("fetch https://pypi") + ".org/simple\n"}});
        QFile bare(folder.filePath("core/base/c.cpp"));
        QVERIFY(bare.open(QIODevice::WriteOnly));
        bare.write("int c = 0;\n");
        bare.close();
        const Tree tree(folder.path());
        QCOMPARE(tree.machineOffences().size(), 2);
        QCOMPARE(tree.licenceOffences(), QStringList{"core/base/c.cpp: no SPDX line on top"});
        QCOMPARE(tree.nameOffences(), QStringList{"core/base/B.h: not snake_case"});
    }

    void aPlantedSourceNameIsCaught() {
        QTemporaryDir folder;
        plant(folder, {{"core/base/error.h", "\n"},
                       {"core/base/error_impl.h", "#include \"core/base/error.h\"\n"},
                       {"core/base/error.cpp", "#include \"core/base/error.h\"\n"},
                       {"core/base/error_words.cpp", "#include \"core/base/error_impl.h\"\n"},
                       {"core/base/error_alien.cpp", "#include \"core/base/clock.h\"\n"},
                       {"core/base/errors.cpp", "#include \"core/base/error.h\"\n"},
                       {"core/base/pages/error_page.cpp", "#include \"core/base/error.h\"\n"},
                       {"app/cli/main.cpp", "\n"},
                       {"tests/unit/base/test_anything.cpp", "\n"}});
        const Tree tree(folder.path());
        const QString alone = ": no header of that name, and none that it could be a part of";
        QCOMPARE(tree.sourceNameOffences({{"app/cli/main.cpp", "the program"}}),
                 (QStringList{"core/base/error_alien.cpp: does not include core/base/error.h",
                              "core/base/errors.cpp" + alone, "core/base/pages/error_page.cpp" + alone}));
        QVERIFY(tree.sourceNameOffences({{"core/base/error.cpp", "none"}})
                    .contains("core/base/error.cpp: needs no exception"));
        QVERIFY(tree.sourceNameOffences({{"app/cli/gone.cpp", "none"}})
                    .contains("app/cli/gone.cpp: an exception for a file that does not exist"));
    }

    void aPlantedLoopOverWhatIsGoneIsCaught() {
        QTemporaryDir folder;
        const QString gone = "for (const Row& row : reader().rows(1)" + QString(".value()) {\n");
        plant(folder,
              {{"core/base/a.cpp", gone + "const auto rows = reader().rows(1).value();\n" +
                                       "for (const Row& row : rows) {\n" + "for (const Row& row : result->rows()) {\n" +
                                       "for (int i = 0; i < rows().value(); ++i) {\n"}});
        QCOMPARE(Tree(folder.path()).loopOffences(),
                 QStringList{"core/base/a.cpp:3: a loop over a part of what is gone: " + gone.chopped(3)});
    }

    void aPlantedNumberOfTheLocaleIsCaught() {
        QTemporaryDir folder;
        plant(folder, {{"core/base/a.cpp", "double a = std::strtod(text, nullptr);\nint b = std::stoi(text);\n"},
                       {"app/cli/b.cpp", "double a = std::stod(text);\ndouble custom = mystod(text);\n"},
                       {"tests/unit/c.cpp", "double a = atof(text);\n"}});
        QCOMPARE(Tree(folder.path()).localeOffences(),
                 (QStringList{"app/cli/b.cpp:3: reads numbers by the locale: stod(",
                              "core/base/a.cpp:3: reads numbers by the locale: strtod("}));
    }

    void aPlantedTopLevelFolderIsCaught() {
        expectNone(folderOffences({"README.md", "LICENSE", ".ci/run", ".gitignore", "core/base/error.h"}));
        QCOMPARE(folderOffences({"src/a.cpp", "scripts/b.sh", "notes.txt", "core/a.h"}),
                 (QStringList{"src", "scripts", "notes.txt"}));
    }

    void theDocumentsNameFilesThatExist() {
        QStringList missing;
        for (const QString document : {"ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"})
            missing << missingFiles(document, textOf(QDir(source()).filePath(document)));
        expectNone(missing);
        QCOMPARE(missingFiles("a.md", "`core/base/error.{h,cpp}`, core/config/field_rows_*.cpp, core/<layer>/x.h."),
                 QStringList());
        QCOMPARE(missingFiles("a.md", "see `core/base/nothing.cpp`."), QStringList{"a.md names core/base/nothing.cpp"});
        QCOMPARE(missingFiles("a.md", "(core/config/config_fields_*.cpp)"),
                 QStringList{"a.md names core/config/config_fields_*.cpp"});
    }

    void everyFileHasItsLicenceAndName() {
        const Tree tree(source());
        expectNone(tree.licenceOffences() + tree.nameOffences());
    }

    void everySourceIsNamedAfterItsHeader() { expectNone(Tree(source()).sourceNameOffences(ownNames)); }

    void noNumberGoesByTheLocale() { expectNone(Tree(source()).localeOffences()); }

    void noLoopGoesOverWhatIsGone() { expectNone(Tree(source()).loopOffences()); }

    void noFileNamesAMachine() { expectNone(Tree(source()).machineOffences()); }

    void theTopLevelIsFixed() {
        QProcess git;
        git.setWorkingDirectory(source());
        git.start("git", {"ls-files"});
        if (!git.waitForFinished() || git.exitCode() != 0)
            QSKIP("not a git checkout: which files belong to the project is unknown");
        expectNone(folderOffences(QString::fromUtf8(git.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts)));
    }
};

QTEST_APPLESS_MAIN(TestSourceFiles)
} // namespace test_source_files
#include "test_source_files.moc"
