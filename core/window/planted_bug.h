// SPDX-License-Identifier: GPL-3.0-or-later
// Bugs that the engine can be told to have, for the tests and lessons that must see them.
#pragma once

namespace accumulus {

/// Faults that the engine can be told to make: each is a real mistake seen in frameworks or tutorials
/// (tests/README.md's traps). Tests plant them to show that an oracle catches them; lessons use them to show what they
/// do. Mean of means, sum of means and the leaking tail are settings (loss.normalise, batch.tail).
enum class PlantedBug {
    None,
    NotDivided,               ///< T2: the sum goes to the optimizer
    DividedTwice,             ///< T2: divided by N and by K again
    NominalDivisor,           ///< T3: a short window is divided by the nominal B
    RestLeftOut,              ///< T12: the short last micro-batch of a window is not computed
    BoundaryOffByOne,         ///< T5: the window closes one micro-step early
    ClipEachMicroBatch,       ///< T6: each micro-gradient is clipped
    ClipRawSum,               ///< T6: the undivided sum is clipped and applied
    ClipThenDivide,           ///< T6: the sum is clipped, then divided
    NewBatchOldSteps,         ///< T15: a new B of a ramp takes effect before its accumulation steps follow, so a window
                              ///< does not hold B
    ScheduleCountsMicroSteps, ///< T16: the schedule's length counts micro-steps
    LossOfLastMicroBatch,     ///< T17: the reported loss is the last micro-batch's
    EvaluationLeavesGradient, ///< T19: an evaluation inside a window adds to its gradient
    StepUntouched,            ///< T22: parameters without a gradient are treated as having a zero gradient
    NotUnscaled,              ///< T7: micro-gradients are added with their loss scale
    DrawsByCallOrder,         ///< T10: dropout and augmentation draw from a stream in the order of the calls
    RetryCommitsTwice,        ///< T11: what was added before a fault is not taken back
    ProbesTooEarly,           ///< T13: a size counts as proven after the first micro-batch
    ResumeForgetsWindow,      ///< T18: a bundle saved in mid-window does not hold the accumulator
    AutocastCacheKept,        ///< T25: weights cast to 16 bits are used again after an update
    NoiseUnweighted,          ///< T20: micro-batches of any size count alike in the noise scale
    RanksMeanOfMeans,         ///< T24: each rank divides by its own N, then the ranks' means are averaged
    RanksLocalUnits,          ///< T24: each rank divides the sum over ranks by its own N
    RanksClipAlone,           ///< T24: each rank clips its own gradient before the ranks' are added
    LastMicroBatchLost,       ///< the update is made before the last micro-batch is added
    OnlyLastKept,             ///< each micro-gradient takes the place of the sum
    GeometricWeights,         ///< the sum is doubled at each micro-step
    RanksAveragedAlone,       ///< two ranks, of which each divides by its own units, on one
    GradientsNotCleared,      ///< a window begins with the gradient of the one before
    ReducesEachMicroStep,     ///< T24: gradients of ranks meet in every micro-step (no_sync forgotten)
};

} // namespace accumulus
