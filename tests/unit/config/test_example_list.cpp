// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/config/example_list.h"

#include <QTemporaryDir>
#include <QtTest>

namespace test_example_list {
using namespace accumulus;

class TestExampleList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileAsksInItsFirstSentence() {
        QCOMPARE(leadingQuestion("# SPDX-License-Identifier: X\n# Is it\n# so? Text.\n"), std::string("Is it so?"));
        QCOMPARE(leadingQuestion("# Is it so?"), std::string("Is it so?"));
        QCOMPARE(leadingQuestion("# A text. Is it so?\n"), std::string());
        QCOMPARE(leadingQuestion("# A text\n#\n# Is it so?\n"), std::string());
        QCOMPARE(leadingQuestion("[data] # Is it so?\n"), std::string());
        QCOMPARE(leadingQuestion(""), std::string());
    }

    void whatCanBeReadAndAsksIsListed() {
        const QTemporaryDir folder;
        const auto file = [&folder](const char* name) {
            return std::filesystem::path(folder.filePath(QString::fromLatin1(name)).toStdString());
        };
        QVERIFY(listExamples(file("none")).empty());
        QVERIFY(writeFileAtomically(file("b.toml"), "# What of b?\n[study]\nname = \"B\"\n"));
        QVERIFY(writeFileAtomically(file("a.toml"), "# What of a?\n[study]\nname = \"A\"\n"));
        QVERIFY(writeFileAtomically(file("broken.toml"), "# What of it?\n[study\n"));
        QVERIFY(writeFileAtomically(file("mute.toml"), "[study]\nname = \"C\"\n"));
        QVERIFY(writeFileAtomically(file("note.txt"), "# What of it?\n"));
        const std::vector<Example> expected{{file("a.toml"), "A", "What of a?"}, {file("b.toml"), "B", "What of b?"}};
        QVERIFY(listExamples(QDir(folder.path()).path().toStdString()) == expected);
    }
};

QTEST_APPLESS_MAIN(TestExampleList)
} // namespace test_example_list
#include "test_example_list.moc"
