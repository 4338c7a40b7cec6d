// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/place_box.h"

#include "widgets/models/train_places.h"
#include "widgets/pages/setup/place_dialog.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

namespace accumulus::ui {

PlaceBox::PlaceBox(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_box(new QComboBox(this)), m_edit(new QToolButton(this)),
      m_places(trainPlaces()) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    auto* caption = new RoleLabel(theme, TextRole::Caption, tr("Train on"), this);
    row->addWidget(caption);
    m_box->setObjectName(QStringLiteral("setup.place"));
    m_box->setAccessibleName(tr("Train on"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(8);
    row->addWidget(m_box, 1);
    m_edit->setObjectName(QStringLiteral("setup.place.edit"));
    m_edit->setText(tr("Edit…"));
    m_edit->setToolTip(tr("Change or remove this place"));
    m_edit->setAutoRaise(true);
    row->addWidget(m_edit);
    fill(std::clamp(currentTrainPlace() + 1, 0, static_cast<int>(m_places.size())));
    connect(m_box, &QComboBox::activated, this, &PlaceBox::chosen);
    connect(m_edit, &QToolButton::clicked, this, [this] { edit(static_cast<std::size_t>(m_current - 1)); });
}

std::optional<LaunchPlace> PlaceBox::place() const {
    return m_current == 0 ? std::nullopt : std::optional(m_places[static_cast<std::size_t>(m_current - 1)]);
}

void PlaceBox::fill(int current) {
    const QSignalBlocker quiet(m_box);
    m_box->clear();
    m_box->addItem(tr("This computer"));
    for (const LaunchPlace& place : m_places)
        m_box->addItem(placeName(place));
    m_box->insertSeparator(m_box->count());
    m_box->addItem(tr("Another place…"));
    m_current = current;
    m_box->setCurrentIndex(current);
    m_box->setToolTip(current == 0 ? QString() : m_box->currentText());
    m_edit->setVisible(current > 0);
}

void PlaceBox::chosen(int index) {
    if (index > static_cast<int>(m_places.size())) {
        fill(m_current);
        edit(std::nullopt);
        return;
    }
    fill(index);
    setCurrentTrainPlace(index - 1);
    Q_EMIT placeChanged();
}

void PlaceBox::edit(std::optional<std::size_t> known) {
    delete m_dialog; // `known` would be another place after its end
    auto* dialog = new PlaceDialog(m_theme, known ? std::optional(m_places[*known]) : std::nullopt, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog = dialog;
    const auto keep = [this](int current) {
        setTrainPlaces(m_places);
        fill(current);
        setCurrentTrainPlace(current - 1);
        Q_EMIT placeChanged();
    };
    connect(dialog, &QDialog::accepted, this, [this, dialog, known, keep] {
        if (known)
            m_places[*known] = dialog->place();
        else
            m_places.push_back(dialog->place());
        keep(known ? m_current : static_cast<int>(m_places.size()));
    });
    connect(dialog, &PlaceDialog::removed, this, [this, known, keep] {
        m_places.erase(m_places.begin() + static_cast<std::ptrdiff_t>(*known));
        keep(0);
    });
    dialog->show();
}

} // namespace accumulus::ui
