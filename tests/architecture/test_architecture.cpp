// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of ARCHITECTURE.md, kept by a machine: who may include whom, and which library belongs to which layer.
// Every rule is tried on a planted offence first.
#include "tests/architecture/source_tree.h"

#include <QSet>

#include <algorithm>
#include <optional>

namespace test_architecture {
using namespace accumulus::test;

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

/// A source tree and what is wrong with its includes, one sentence per offence.
class Tree : public SourceTree {
public:
    using SourceTree::SourceTree;

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

private:
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
};

} // namespace

class TestArchitecture : public QObject {
    Q_OBJECT
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
};

QTEST_APPLESS_MAIN(TestArchitecture)
} // namespace test_architecture
#include "test_architecture.moc"
