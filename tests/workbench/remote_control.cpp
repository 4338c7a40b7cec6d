// SPDX-License-Identifier: GPL-3.0-or-later
// A generic plugin of Qt that a test loads into the real program: a hand and an eye inside a process that can be
// killed. Each line of standard input is a request, each answer one line of JSON on standard output. remote_workbench.h
// speaks it. Widgets are found by objectName; it presses and reads what a person sees and nothing else.
#include <QApplication>
#include <QGenericPlugin>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMainWindow>
#include <QSocketNotifier>
#include <QTableView>
#include <QTest>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace {

class RemoteControl : public QObject {
    Q_OBJECT
public:
    RemoteControl() {
        qApp->installEventFilter(this);
        QMetaObject::invokeMethod(this, &RemoteControl::begin, Qt::QueuedConnection);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (!m_painted && event->type() == QEvent::Paint && qobject_cast<QMainWindow*>(watched)) {
            m_painted = true; // told once the frame that begins here is drawn
            QMetaObject::invokeMethod(
                this,
                [this] {
                    say({{"event", "first-window"}});
                },
                Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void begin() {
        m_notifier = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &RemoteControl::read);
    }

    void read() {
        char part[4096];
        const ssize_t count = ::read(STDIN_FILENO, part, sizeof part);
        if (count <= 0) {
            m_notifier->setEnabled(false);
            return;
        }
        m_input.append(part, static_cast<qsizetype>(count));
        for (qsizetype end = m_input.indexOf('\n'); end >= 0; end = m_input.indexOf('\n')) {
            const QStringList words = QString::fromUtf8(m_input.left(end)).split(QLatin1Char(' '));
            m_input.remove(0, end + 1);
            say(answer(words.value(0), words.value(1), words.value(2)));
        }
    }

    static void say(const QJsonObject& object) {
        const QByteArray line = QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
        std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout);
        std::fflush(stdout);
    }

    static QWidget* find(const QString& name) {
        const QWidgetList windows = QApplication::topLevelWidgets();
        for (QWidget* window : windows) {
            if (window->objectName() == name)
                return window;
            if (auto* found = window->findChild<QWidget*>(name))
                return found;
        }
        return nullptr;
    }

    static QJsonObject answer(const QString& request, const QString& name, const QString& more) {
        if (request == QLatin1String("windows"))
            return {{"windows", windows()}};
        if (request == QLatin1String("quit")) {
            QMetaObject::invokeMethod(qApp, &QApplication::closeAllWindows, Qt::QueuedConnection);
            return {{"done", true}};
        }
        QWidget* widget = find(name);
        if (!widget)
            return {{"found", false}};
        if (request == QLatin1String("look"))
            return look(*widget);
        if (request == QLatin1String("column"))
            return column(qobject_cast<QTableView*>(widget), more.toInt());
        if (!widget->isVisible() || !widget->isEnabled())
            return {{"found", true}, {"done", false}};
        if (request == QLatin1String("click"))
            QTest::mouseClick(widget, Qt::LeftButton);
        else if (request == QLatin1String("key") && more.size() == 1) // of a letter
            QTest::keyClick(widget, more.at(0).toLatin1());
        else
            return {{"found", true}, {"done", false}};
        return {{"found", true}, {"done", true}};
    }

    /// Visible windows but the main one: dialogs, menus, messages.
    static QJsonArray windows() {
        QJsonArray found;
        const QWidgetList all = QApplication::topLevelWidgets();
        for (const QWidget* window : all)
            if (window->isVisible() && !qobject_cast<const QMainWindow*>(window))
                found.append(QLatin1String(window->metaObject()->className()) + QLatin1Char(' ') +
                             window->windowTitle());
        return found;
    }

    /// What can be read on it and in it.
    static QJsonObject look(const QWidget& widget) {
        QStringList words{widget.property("text").toString()};
        for (const QLabel* label : widget.findChildren<QLabel*>())
            if (label->isVisible())
                words << label->text();
        words.removeAll(QString());
        return {{"found", true},
                {"visible", widget.isVisible()},
                {"enabled", widget.isEnabled()},
                {"text", words.join(QLatin1Char('\n'))}};
    }

    static QJsonObject column(const QTableView* table, int number) {
        if (!table || !table->model())
            return {{"found", false}};
        QJsonArray values;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            values.append(QJsonValue::fromVariant(table->model()->index(row, number).data(Qt::EditRole)));
        return {{"found", true}, {"values", values}};
    }

    std::unique_ptr<QSocketNotifier> m_notifier;
    QByteArray m_input;
    bool m_painted = false;
};

class RemoteControlPlugin : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "remote_control.json")
public:
    QObject* create(const QString& /*name*/, const QString& /*settings*/) override { return new RemoteControl; }
};

} // namespace

#include "remote_control.moc"
