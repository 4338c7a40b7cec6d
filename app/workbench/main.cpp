// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/application.h"
#include "app/workbench/quit_signals.h"
#include "core/base/log.h"
#include "core/base/program_folder.h"
#include "core/base/thread_waits.h"

#include <QApplication>
#include <QCommandLineParser>
#include <algorithm>
#include <clocale>
#include <string_view>
#include <unistd.h>

namespace {

void nameProgram() {
    QCoreApplication::setApplicationName(QStringLiteral("Accumulus"));
    QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ACCUMULUS_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.accumulus.Accumulus"));
}

struct CommandLine {
    QCommandLineParser parser;
    QCommandLineOption library{QStringLiteral("library"),
                               QStringLiteral("Open the library in FILE (made when missing)."), QStringLiteral("FILE")};
    QCommandLineOption demo{QStringLiteral("demo"), QStringLiteral("Start the one-minute demo at once.")};

    CommandLine() {
        parser.setApplicationDescription(QStringLiteral(
            "A workbench for gradient accumulation: is it really the large batch, and what does it cost?"));
        parser.addOptions({library, demo});
        parser.addPositionalArgument(
            QStringLiteral("FILE"),
            QStringLiteral("Open an experiment (*.toml) in Set up, or use a network, weights or data there."),
            QStringLiteral("[FILE...]"));
        parser.addHelpOption();
        parser.addVersionOption();
    }
};

bool asksForText(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* argument) {
        const std::string_view text(argument);
        return text == "--help" || text == "-h" || text == "--version" || text == "-v" || text == "--help-all";
    });
}

} // namespace

int main(int argc, char** argv) {
    nameProgram();
    if (asksForText(argc, argv)) { // needs no display
        const QCoreApplication application(argc, argv);
        CommandLine().parser.process(application);
    }
    // OpenMP is loaded already: the program starts once more. If it cannot, threads wait as they always did.
    if (accumulus::limitThreadWaits())
        execv((accumulus::programFolder() / "accumulus").c_str(), argv);
    accumulus::setUpLog();
    QApplication application(argc, argv);
    // QApplication takes the desktop's locale: libraries would read and write "0,5" where files have "0.5". What is
    // shown goes by QLocale.
    std::setlocale(LC_NUMERIC, "C");
    CommandLine line;
    line.parser.process(application);
    accumulus::ui::ApplicationOptions options;
    options.library = line.parser.value(line.library).toStdString();
    options.demo = line.parser.isSet(line.demo);
    options.files = line.parser.positionalArguments();
    accumulus::ui::Application workbench(application, std::move(options));
    const accumulus::ui::QuitSignals quitSignals;
    QObject::connect(&quitSignals, &accumulus::ui::QuitSignals::received, &workbench,
                     &accumulus::ui::Application::quitBySignal);
    workbench.start();
    return QApplication::exec();
}
