// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/statistics.h"
#include "core/run/study_runner.h"
#include "widgets/bridge/look_ups.h"
#include "widgets/pages/page.h"

#include <QString>
#include <QTimer>
#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;
class QPushButton;
class QTableWidget;

namespace accumulus::ui {

class Card;
class RoleLabel;

/// First page: three cards (one-minute demo, set up an experiment, open a library), how to bring a network of one's
/// own, a line on the device, the latest studies. Takes dropped files.
class HomePage : public Page {
    Q_OBJECT
public:
    explicit HomePage(Services services, QWidget* parent = nullptr);
    void activated() override;

Q_SIGNALS:
    void demoRequested();
    void setupRequested();
    void examplesRequested();
    void openLibraryRequested();
    void filesBrought(const QStringList& files); ///< dropped or chosen
    void studyRequested(const QString& study);   ///< a recent study was chosen
    void deviceInspected(const accumulus::DeviceSummary& device);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitCards();
    [[nodiscard]] Card* demoCard();
    struct Button {
        QString text, name;
        void (HomePage::*requested)();
    };
    [[nodiscard]] Card* actionCard(const QString& iconName, const QString& title, const QString& text,
                                   const QList<Button>& buttons);
    [[nodiscard]] Card* ownNetworkCard();
    [[nodiscard]] QWidget* deviceLine();
    [[nodiscard]] Card* recentCard();
    void inspectTheDevice();
    void followLibrary();
    void readRecent();
    void showVerdicts(); ///< of the latest studies, in the colours of the theme
    void showLibrary();  ///< which one is open, and whether the demo may train into it

    Services m_services;
    QBoxLayout* m_cards = nullptr;
    QPushButton* m_demo = nullptr;
    RoleLabel* m_device = nullptr;
    RoleLabel* m_deviceNote = nullptr;
    RoleLabel* m_libraryPath = nullptr;
    Card* m_recentCard = nullptr;
    QTableWidget* m_recent = nullptr;
    std::vector<std::optional<Verdict>> m_verdicts; ///< of the rows of m_recent
    LookUps m_lookUps;                              ///< asking for the device may load drivers
    bool m_deviceAsked = false;
    QTimer m_refreshSoon; ///< the list, while the library changes
};

} // namespace accumulus::ui
