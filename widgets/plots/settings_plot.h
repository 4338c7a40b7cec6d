// SPDX-License-Identifier: GPL-3.0-or-later
// The metric of completed runs over a setting, or over all settings that differ as parallel coordinates. The pointer or
// the arrow keys highlight a run, a click keeps it. GUI thread.
//
// Keys: arrows the next or previous run, Home and End the first and last, Esc none; T the runs as a table, in which a
// row highlights its run; Ctrl+E export, Menu key the menu.
#pragma once

#include "widgets/plots/plot_view.h"
#include "widgets/plots/settings_figure.h"
#include "widgets/plots/settings_picture.h"

#include <QWidget>

namespace accumulus::ui {

struct PaintedPicture;

class SettingsPlot : public QWidget {
    Q_OBJECT
public:
    explicit SettingsPlot(const Theme& theme, QWidget* parent = nullptr);

    /// A run that was chosen stays so as long as it is there.
    void setFigure(SettingsFigure figure);
    [[nodiscard]] const SettingsFigure& figure() const { return m_figure; }
    void choose(std::optional<std::size_t> run); ///< highlights it until another is
    void chooseRun(const QString& id);           ///< likewise; of one that is not there nothing
    [[nodiscard]] QString chosenRun() const;     ///< its id; empty: none
    [[nodiscard]] std::optional<std::size_t> highlighted() const { return m_hovered ? m_hovered : m_chosen; }
    [[nodiscard]] QString summaryText() const { return figureSummary(m_figure); }
    /// As laid out on the screen: for where a run is, and for tests. Valid as long as the figure.
    [[nodiscard]] SettingsPicture picture() const;

    void showTable();
    void exportWithDialog();
    /// As PNG, SVG, PDF or CSV by the name's ending, like a PlotView. False: exportFailed() came.
    bool saveAs(QString file, const PlotFormat& format = {});
    void copyToClipboard() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void exportFailed(const QString& file);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void hover(std::optional<std::size_t> run);
    void step(int runs); ///< along runOrder()
    void stepToEnd(bool last);
    void showHighlight();
    void updateWords();
    void showMenu(const QPoint& at);
    [[nodiscard]] std::optional<std::size_t> find(const MeasuredRun& run) const;
    [[nodiscard]] PaintedPicture forPaper() const;
    [[nodiscard]] bool saveCsv(const QString& file) const;

    const Theme& m_theme;
    SettingsFigure m_figure; ///< its `highlighted` is highlighted()
    std::optional<std::size_t> m_chosen, m_hovered;
    bool m_framed = false; ///< it has the focus by a key
};

} // namespace accumulus::ui
