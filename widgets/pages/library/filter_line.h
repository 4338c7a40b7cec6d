// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the library: a line for a query, below it what is wrong and where. A wrong query keeps the last good
// one in force. GUI thread.
#pragma once

#include "widgets/models/run_filter.h"
#include "widgets/style/theme.h"

#include <QLineEdit>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

class QCompleter;

namespace accumulus::ui {

class RoleLabel;

/// Line edit with a red frame and a mark below the wrong characters.
class QueryEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit QueryEdit(const Theme& theme, QWidget* parent = nullptr);
    void setError(std::optional<QueryError> error);
    [[nodiscard]] const std::optional<QueryError>& error() const { return m_error; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< Esc clears it

private:
    const Theme& m_theme;
    std::optional<QueryError> m_error;
};

class FilterLine : public QWidget {
    Q_OBJECT
public:
    explicit FilterLine(const Theme& theme, QWidget* parent = nullptr);

    void focusLine();
    void clear();
    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    void addTerm(const QString& term); ///< that must match as well
    /// Whose values are offered while a person types.
    void setRows(std::function<const std::vector<RunRow>&()> rows);

Q_SIGNALS:
    void queryChanged(const accumulus::ui::RunQuery& query); ///< of a right query only

private:
    void parse();
    void offerWords();
    void takeWord(const QString& word);
    std::function<const std::vector<RunRow>&()> m_rows;
    QCompleter* m_completer;
    QueryEdit* m_edit;
    RoleLabel* m_message;
};

} // namespace accumulus::ui
