// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of a comparison: sign, word, one sentence, the 90 % interval drawn against the margin, the margin with
// unit and time, and the way to more seeds. Shows values and tells what the person wants; computes nothing. GUI thread.
#pragma once

#include "widgets/models/comparison_text.h"
#include "widgets/plots/verdict_figure.h"
#include "widgets/style/controls.h"

class QDoubleSpinBox;
class QPushButton;
class QToolButton;

namespace accumulus::ui {

/// The interval picture as a widget, with a text alternative.
class IntervalBar : public QWidget {
    Q_OBJECT
public:
    explicit IntervalBar(const Theme& theme, QWidget* parent = nullptr);
    void setPicture(const IntervalPicture& picture);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    IntervalPicture m_picture;
};

class VerdictCard : public Card {
    Q_OBJECT
public:
    explicit VerdictCard(const Theme& theme, QWidget* parent = nullptr);

    /// Of a group and the reference; `input` is that of all groups.
    void setComparison(const ComparisonInput& input, const Comparison& comparison,
                       const comparison_text::PairNames& names);
    void setMoreSeedsPossible(bool possible);
    void setMoreSeedsBlocked(const QString& reason); ///< why none can be added now; empty: they can
    /// "1 of 5 pairs done" while runs are still to be trained; `planned` 0: all that will be are done.
    void setProgress(std::size_t done, std::size_t planned);
    /// As PNG, SVG or PDF by the name's ending. False: exportFailed() came.
    bool saveAs(const QString& file);

Q_SIGNALS:
    void marginEdited(double margin); ///< in the metric's own unit: 0.005 for half a point of accuracy
    void marginReset();               ///< back to the one that was fixed before the runs
    void moreSeedsRequested();
    void exportFailed(const QString& file);

private:
    void buildExport();
    [[nodiscard]] VerdictFigure figure() const;
    void saveWithDialog();
    void buildHead(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    void fitMarginField(double shown);
    void showMargin(const ComparisonInput& input, double margin);
    void repaintSign();

    const Theme& m_theme;
    Verdict m_verdict = Verdict::NotEnoughSeeds;
    CompareMetric m_metric = CompareMetric::TestAccuracy;
    QLabel* m_sign;
    RoleLabel* m_word;
    RoleLabel* m_sentence;
    RoleLabel* m_others; ///< verdicts of the metrics judged together, a line each
    RoleLabel* m_saving;
    RoleLabel* m_evaluationMemory;
    RoleLabel* m_progress;
    IntervalBar* m_interval;
    IntervalPicture m_picture;
    RoleLabel* m_scale;
    RoleLabel* m_marginNote;
    QLabel* m_marginWarning; ///< icon beside the note
    QDoubleSpinBox* m_marginField;
    QPushButton* m_resetMargin;
    QPushButton* m_moreSeeds;
    QToolButton* m_export;
};

} // namespace accumulus::ui
