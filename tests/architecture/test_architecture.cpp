// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of ARCHITECTURE.md, kept by a machine: who may include whom, which library belongs to which layer, what
// stands at the top level, and what no file may hold. Every rule is tried on a planted offence first.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace {

struct Layer {
    QString folder;
    QStringList mayInclude; ///< besides itself
};

/// Everything of the core that the programs and widgets may see.
const QStringList publicCore{"core/launch", "core/run",    "core/store", "core/analysis",
                             "core/report", "core/config", "core/base"};

/// THE table of layers. ARCHITECTURE.md shows the same.
const std::vector<Layer> layers{
    {"core/base", {}},
    {"core/config", {"core/base"}},
    {"core/ranks", {"core/base"}},
    {"core/data", {"core/config", "core/base"}},
    {"core/cuda", {"core/base"}},
    {"core/model", {"core/cuda", "core/config", "core/base"}},
    {"core/window", {"core/ranks", "core/data", "core/model", "core/cuda", "core/config", "core/base"}},
    {"core/engine", {"core/window", "core/ranks", "core/data", "core/model", "core/cuda", "core/config", "core/base"}},
    {"core/train",
     {"core/engine", "core/window", "core/ranks", "core/data", "core/model", "core/cuda", "core/analysis",
      "core/config", "core/base"}},
    {"core/store", {"core/config", "core/base"}},
    {"core/analysis", {"core/config", "core/base"}},
    {"core/report", {"core/analysis", "core/config", "core/base"}},
    {"core/run",
     {"core/train", "core/engine", "core/ranks", "core/data", "core/store", "core/analysis", "core/report",
      "core/config", "core/base"}},
    {"core/launch", {"core/run", "core/ranks", "core/store", "core/analysis", "core/config", "core/base"}},
    {"widgets/style", publicCore},
    {"widgets/bridge", publicCore + QStringList{"widgets/style"}},
    {"widgets/models", publicCore + QStringList{"widgets/style", "widgets/bridge"}},
    {"widgets/plots", publicCore + QStringList{"widgets/style", "widgets/bridge", "widgets/models"}},
    {"widgets/print", publicCore + QStringList{"widgets/style", "widgets/bridge", "widgets/models", "widgets/plots"}},
    {"widgets/pages",
     publicCore + QStringList{"widgets/style", "widgets/bridge", "widgets/models", "widgets/plots", "widgets/print"}},
    {"app/workbench", publicCore + QStringList{"widgets/style", "widgets/bridge", "widgets/models", "widgets/plots",
                                               "widgets/print", "widgets/pages"}},
    {"app/cli", publicCore + QStringList{"core/ranks"}},
};

/// A library that only some layers may see; by `transitive` not even through the headers that they include.
struct Library {
    QString name;
    QRegularExpression include;
    QStringList layers;
    bool transitive = false;
};
const std::vector<Library> libraries{
    {"Qt",
     QRegularExpression("^(Q[A-Z]\\w*|Qt\\w*/\\w+|q[a-z]+\\.h)$"),
     {"widgets/style", "widgets/bridge", "widgets/models", "widgets/plots", "widgets/print", "widgets/pages",
      "app/workbench"},
     true},
    {"Eigen", QRegularExpression("^Eigen/"), {"core/analysis"}},
    {"QCustomPlot", QRegularExpression("^qcustomplot\\.h$"), {"widgets/plots"}},
    // Qt's keywords break LibTorch's headers, which also cost seconds a file.
    {"LibTorch",
     QRegularExpression("^(torch|ATen|c10|caffe2)/"),
     {"core/data", "core/cuda", "core/model", "core/window", "core/engine", "core/train"},
     true},
    {"CUDA", QRegularExpression("^(cuda_|cuda\\.h|cub/|(ATen|c10)/cuda/)"), {"core/cuda"}},
    {"SQLite", QRegularExpression("^(SQLiteCpp/.*|sqlite3\\.h)$"), {"core/store"}, true},
    {"toml++", QRegularExpression("^toml(\\+\\+|plusplus)?(/|\\.h)"), {"core/config"}},
    {"zlib", QRegularExpression("^zlib\\.h$"), {"core/data", "core/model"}},
    {"libcsv", QRegularExpression("^csv\\.h$"), {"core/data"}},
    {"minizip", QRegularExpression("^minizip/"), {"core/data"}},
    {"MPI", QRegularExpression("^mpi\\.h$"), {"core/ranks"}},
    {"CLI11", QRegularExpression("^CLI/"), {"app/cli"}},
};

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
    {"core/cuda/gpu_device.cpp", "device.h with CUDA; CMake compiles one of the two"},
    {"core/cuda/no_gpu.cpp", "device.h without CUDA"},
};

const QStringList topLevelFolders{".ci", "app", "core", "experiments", "packaging", "resources", "tests", "widgets"};
const QStringList sourceSuffixes{"cpp", "h", "cu", "cmake", "sh", "py", "toml", "svg", "xml"};

struct Include {
    int line = 0;
    QString name;
    bool quoted = false;
};

std::optional<QString> layerOf(const QString& file) {
    for (const Layer& layer : layers) {
        if (file.startsWith(layer.folder + '/'))
            return layer.folder;
    }
    return std::nullopt;
}

const Layer& layerNamed(const QString& folder) {
    return *std::find_if(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.folder == folder; });
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::vector<Include> includesOf(const QString& path) {
    static const QRegularExpression pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");
    std::vector<Include> found;
    const QStringList lines = textOf(path).split('\n');
    for (int at = 0; at < lines.size(); ++at) {
        const auto match = pattern.match(lines[at]);
        if (match.hasMatch())
            found.push_back({at + 1, match.captured(2), match.captured(1) == "\""});
    }
    return found;
}

/// A source tree and what is wrong with it, one sentence per offence.
class Tree {
public:
    explicit Tree(const QString& root) : m_root(root) {
        for (const QString& folder : topLevelFolders) {
            QDirIterator files(m_root.filePath(folder), QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext())
                m_files.push_back(m_root.relativeFilePath(files.next()));
        }
        m_files << m_root.entryList({"*.md", "CMakeLists.txt", "CMakePresets.json"}, QDir::Files);
        m_files.sort();
        for (const QString& file : m_files) {
            if (file.endsWith(".h") || file.endsWith(".cpp") || file.endsWith(".cu"))
                m_includes[file] = includesOf(m_root.filePath(file));
        }
    }

    [[nodiscard]] const QStringList& files() const { return m_files; }
    [[nodiscard]] QString text(const QString& file) const { return textOf(m_root.filePath(file)); }

    [[nodiscard]] QStringList includeOffences() const {
        QStringList offences;
        for (const auto& [file, includes] : m_includes) {
            const auto layer = layerOf(file);
            if (!layer)
                continue;
            for (const Include& include : includes) {
                const QString place = QString("%1:%2: ").arg(file).arg(include.line);
                const auto target = layerOf(include.name);
                if (target && *target != *layer && !layerNamed(*layer).mayInclude.contains(*target))
                    offences << place + *layer + " may not include " + *target + " (" + include.name + ")";
                if (include.quoted && !target && !include.name.endsWith(".moc"))
                    offences << place + include.name + " is not written from the root of the project";
            }
            offences << libraryOffences(file, *layer);
        }
        return offences;
    }

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
            if (!source || !(layerOf(file) || file.startsWith("tests/support/")))
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
            const QStringList lines = text(file).split('\n');
            for (int at = 0; at < lines.size(); ++at) {
                const auto match = pattern.match(lines[at]);
                if (match.hasMatch())
                    offences << QString("%1:%2: names %3").arg(file).arg(at + 1).arg(match.captured(0).trimmed());
            }
        }
        return offences;
    }

private:
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

    [[nodiscard]] QStringList libraryOffences(const QString& file, const QString& layer) const {
        QStringList offences;
        for (const Library& library : libraries) {
            if (library.layers.contains(layer))
                continue;
            QSet<QString> seen;
            const QString chain = library.transitive ? reach(file, library, seen) : direct(file, library);
            if (!chain.isEmpty())
                offences << file + ": " + layer + " may not see " + library.name + ": " + chain;
        }
        return offences;
    }

    [[nodiscard]] QString direct(const QString& file, const Library& library) const {
        const auto found = m_includes.find(file);
        if (found == m_includes.end())
            return {};
        for (const Include& include : found->second) {
            if (library.include.match(include.name).hasMatch())
                return include.name;
        }
        return {};
    }

    /// The chain of includes from `file` to the library, empty when there is none.
    [[nodiscard]] QString reach(const QString& file, const Library& library, QSet<QString>& seen) const {
        if (const QString here = direct(file, library); !here.isEmpty())
            return here;
        seen.insert(file);
        const auto found = m_includes.find(file);
        if (found == m_includes.end())
            return {};
        for (const Include& include : found->second) {
            if (seen.contains(include.name))
                continue;
            if (const QString chain = reach(include.name, library, seen); !chain.isEmpty())
                return include.name + " -> " + chain;
        }
        return {};
    }

    QDir m_root;
    QStringList m_files;
    std::map<QString, std::vector<Include>> m_includes;
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

} // namespace

class TestArchitecture : public QObject {
    Q_OBJECT

private:
    /// A tree with these files; each gets the licence line unless it says otherwise.
    static void plant(const QTemporaryDir& folder, const std::map<QString, QString>& files) {
        for (const auto& [name, content] : files) {
            const QString path = folder.filePath(name);
            QDir().mkpath(QFileInfo(path).path());
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                (QString("// SPDX-License") + "-Identifier: GPL-3.0-or-later\n#pragma once\n" + content).toUtf8());
        }
    }

    static QString source() {
        const QString folder = qEnvironmentVariable("ACCUMULUS_SOURCE");
        return folder.isEmpty() ? QDir::currentPath() : folder;
    }

    /// Paths below the source folders that a text names and that are not there. <name> stands for anything.
    static QStringList missingFiles(const QString& document, const QString& text) {
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

    static void expectNone(const QStringList& offences) {
        QVERIFY2(offences.isEmpty(), qPrintable("\n" + offences.join('\n')));
    }

private Q_SLOTS:
    void aPlantedIncludeIsCaught_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("offence"); // empty: allowed
        QTest::newRow("upwards") << "core/base/a.cpp"
                                 << "#include \"core/config/experiment_file.h\"\n"
                                 << "may not include core/config";
        QTest::newRow("sideways") << "core/store/a.cpp"
                                  << "#include \"core/analysis/series.h\"\n"
                                  << "may not include core/analysis";
        QTest::newRow("angle brackets") << "core/base/a.cpp"
                                        << "#  include <core/run/run_events.h>\n"
                                        << "may not include core/run";
        QTest::newRow("core to widgets") << "core/run/a.cpp"
                                         << "#include \"widgets/style/theme.h\"\n"
                                         << "may not include widgets/style";
        QTest::newRow("plots to pages") << "widgets/plots/a.cpp"
                                        << "#include \"widgets/pages/page.h\"\n"
                                        << "may not include widgets/pages";
        QTest::newRow("widgets to train") << "widgets/pages/a.cpp"
                                          << "#include \"core/train/window.h\"\n"
                                          << "may not include core/train";
        QTest::newRow("cli to widgets") << "app/cli/a.cpp"
                                        << "#include \"widgets/style/format.h\"\n"
                                        << "may not include widgets/style";
        QTest::newRow("Qt in core") << "core/analysis/a.h"
                                    << "#include <QString>\n"
                                    << "may not see Qt";
        QTest::newRow("Qt module in cli") << "app/cli/a.cpp"
                                          << "#include <QtCore/QString>\n"
                                          << "may not see Qt";
        QTest::newRow("torch in widgets") << "widgets/pages/a.cpp"
                                          << "#include <torch/torch.h>\n"
                                          << "may not see LibTorch";
        QTest::newRow("torch in run") << "core/run/a.cpp"
                                      << "#include <ATen/ATen.h>\n"
                                      << "may not see LibTorch";
        QTest::newRow("SQLite in report") << "core/report/a.cpp"
                                          << "#include <sqlite3.h>\n"
                                          << "may not see SQLite";
        QTest::newRow("SQLite behind a header") << "core/run/a.cpp"
                                                << "#include \"core/store/connection.h\"\n"
                                                << "may not see SQLite";
        QTest::newRow("zlib elsewhere") << "core/base/a.cpp"
                                        << "#include <zlib.h>\n"
                                        << "may not see zlib";
        QTest::newRow("MPI elsewhere") << "core/train/a.cpp"
                                       << "#include <mpi.h>\n"
                                       << "may not see MPI";
        QTest::newRow("ranks in the workbench") << "app/workbench/a.cpp"
                                                << "#include \"core/ranks/launch.h\"\n"
                                                << "may not include core/ranks";
        QTest::newRow("relative") << "core/base/a.cpp"
                                  << "#include \"error.h\"\n"
                                  << "not written from the root";
        QTest::newRow("own layer") << "core/base/a.cpp"
                                   << "#include \"core/base/error.h\"\n#include <vector>\n"
                                   << "";
        QTest::newRow("downwards") << "core/train/a.cpp"
                                   << "#include \"core/data/dataset.h\"\n#include <torch/torch.h>\n"
                                   << "";
        QTest::newRow("store's own SQLite") << "core/store/a.cpp"
                                            << "#include \"core/store/connection.h\"\n"
                                            << "";
        QTest::newRow("page with Qt")
            << "widgets/pages/a.cpp"
            << "#include \"widgets/plots/plot_view.h\"\n#include <QWidget>\n#include \"a.moc\"\n"
            << "";
    }
    void aPlantedIncludeIsCaught() {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, offence);
        QTemporaryDir folder;
        plant(folder, {{file, content}, {"core/store/connection.h", "#include <SQLiteCpp/SQLiteCpp.h>\n"}});
        const QStringList offences = Tree(folder.path()).includeOffences();
        if (offence.isEmpty())
            expectNone(offences);
        else
            QVERIFY2(offences.size() == 1 && offences.first().contains(offence), qPrintable(offences.join('\n')));
    }

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

    void aPlantedTopLevelFolderIsCaught() {
        expectNone(folderOffences({"README.md", "LICENSE", ".ci/run", ".gitignore", "core/base/error.h"}));
        QCOMPARE(folderOffences({"src/a.cpp", "scripts/b.sh", "notes.txt", "core/a.h"}),
                 (QStringList{"src", "scripts", "notes.txt"}));
    }

    void theTableHasNoCycle() {
        for (std::size_t at = 0; at < layers.size(); ++at) {
            for (const QString& below : layers[at].mayInclude)
                QVERIFY2(!layerNamed(below).mayInclude.contains(layers[at].folder),
                         qPrintable(layers[at].folder + " and " + below));
        }
    }

    void theDocumentShowsTheTable() {
        static const QRegularExpression row("^\\| `(core/\\w+)` \\| ([\\w, ]+) \\|");
        QStringList shown;
        const QStringList lines = textOf(QDir(source()).filePath("ARCHITECTURE.md")).split('\n');
        for (const QString& line : lines) {
            const auto match = row.match(line);
            if (!match.hasMatch())
                continue;
            shown << match.captured(1);
            QStringList below;
            if (match.captured(2) != "nothing") {
                for (const QString& name : match.captured(2).split(", "))
                    below << "core/" + name;
            }
            QStringList allowed = layerNamed(match.captured(1)).mayInclude;
            below.sort();
            allowed.sort();
            QVERIFY2(below == allowed, qPrintable(line));
        }
        for (const Layer& layer : layers)
            QVERIFY2(!layer.folder.startsWith("core/") || shown.contains(layer.folder), qPrintable(layer.folder));
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

    void everyIncludeKeepsToTheTable() {
        const Tree tree(source());
        QVERIFY(tree.files().contains("core/base/error.h"));
        expectNone(tree.includeOffences());
    }

    void everySourceFolderIsALayer() {
        QStringList unknown;
        const QStringList all = Tree(source()).files();
        for (const QString& file : all) {
            const bool source = file.startsWith("core/") || file.startsWith("widgets/") || file.startsWith("app/");
            if (source && (file.endsWith(".cpp") || file.endsWith(".h")) && !layerOf(file))
                unknown << file;
        }
        expectNone(unknown);
    }

    void everyFileHasItsLicenceAndName() {
        const Tree tree(source());
        expectNone(tree.licenceOffences() + tree.nameOffences());
    }

    void everySourceIsNamedAfterItsHeader() { expectNone(Tree(source()).sourceNameOffences(ownNames)); }

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

QTEST_APPLESS_MAIN(TestArchitecture)
#include "test_architecture.moc"
