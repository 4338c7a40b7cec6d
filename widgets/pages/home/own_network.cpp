// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/home/own_network.h"

#include "core/base/atomic_file.h"
#include "core/run/program.h"
#include "widgets/models/brought_files.h"
#include "widgets/style/controls.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QPainter>
#include <QPushButton>

namespace accumulus::ui {

namespace {

const QString moduleName = QStringLiteral("accumulus_export.py");

/// Code on a surface of its own, to be selected and copied.
class CodeBlock : public QLabel {
public:
    CodeBlock(const Theme& theme, const QString& code, QWidget* parent) : QLabel(code, parent), m_theme(theme) {
        setTextFormat(Qt::PlainText);
        setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        setWordWrap(true);
        setMargin(space::m);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        constexpr qreal radius = 6.0;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.colors().border);
        painter.setBrush(m_theme.colors().cardAlternate);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter.end();
        QLabel::paintEvent(event);
    }

private:
    const Theme& m_theme;
};

QPushButton* button(const QString& text, const char* name, QWidget* parent) {
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(false);
    return made;
}

} // namespace

QString exportLines() {
    return QStringLiteral("from accumulus_export import export, load_weights\n"
                          "export(net, train_set, \"my-experiment\", test_set=test_set, loss=\"cross-entropy\")\n"
                          "# afterwards: load_weights(net, \"weights.safetensors\")\n");
}

Status saveExportModule(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto content, readFile(resourceFolder("python") / moduleName.toStdString()));
    return writeFileAtomically(file, content);
}

OwnNetwork::OwnNetwork(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_told(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::fieldGap);
    column->addWidget(new RoleLabel(
        theme, TextRole::Body,
        tr("Save accumulus_export.py beside your PyTorch script, add these lines where the network and the data are "
           "ready, and run it. It writes a folder with the network, the samples and an experiment: drop it here or on "
           "Set up, or choose the experiment.toml in it. A TorchScript module, weights or data that you already have "
           "can be dropped as well."),
        this));
    column->addWidget(codeBlock());
    column->addLayout(buttons());
    m_told->setObjectName(QStringLiteral("ownNetworkTold"));
    m_told->hide();
    column->addWidget(m_told);
}

QLabel* OwnNetwork::codeBlock() {
    auto* code = new CodeBlock(m_theme, exportLines().trimmed(), this);
    code->setObjectName(QStringLiteral("ownNetworkLines"));
    code->setAccessibleName(tr("Lines for Python"));
    return code;
}

QLayout* OwnNetwork::buttons() {
    auto* row = new FlowLayout(space::s);
    auto* choose = button(tr("Choose files…"), "ownNetworkChoose", this);
    auto* copy = button(tr("Copy"), "ownNetworkCopy", this);
    auto* save = button(tr("Save accumulus_export.py…"), "ownNetworkSave", this);
    copy->setAccessibleName(tr("Copy the lines for Python"));
    choose->setToolTip(tr("A network, weights, data, or the experiment.toml in the folder that export() has written"));
    for (QPushButton* one : {copy, save, choose})
        row->addWidget(one);
    connect(copy, &QPushButton::clicked, this, &OwnNetwork::copyLines);
    connect(save, &QPushButton::clicked, this, &OwnNetwork::saveModule);
    connect(choose, &QPushButton::clicked, this, &OwnNetwork::chooseFiles);
    return row;
}

void OwnNetwork::tell(const QString& text) {
    m_told->setText(text);
    m_told->show();
}

void OwnNetwork::copyLines() {
    QApplication::clipboard()->setText(exportLines());
    tell(tr("Copied."));
}

void OwnNetwork::saveModule() {
    const QString file =
        QFileDialog::getSaveFileName(window(), tr("Save accumulus_export.py"), moduleName, tr("Python files (*.py)"));
    if (file.isEmpty())
        return;
    const Status status = saveExportModule(toPath(file));
    tell(status ? tr("Saved as %1.").arg(file) : format::error(status.error()));
}

void OwnNetwork::chooseFiles() {
    const QStringList files = QFileDialog::getOpenFileNames(window(), tr("Network, weights or data"));
    if (!files.isEmpty())
        Q_EMIT filesChosen(files);
}

} // namespace accumulus::ui
