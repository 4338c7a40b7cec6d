// SPDX-License-Identifier: GPL-3.0-or-later
// While it lives, the C library reads and writes numbers with a comma, as a program under a German desktop does. The
// locale is made in a folder of its own by localedef; where that cannot be, isActive() is false.
#pragma once

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <clocale>
#include <string>

namespace accumulus::test {

class CommaLocale {
public:
    CommaLocale() {
        QFile source(m_folder.filePath("comma"));
        if (!source.open(QIODevice::WriteOnly))
            return;
        source.write("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
        source.close();
        // It ends with 1: all that a whole locale has is missing.
        QProcess::execute("localedef", {"-c", "--quiet", "--no-archive", "-f", "UTF-8", "-i", source.fileName(),
                                        m_folder.filePath("comma.UTF-8")});
        qputenv("LOCPATH", m_folder.path().toUtf8());
        std::setlocale(LC_NUMERIC, "comma.UTF-8");
    }
    ~CommaLocale() {
        std::setlocale(LC_NUMERIC, m_before.c_str());
        qunsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    [[nodiscard]] static bool isActive() { return std::localeconv()->decimal_point == std::string(","); }

private:
    QTemporaryDir m_folder;
    std::string m_before = std::setlocale(LC_NUMERIC, nullptr);
};

} // namespace accumulus::test
