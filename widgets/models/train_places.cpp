// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/train_places.h"

#include <QCoreApplication>
#include <QSettings>

namespace accumulus::ui {

namespace {

QString listKey() { return QStringLiteral("places"); }
QString currentKey() { return QStringLiteral("currentPlace"); }

} // namespace

std::vector<LaunchPlace> trainPlaces() {
    QSettings settings;
    std::vector<LaunchPlace> places;
    const int count = settings.beginReadArray(listKey());
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const auto text = [&](const char* key) { return settings.value(QLatin1String(key)).toString().toStdString(); };
        LaunchPlace place{text("host"), text("program"), text("library"), std::nullopt};
        if (settings.contains(QStringLiteral("slurm")))
            place.slurm = text("slurm");
        places.push_back(std::move(place));
    }
    settings.endArray();
    return places;
}

void setTrainPlaces(const std::vector<LaunchPlace>& places) {
    QSettings settings;
    settings.remove(listKey());
    settings.beginWriteArray(listKey(), static_cast<int>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("host"), QString::fromStdString(places[i].host));
        settings.setValue(QStringLiteral("program"), QString::fromStdString(places[i].program));
        settings.setValue(QStringLiteral("library"), QString::fromStdString(places[i].library));
        if (places[i].slurm)
            settings.setValue(QStringLiteral("slurm"), QString::fromStdString(*places[i].slurm));
    }
    settings.endArray();
}

int currentTrainPlace() { return QSettings().value(currentKey(), -1).toInt(); }

void setCurrentTrainPlace(int index) { QSettings().setValue(currentKey(), index); }

QString placeName(const LaunchPlace& place) {
    const QString host = place.host.empty() ? QCoreApplication::translate("TrainPlaces", "this computer")
                                            : QString::fromStdString(place.host);
    return place.slurm ? QCoreApplication::translate("TrainPlaces", "%1, Slurm").arg(host) : host;
}

} // namespace accumulus::ui
