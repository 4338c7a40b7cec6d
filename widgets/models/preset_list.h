// SPDX-License-Identifier: GPL-3.0-or-later
// The presets of a folder as a table whose names can be edited. Reads and writes on a thread of its own, and lists anew
// after each change; how long a preset would take is asked of the library. GUI thread.
#pragma once

#include "core/config/preset_folder.h"
#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/look_ups.h"

#include <QAbstractTableModel>
#include <QHash>
#include <filesystem>
#include <functional>
#include <vector>

namespace accumulus::ui {

/// $XDG_DATA_HOME/accumulus/presets: beside the library that is opened when nobody names another one.
[[nodiscard]] std::filesystem::path presetFolder();

class PresetList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Model, Batch, Runs, Time, Saved, ColumnCount };

    PresetList(LibraryGateway& library, std::filesystem::path folder, QObject* parent = nullptr);

    void refresh();
    void save(const QString& name, const ExperimentConfig& experiment, bool overwrite);
    void rename(const Preset& preset, const QString& name);
    void remove(const Preset& preset);
    /// What was removed last; again for what was removed before. Where another preset has its place by now, it waits
    /// until that one is removed or renamed.
    void putBack();
    [[nodiscard]] QString lastRemoved() const; ///< the name; empty: nothing that can come back

    [[nodiscard]] const Preset* at(const QModelIndex& index) const; ///< null for an invalid one
    [[nodiscard]] int rowOf(const QString& name) const;             ///< -1: none
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void listed(); ///< the folder has been read
    void saved(const QString& name);
    void renamed(const QString& name);
    void removed(const QString& name);
    void broughtBack(const QString& name);
    /// Of a name that is taken ("preset.exists") the change that was asked for can be repeated.
    void failed(const accumulus::Error& error);

private:
    /// Runs `change`, then `done` here; lists anew in either case.
    void change(std::function<Status()> change, std::function<void()> done);
    void take(Result<std::vector<Preset>> presets);
    void askForTimes();
    [[nodiscard]] QString text(const Preset& preset, int column) const;

    LibraryGateway& m_library;
    std::filesystem::path m_folder;
    LookUps m_lookUps{LookUps::AtEnd::Keep}; ///< what is asked for is written even so
    std::vector<Preset> m_presets;
    QHash<QString, double> m_seconds; ///< by name; negative: not known
    struct Removed {
        QString name;
        std::filesystem::path file;
        std::string content;
        std::uint64_t number = 0; ///< several may have had one name
    };
    [[nodiscard]] std::optional<Removed> next() const; ///< that putBack() brings back
    std::vector<Removed> m_removed;                    ///< the newest last
    std::uint64_t m_removals = 0;
};

} // namespace accumulus::ui
