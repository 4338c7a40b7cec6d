// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the sources share: the files of a tree and what they include, the project's own tree, and made-up
// ones with an offence.
#pragma once

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <vector>

namespace accumulus::test {

inline const QStringList topLevelFolders{".ci",       "app",       "core",  "experiments",
                                         "packaging", "resources", "tests", "widgets"};

struct Include {
    int line = 0;
    QString name;
    bool quoted = false;
};

inline QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

inline std::vector<Include> includesOf(const QString& path) {
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

/// A source tree.
class SourceTree {
public:
    explicit SourceTree(const QString& root) : m_root(root) {
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

protected:
    QDir m_root;
    QStringList m_files;
    std::map<QString, std::vector<Include>> m_includes;
};

/// A tree with these files; each gets the licence line unless it says otherwise.
inline void plant(const QTemporaryDir& folder, const std::map<QString, QString>& files) {
    for (const auto& [name, content] : files) {
        const QString path = folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write((QString("// SPDX-License") + "-Identifier: GPL-3.0-or-later\n#pragma once\n" + content).toUtf8());
    }
}

/// The project's own tree.
inline QString source() {
    const QString folder = qEnvironmentVariable("ACCUMULUS_SOURCE");
    return folder.isEmpty() ? QDir::currentPath() : folder;
}

inline void expectNone(const QStringList& offences) {
    QVERIFY2(offences.isEmpty(), qPrintable("\n" + offences.join('\n')));
}

} // namespace accumulus::test
