// SPDX-License-Identifier: GPL-3.0-or-later
// Any part of an arena is read from a bundle as it was written, whatever order the file has, and with little memory.
#include "core/engine/memory_counter.h"
#include "core/train/bundle_tensors.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>
#include <QTest>

namespace test_bundle_tensors {
using namespace accumulus;

namespace {

// Convolutions that the arena stores channels last, between parameters of both kinds; gaps behind most of them.
ParameterLayout mixedLayout() {
    return ParameterLayout({{.name = "first", .shape = {7, 3}},
                            {.name = "conv", .shape = {6, 5, 3, 3}, .channelsLast = true},
                            {.name = "frozen", .shape = {5}, .trainable = false},
                            {.name = "small", .shape = {4, 2, 1, 1}, .channelsLast = true},
                            {.name = "last", .shape = {19}}});
}

/// Every element another number, gaps zero.
at::Tensor numbered(const ParameterLayout& layout, double scale = 1.0) {
    at::Tensor flat = layout.allocateGradient(at::kFloat);
    for (const ShardPiece& piece : piecesOf(layout, {0, layout.gradientSize()}))
        flat.narrow(0, piece.begin, piece.count)
            .copy_(at::arange(piece.begin + 1, piece.begin + piece.count + 1).mul(scale));
    return flat;
}

} // namespace

class TestBundleTensors : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    SafetensorsFile written(const TensorsToWrite& content) {
        const std::filesystem::path file = m_folder.path().toStdString() + "/bundle";
        if (!writeSafetensors(file, content))
            qFatal("not written");
        return SafetensorsFile::open(file).value();
    }

private Q_SLOTS:
    void initTestCase() { MemoryCounter::install(); }
    void cleanup() { MemoryCounter::setLimit(0); }

    void everyRangeIsRead_data() {
        QTest::addColumn<bool>("isRowMajor");
        QTest::addRow("row-major") << true;
        QTest::addRow("arena's order") << false;
    }
    void everyRangeIsRead() {
        QFETCH(const bool, isRowMajor);
        const ParameterLayout layout = mixedLayout();
        const at::Tensor flat = numbered(layout);
        TensorsToWrite content;
        content.add("moment", {flat.numel()}, isRowMajor ? layout.rowMajorPieces(flat) : std::vector{flat});
        const SafetensorsFile file = written(content);
        const BundleTensors tensors(file, layout, isRowMajor);
        for (std::int64_t begin = 0; begin <= flat.numel(); begin += 5)
            for (std::int64_t end = begin; end <= flat.numel(); end += 7) {
                at::Tensor part = at::full({end - begin}, -1.0F);
                QVERIFY(tensors.read("moment", {begin, end}, part));
                QVERIFY2(at::equal(part, flat.narrow(0, begin, end - begin)),
                         qPrintable(QString("%1 to %2").arg(begin).arg(end)));
            }
        if (isRowMajor) { // the convolution is stored otherwise, so the order is seen
            at::Tensor all = at::empty_like(flat);
            QVERIFY(BundleTensors(file, layout, false).read("moment", {0, flat.numel()}, all));
            QVERIFY(!at::equal(all, flat));
        }
    }

    // Powers of two, whose sums are exact.
    void partsOfRanksAreAdded() {
        const ParameterLayout layout = mixedLayout();
        TensorsToWrite content;
        const std::vector<double> scales{1.0, 2.0, 8.0};
        for (std::size_t rank = 0; rank < scales.size(); ++rank)
            content.add(accumulatorName(rank), {layout.gradientSize()},
                        layout.rowMajorPieces(numbered(layout, scales[rank])));
        const SafetensorsFile file = written(content);
        const BundleTensors tensors(file, layout, true);
        QCOMPARE(tensors.accumulators(), scales.size());
        for (const FlatRange range : {FlatRange{0, layout.gradientSize()}, {16, 200}, {40, 41}, {200, 200}}) {
            at::Tensor part = at::empty({range.size()});
            QVERIFY(tensors.readAccumulator(std::nullopt, range, part));
            QVERIFY(at::equal(part, numbered(layout, 11.0).narrow(0, range.begin, range.size())));
            QVERIFY(tensors.readAccumulator(2, range, part));
            QVERIFY(at::equal(part, numbered(layout, 8.0).narrow(0, range.begin, range.size())));
        }
    }

    // Beside what is read: twice the largest parameter that is stored in another order.
    void littleMemoryIsTaken() {
        const ParameterLayout layout(
            {{.name = "large", .shape = {100000}}, {.name = "conv", .shape = {6, 5, 3, 3}, .channelsLast = true}});
        const at::Tensor flat = numbered(layout);
        TensorsToWrite content;
        for (std::size_t rank = 0; rank < 2; ++rank)
            content.add(accumulatorName(rank), {flat.numel()}, layout.rowMajorPieces(flat));
        const SafetensorsFile file = written(content);
        const BundleTensors tensors(file, layout, true);
        at::Tensor part = at::empty({1000});
        const std::int64_t begin = layout.offset(1) - 600;
        MemoryCounter::setLimit(MemoryCounter::current() + 4000 + 2 * 270 * 4);
        QVERIFY(tensors.readAccumulator(std::nullopt, {begin, begin + 600}, part.narrow(0, 0, 600)));
        QVERIFY(tensors.read(accumulatorName(1), {begin, begin + 700}, part.narrow(0, 0, 700)));
        QVERIFY(at::equal(part.narrow(0, 0, 700), flat.narrow(0, begin, 700)));
    }

    void whatDiffersIsRefused() {
        const ParameterLayout layout = mixedLayout();
        const at::Tensor flat = numbered(layout);
        TensorsToWrite content;
        content.add("moment", flat);
        content.add("shorter", flat.narrow(0, 0, 16));
        const SafetensorsFile file = written(content);
        const BundleTensors tensors(file, layout, true);
        for (const auto& [name, type] :
             {std::pair("absent", at::kFloat), std::pair("shorter", at::kFloat), std::pair("moment", at::kDouble)}) {
            const Status read = tensors.read(name, {0, 16}, at::empty({16}, type));
            QVERIFY(!read);
            QCOMPARE(read.error().code, std::string("checkpoint.mismatch"));
            QCOMPARE(read.error().argument("parameter"), std::string(name));
        }
    }
};

QTEST_APPLESS_MAIN(TestBundleTensors)
} // namespace test_bundle_tensors
#include "test_bundle_tensors.moc"
