// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/gradient_window.h"

#include "core/ranks/packed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>

namespace accumulus {

GradientWindow::GradientWindow(const ParameterLayout& layout, std::unique_ptr<WindowSums> sums,
                               const Settings& settings)
    : m_layout(layout), m_sums(std::move(sums)), m_settings(settings), m_normaliser(settings.normalise),
      m_touched(layout.size(), false) {
    if (plantsWeights(settings.bug))
        m_planted.emplace(settings.bug);
}

void GradientWindow::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight) {
    m_sums->addParameter(parameter, gradient, weight, m_touched[parameter]);
    m_touched[parameter] = true;
}

bool GradientWindow::commit(const MicroGradient& micro) {
    if (m_settings.leaveOutNonfinite && !micro.finite) {
        m_sums->addNothing();
        if (m_leftOut++ == 0)
            m_firstLeftOut = m_firstPlace + micro.microStep;
        return false;
    }
    if (!(micro.units > 0.0))
        m_sums->addNothing();
    if (micro.units > 0.0) {
        const at::NoGradGuard noGrad;
        double weight = m_normaliser.commitWeight(micro.units);
        if (m_settings.bug == PlantedBug::ClipEachMicroBatch) {
            double squared = 0.0;
            for (const at::Tensor& gradient : micro.gradients)
                if (gradient.defined())
                    squared += gradient.to(at::kDouble).square().sum().item<double>();
            const double norm = std::sqrt(squared) / micro.units;
            weight *= norm > m_settings.clipNorm ? m_settings.clipNorm / norm : 1.0;
        }
        if (m_settings.bug != PlantedBug::NotUnscaled)
            weight /= micro.scale;
        std::vector<at::Tensor> zeros;
        if (m_settings.bug == PlantedBug::StepUntouched) {
            zeros = micro.gradients;
            for (std::size_t i = 0; i < zeros.size(); ++i)
                if (!zeros[i].defined() && m_layout.specs()[i].trainable)
                    zeros[i] = at::zeros(m_layout.specs()[i].shape, gradient().options());
        }
        const std::vector<at::Tensor>& gradients = zeros.empty() ? micro.gradients : zeros;
        m_sums->add(gradients, weight, m_touched);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            m_touched[i] = m_touched[i] || gradients[i].defined();
        m_sums->endMicroStep(micro.lossSum, micro.lossOnDevice);
        if (m_planted)
            m_planted->keep(micro);
        m_pieces.push_back({micro.units, micro.scale, m_firstPlace + micro.microStep});
        m_units += micro.units;
        const bool overflowed = !micro.finite && std::isfinite(micro.lossSum); // at every scale: it needed none of them
        if (!overflowed)
            m_smallestScale = m_smallestScale == 0.0 ? micro.scale : std::min(m_smallestScale, micro.scale);
        m_openMicroStep = true;
    }
    if (m_openMicroStep && !micro.continues) {
        ++m_microSteps;
        m_openMicroStep = false;
    }
    return true;
}

void GradientWindow::countMicroStep(const std::vector<bool>& touched, double units, double scale,
                                    std::int64_t microStep) {
    for (std::size_t i = 0; i < touched.size(); ++i)
        m_touched[i] = m_touched[i] || touched[i];
    m_pieces.push_back({units, scale, m_firstPlace + microStep});
    m_units += units;
    ++m_microSteps;
    m_smallestScale = m_smallestScale == 0.0 ? scale : std::min(m_smallestScale, scale);
}

void GradientWindow::fetchPieces(const WindowSums::Values& values) {
    std::size_t k = 0;
    for (auto piece = m_pieces.begin() + m_settled; piece != m_pieces.end(); ++piece, ++k) {
        piece->squaredNorm = values.squaredNorms[k] / (piece->scale * piece->scale);
        piece->lossSum = values.losses[k];
    }
}

void GradientWindow::merge(Communicator& ranks) {
    fetchPieces(m_sums->values(openPieces()));
    m_sums->settle();
    Packed own;
    own.put(m_pieces).put(m_touched).put(m_microSteps).put(m_leftOut).put(m_firstLeftOut);
    own.put(m_smallestScale);
    m_unitsHere = m_units;
    m_touchedHere = m_touched;
    m_pieces.clear();
    m_units = 0.0;
    m_microSteps = m_leftOut = 0;
    m_firstLeftOut = -1;
    m_smallestScale = 0.0;
    m_ranks = ranks.size();
    for (const std::string& message : ranks.gather(own.bytes())) {
        Unpacked of(message);
        for (const Piece& piece : of.getList<Piece>())
            m_pieces.push_back(piece);
        const auto touched = of.getList<bool>();
        for (std::size_t i = 0; i < m_touched.size(); ++i)
            m_touched[i] = m_touched[i] || touched[i];
        m_microSteps += of.get<std::int64_t>();
        const auto leftOut = of.get<std::int64_t>();
        const auto place = of.get<std::int64_t>(); // -1 of one that is not known comes before all others
        if (leftOut > 0)
            m_firstLeftOut = m_leftOut > 0 ? std::min(m_firstLeftOut, place) : place;
        m_leftOut += leftOut;
        if (const auto scale = of.get<double>(); scale != 0.0)
            m_smallestScale = m_smallestScale == 0.0 ? scale : std::min(m_smallestScale, scale);
    }
    std::ranges::stable_sort(m_pieces, {}, &Piece::place); // parts of a micro-step stay in their order
    for (const Piece& piece : m_pieces)
        m_units += piece.units; // in that order: not every sum of real numbers is exact
    m_settled = pieces();
    m_merged = true;
}

void GradientWindow::goOn(bool owner, std::int64_t done) {
    m_merged = false;
    const std::int64_t next = m_firstPlace + done; // bundles of before may hold later places than that
    if (done == 0 || std::ranges::any_of(m_pieces, [next](const Piece& piece) { return piece.place >= next; }))
        beginPlan();
    fetchPieces(m_sums->values(openPieces())); // what a bundle has brought
    m_sums->settle();
    if (!owner) {
        m_pieces.clear();
        m_units = 0.0;
        m_microSteps = m_leftOut = 0;
        m_firstLeftOut = -1;
        m_smallestScale = 0.0;
    }
    m_settled = pieces();
    m_touched = m_touchedHere;
}

void GradientWindow::beginPlan() {
    m_firstPlace = m_leftOut > 0 ? m_firstLeftOut + 1 : 0; // what was left out has no number in the new plan either
    for (const Piece& piece : m_pieces)
        m_firstPlace = std::max(m_firstPlace, piece.place + 1);
}

double GradientWindow::divisor() const {
    switch (m_settings.bug) {
    case PlantedBug::NotDivided:
    case PlantedBug::ClipRawSum:
        return 1.0;
    case PlantedBug::DividedTwice:
        return m_normaliser.divisor(m_units, m_microSteps, m_nominalSteps) * static_cast<double>(m_microSteps);
    case PlantedBug::NominalDivisor:
        return static_cast<double>(m_nominalUnits);
    case PlantedBug::RanksMeanOfMeans:
        return m_ranks;
    case PlantedBug::RanksLocalUnits:
        return m_unitsHere;
    default:
        return m_normaliser.divisor(m_units, m_microSteps, m_nominalSteps);
    }
}

double GradientWindow::closingFactor() const {
    return m_units > 0.0 && m_settings.bug != PlantedBug::RanksClipAlone ? 1.0 / divisor() : 1.0;
}

double GradientWindow::closingClip() const {
    const bool elsewhere = m_settings.bug == PlantedBug::ClipEachMicroBatch ||
                           m_settings.bug == PlantedBug::ClipThenDivide || m_settings.bug == PlantedBug::RanksClipAlone;
    return elsewhere ? 0.0 : m_settings.clipNorm;
}

WindowGradient GradientWindow::close() {
    if (m_units > 0.0) {
        if (m_planted) {
            fetchPieces(m_sums->values(openPieces()));
            m_settled = pieces();
            m_sums->clear();
            std::fill(m_touched.begin(), m_touched.end(), false);
            m_planted->addTo(*m_sums, m_touched, divisor());
        }
        if (m_unitsHere > 0.0 && m_settings.bug == PlantedBug::RanksMeanOfMeans)
            m_sums->closeAlone(m_touchedHere, 1.0 / m_unitsHere, 0.0);
        if (m_unitsHere > 0.0 && m_settings.bug == PlantedBug::RanksClipAlone)
            m_sums->closeAlone(m_touchedHere, 1.0 / divisor(), m_settings.clipNorm);
        m_sums->reduce(m_merged ? m_touchedHere : m_touched, m_touched);
        if (m_settings.bug == PlantedBug::ClipThenDivide)
            m_sums->close(m_touched, 1.0, m_settings.clipNorm);
        m_sums->close(m_touched, closingFactor(), closingClip());
    }
    return closed();
}

WindowGradient GradientWindow::closed() {
    WindowGradient result;
    result.units = m_units;
    result.microSteps = m_microSteps;
    result.leftOut = m_leftOut;
    if (m_firstLeftOut >= 0)
        result.firstLeftOut = inPlan(m_firstLeftOut);
    if (!(m_units > 0.0))
        return result;
    const WindowSums::Values values = m_sums->values(openPieces());
    fetchPieces(values);
    double lossSum = 0.0;
    for (const Piece& piece : m_pieces)
        lossSum += piece.lossSum;
    findNonfinite(result);
    result.loss = lossSum / m_units;
    if (m_settings.bug == PlantedBug::LossOfLastMicroBatch)
        result.loss = m_pieces.back().lossSum / m_pieces.back().units;
    result.norm = std::sqrt(values.squaredNorm);
    result.finite = result.finite && std::isfinite(result.norm);
    result.clipped = closingClip() > 0.0 && result.norm > closingClip();
    estimateNoise(values.squaredNorm, result);
    return result;
}

/// Parts of a micro-step count as one.
void GradientWindow::findNonfinite(WindowGradient& result) const {
    std::int64_t number = -1;
    for (std::size_t k = 0; k < m_pieces.size(); ++k) {
        const Piece& piece = m_pieces[k];
        if (k == 0 || piece.place != m_pieces[k - 1].place)
            ++number;
        if (std::isfinite(piece.lossSum) && std::isfinite(piece.squaredNorm))
            continue;
        result.finite = false;
        result.firstNonfinite = number;
        result.nonfinitePlace = inPlan(piece.place);
        return;
    }
}

std::optional<double> GradientWindow::meanLoss() {
    if (!(m_units > 0.0))
        return std::nullopt;
    fetchPieces(m_sums->values(openPieces()));
    double sum = 0.0;
    for (const Piece& piece : m_pieces)
        sum += piece.lossSum;
    return sum / m_units;
}

std::optional<GradientWindow::Nonfinite> GradientWindow::nonfiniteSince(std::int64_t first) {
    fetchPieces(m_sums->values(openPieces()));
    std::optional<Nonfinite> found;
    for (auto piece = m_pieces.begin() + first; piece != m_pieces.end(); ++piece) {
        if (!std::isfinite(piece->lossSum))
            return Nonfinite::Loss;
        if (!std::isfinite(piece->squaredNorm))
            found = Nonfinite::Gradient;
    }
    return found;
}

void GradientWindow::estimateNoise(double squaredNorm, WindowGradient& result) const {
    if (m_pieces.size() < 2 || !result.finite || !m_normaliser.isMean())
        return;
    const double total = m_units;
    const auto steps = static_cast<double>(m_pieces.size());
    double a = 0.0; // A = sum (n_k / N) |g_k|^2 with g_k the mean gradient of micro-batch k
    for (const Piece& piece : m_pieces)
        a += piece.squaredNorm / piece.units /
             (m_settings.bug == PlantedBug::NoiseUnweighted ? steps * piece.units : total);
    result.noiseS = std::max(0.0, total * (a - squaredNorm) / (steps - 1.0));
    result.noiseG2 = (steps * squaredNorm - a) / (steps - 1.0);
}

void GradientWindow::clear() {
    if (m_planted)
        m_planted->clear();
    m_sums->clear();
    std::fill(m_touched.begin(), m_touched.end(), false);
    m_pieces.clear();
    m_settled = 0;
    m_firstPlace = 0;
    m_merged = false;
    m_units = 0.0;
    m_microSteps = 0;
    m_openMicroStep = false;
    m_leftOut = 0;
    m_firstLeftOut = -1;
    m_smallestScale = 0.0;
    m_overflowed = false;
}

GradientWindow::Saved GradientWindow::save() {
    Saved saved;
    saved.leftOut = m_leftOut;
    saved.firstLeftOut = m_firstLeftOut;
    saved.smallestScale = m_smallestScale;
    saved.overflowed = m_overflowed;
    saved.microSteps = m_microSteps;
    saved.touched = m_touched;
    if (!m_pieces.empty())
        fetchPieces(m_sums->values(openPieces()));
    // A rank that has counted its pieces as another one's still holds what they added; the other one, which may have
    // added nothing, has their norms and losses.
    if (!m_pieces.empty() || std::ranges::find(m_touched, true) != m_touched.end())
        saved.accumulator = m_sums->accumulator();
    for (const Piece& piece : m_pieces) {
        saved.units.push_back(piece.units);
        saved.squaredNorms.push_back(piece.squaredNorm);
        saved.lossSums.push_back(piece.lossSum);
        saved.places.push_back(piece.place);
    }
    saved.firstPlace = m_firstPlace;
    return saved;
}

void GradientWindow::restore(const Saved& saved, bool merged) {
    clear();
    for (const double units : saved.units) {
        const std::int64_t place = saved.places.empty() ? pieces() : saved.places[m_pieces.size()];
        m_pieces.push_back({units, 1.0, place}); // norms were saved without their scale
        m_units += units;
    }
    m_firstPlace = saved.firstPlace;
    m_merged = merged;
    m_touched = m_touchedHere = saved.touched;
    m_microSteps = saved.microSteps;
    m_leftOut = saved.leftOut;
    m_firstLeftOut = saved.firstLeftOut;
    m_smallestScale = saved.smallestScale;
    m_overflowed = saved.overflowed;
    if (saved.accumulator.defined())
        m_sums->restore(saved.squaredNorms, saved.lossSums, saved.accumulator);
}

} // namespace accumulus
