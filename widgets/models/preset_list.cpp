// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/preset_list.h"

#include "core/config/batch_plan.h"
#include "core/store/library.h"
#include "widgets/models/field_words.h"
#include "widgets/models/queue_estimate.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace accumulus::ui {

namespace {

QString unknown() { return QStringLiteral("–"); }

bool sameAs(const Preset& a, const Preset& b) {
    const bool alike = a.name == b.name && a.file == b.file && a.savedAt == b.savedAt &&
                       a.experiment.has_value() == b.experiment.has_value();
    return alike && (a.experiment ? *a.experiment == *b.experiment : a.experiment.error() == b.experiment.error());
}

} // namespace

std::filesystem::path presetFolder() { return defaultLibraryPath().parent_path() / "presets"; }

PresetList::PresetList(LibraryGateway& library, std::filesystem::path folder, QObject* parent)
    : QAbstractTableModel(parent), m_library(library), m_folder(std::move(folder)) {}

void PresetList::refresh() {
    change([] { return Status(); }, [] {});
}

void PresetList::change(std::function<Status()> change, std::function<void()> done) {
    struct Outcome {
        Status status;
        Result<std::vector<Preset>> presets;
    };
    m_lookUps.ask<Outcome>(
        [change = std::move(change), folder = m_folder]() -> Result<Outcome> {
            const Status status = change();
            return Outcome{status, listPresets(folder)};
        },
        [this, done = std::move(done)](const Result<Outcome>& outcome) {
            if (outcome)
                take(outcome->presets);
            if (const Status status = outcome ? outcome->status : Status(failure(outcome.error())); status)
                done();
            else
                Q_EMIT failed(status.error());
        });
}

void PresetList::take(Result<std::vector<Preset>> presets) {
    if (!presets) {
        Q_EMIT failed(presets.error());
        return;
    }
    if (!std::ranges::equal(*presets, m_presets, sameAs)) { // else a name that is being typed stays
        beginResetModel();
        m_presets = *std::move(presets);
        endResetModel();
    }
    askForTimes();
    Q_EMIT listed();
}

void PresetList::askForTimes() {
    if (!m_library.isOpen() || m_presets.empty())
        return;
    using Times = QHash<QString, double>;
    m_library.query<Times>(
        this, QStringLiteral("presets.times"),
        [presets = m_presets](RunReader& reader) {
            Times times;
            for (const Preset& preset : presets)
                if (preset.experiment)
                    times.insert(QString::fromStdString(preset.name),
                                 studySeconds(reader, *preset.experiment).value_or(-1.0));
            return times;
        },
        [this](Times times) {
            m_seconds = std::move(times);
            if (!m_presets.empty())
                Q_EMIT dataChanged(index(0, Time), index(rowCount() - 1, Time));
        },
        [](const Error&) {}); // a time that is not known is no failure
}

void PresetList::save(const QString& name, const ExperimentConfig& experiment, bool overwrite) {
    change([folder = m_folder, text = name.toStdString(), experiment,
            overwrite] { return savePreset(folder, text, experiment, overwrite); },
           [this, name] { Q_EMIT saved(name); });
}

void PresetList::rename(const Preset& preset, const QString& name) {
    change([file = preset.file, text = name.toStdString()] { return renamePreset(file, text); },
           [this, name] { Q_EMIT renamed(name); });
}

void PresetList::remove(const Preset& preset) {
    auto content = std::make_shared<std::string>();
    change(
        [file = preset.file, content]() -> Status {
            ACCUMULUS_TRY_ASSIGN(*content, removePreset(file));
            return {};
        },
        [this, content, file = preset.file, name = QString::fromStdString(preset.name)] {
            m_removed.push_back({name, file, *content, ++m_removals});
            Q_EMIT removed(name);
        });
}

std::optional<PresetList::Removed> PresetList::next() const {
    const auto hasRoom = [this](const Removed& one) {
        return std::ranges::find(m_presets, one.file, &Preset::file) == m_presets.end();
    };
    const auto found = std::find_if(m_removed.rbegin(), m_removed.rend(), hasRoom);
    return found == m_removed.rend() ? std::nullopt : std::optional(*found);
}

void PresetList::putBack() {
    const auto back = next();
    if (!back)
        return;
    change([file = back->file, content = back->content] { return restorePreset(file, content); },
           [this, number = back->number, name = back->name] {
               std::erase_if(m_removed, [number](const Removed& one) { return one.number == number; });
               Q_EMIT broughtBack(name);
           });
}

QString PresetList::lastRemoved() const {
    const auto back = next();
    return back ? back->name : QString();
}

const Preset* PresetList::at(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_presets.size() ? &m_presets[row] : nullptr;
}

int PresetList::rowOf(const QString& name) const {
    const auto found = std::ranges::find(m_presets, name.toStdString(), &Preset::name);
    return found == m_presets.end() ? -1 : static_cast<int>(found - m_presets.begin());
}

int PresetList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_presets.size());
}

int PresetList::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString PresetList::text(const Preset& preset, int column) const {
    if (column == Name)
        return format::fromUtf8(preset.name);
    if (column == Saved)
        return format::dateTime(preset.savedAt);
    if (!preset.experiment)
        return column == Model ? tr("cannot be used") : unknown();
    const ExperimentConfig& experiment = *preset.experiment;
    switch (column) {
    case Model:
        return choiceTitle(experiment.run.model.name);
    case Batch: {
        const auto batch = resolveBatch(experiment.run.batch);
        return batch ? format::batchEquation(*batch) : unknown();
    }
    case Runs:
        return format::count((experiment.study.largeBatch ? 2 : 1) * std::ssize(experiment.study.seeds));
    case Time: {
        const double seconds = m_seconds.value(QString::fromStdString(preset.name), -1.0);
        if (seconds < 0.0)
            return unknown();
        return tr("about %1").arg(format::estimate(seconds));
    }
    default:
        return {};
    }
}

QVariant PresetList::data(const QModelIndex& index, int role) const {
    const Preset* preset = at(index);
    if (preset == nullptr)
        return {};
    if (role == Qt::EditRole && index.column() == Name)
        return QString::fromStdString(preset->name);
    if (role == Qt::DisplayRole)
        return text(*preset, index.column());
    if (role == Qt::ToolTipRole)
        return preset->experiment ? text(*preset, index.column()) : format::error(preset->experiment.error());
    return {};
}

QVariant PresetList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Model:
        return tr("Model");
    case Batch:
        return tr("Batch");
    case Runs:
        return tr("Runs");
    case Time:
        return tr("Training time");
    case Saved:
        return tr("Saved on");
    default:
        return {};
    }
}

Qt::ItemFlags PresetList::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    return index.column() == Name ? usual | Qt::ItemIsEditable : usual;
}

bool PresetList::setData(const QModelIndex& index, const QVariant& value, int role) {
    const Preset* preset = at(index);
    const QString name = value.toString().trimmed();
    if (preset == nullptr || role != Qt::EditRole || index.column() != Name || name.isEmpty() ||
        name.toStdString() == preset->name)
        return false;
    rename(*preset, name);
    return true;
}

} // namespace accumulus::ui
