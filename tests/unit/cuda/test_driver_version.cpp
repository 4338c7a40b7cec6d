// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever computes on a GPU knows its driver; whoever computes on the CPU has none.
#include "core/cuda/device.h"
#include "core/engine/device_choice.h"

#include <QRegularExpression>
#include <QTest>

namespace test_driver_version {
using namespace accumulus;

class TestDriverVersion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCpuHasNone() { QCOMPARE(chooseDevice("cpu")->driver, std::string("none")); }

    void aGpuHasTheOneItIsReachedBy() {
        const auto choice = chooseDevice("auto");
        QVERIFY(choice.has_value());
        if (gpu::count() == 0) {
            QCOMPARE(choice->driver, std::string("none"));
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        }
        static const QRegularExpression wanted(QStringLiteral("^(NVIDIA [0-9.]+, )?CUDA [1-9][0-9]*\\.[0-9]+$"));
        QVERIFY2(wanted.match(QString::fromStdString(choice->driver)).hasMatch(), choice->driver.c_str());
    }
};

QTEST_APPLESS_MAIN(TestDriverVersion)
} // namespace test_driver_version
#include "test_driver_version.moc"
