// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings, second part: optimizer, schedule, train, numerics, device, parallel.
#include "core/config/field_rows.h"

namespace accumulus {

namespace {

using R = RunConfig;

bool isSgd(const R& run) { return run.optimizer.name == OptimizerKind::Sgd; }
bool isAdam(const R& run) { return !isSgd(run); }
bool isStepSchedule(const R& run) { return run.schedule.kind == ScheduleKind::Step; }
bool decaysTowardsEnd(const R& run) {
    return run.schedule.kind == ScheduleKind::Linear || run.schedule.kind == ScheduleKind::Cosine;
}

bool usesBatchNorm(const R& run) { return mayHaveBatchNorm(run.model); }

std::vector<FieldRow> optimizerSection() {
    using O = OptimizerConfig;
    return {
        FieldRow("optimizer.name", &R::optimizer, &O::name)
            .choices({"sgd", "adam", "adamw"})
            .help("Optimizer, called once per window.",
                  "sgd: with momentum if set. adam: weight decay is added to the gradient. adamw: weight decay is "
                  "applied to the weights, separately from the moments. Momentum, moments and bias correction advance "
                  "once per update, never per micro-step."),
        FieldRow("optimizer.lr", &R::optimizer, &O::lr)
            .above(0)
            .atMost(1000)
            .help("Learning rate: the step size of one update.",
                  "It is tuned for one effective batch. When B grows by k, the usual rules are lr x k (small batches) "
                  "or lr x sqrt(k) (adaptive optimizers); splitting the same B into micro-batches needs no change."),
        FieldRow("optimizer.lr_batch", &R::optimizer, &O::lrBatch)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .freeInPair()
            .help("Effective batch that the learning rate was tuned for; 0: the batch of this run.",
                  "A note that is kept with the run: training uses optimizer.lr as it stands and reads neither this "
                  "setting nor optimizer.lr_rule. If the batch differs, the form and `run` offer rules for adapting "
                  "the learning rate."),
        FieldRow("optimizer.lr_rule", &R::optimizer, &O::lrRule)
            .choices({"keep", "linear", "square-root"})
            .freeInPair()
            .onlyIf({"optimizer.lr_batch"}, [](const R& run) { return run.optimizer.lrBatch > 0; })
            .help("How the learning rate came from optimizer.lr_batch to the batch of this run.",
                  "keep: it is that of optimizer.lr_batch. linear: it was multiplied by k, the ratio of the two "
                  "batches. square-root: by sqrt(k). A note that is kept with the run: optimizer.lr holds the result, "
                  "and nothing is multiplied again. Choosing a rule in the form changes the learning rate there."),
        FieldRow("optimizer.momentum", &R::optimizer, &O::momentum)
            .atLeast(0)
            .atMost(0.999999)
            .onlyIf({"optimizer.name"}, isSgd)
            .help("Momentum of sgd; 0 for none.",
                  "v <- momentum v + gradient; weights <- weights - lr v. Under a steady gradient the learning rate "
                  "acts 1 / (1 - momentum) times as strongly."),
        FieldRow("optimizer.nesterov", &R::optimizer, &O::nesterov)
            .onlyIf({"optimizer.name", "optimizer.momentum"},
                    [](const R& run) { return isSgd(run) && run.optimizer.momentum > 0.0; })
            .help("Nesterov's form of momentum.",
                  "Steps along gradient + momentum v instead of v. Takes effect with sgd and a momentum above 0."),
        FieldRow("optimizer.weight_decay", &R::optimizer, &O::weightDecay)
            .atLeast(0)
            .atMost(100)
            .help("Weight decay; 0 for none.", "sgd and adam add weight_decay x weights to the gradient of the window; "
                                               "adamw subtracts lr x weight_decay "
                                               "x weights from the weights. Once per update: applied per micro-step, "
                                               "it would act K times as strongly."),
        FieldRow("optimizer.beta1", &R::optimizer, &O::beta1)
            .atLeast(0)
            .atMost(0.999999)
            .onlyIf({"optimizer.name"}, isAdam)
            .help("Decay of Adam's first moment.", "Running mean of the gradient: m <- beta1 m + (1 - beta1) g."),
        FieldRow("optimizer.beta2", &R::optimizer, &O::beta2)
            .atLeast(0)
            .atMost(0.999999)
            .onlyIf({"optimizer.name"}, isAdam)
            .help("Decay of Adam's second moment.", "Running mean of the squared gradient: v <- beta2 v + (1 - beta2) "
                                                    "g^2. Larger batches make g less noisy and v smaller."),
        FieldRow("optimizer.eps", &R::optimizer, &O::eps)
            .above(0)
            .atMost(1)
            .onlyIf({"optimizer.name"}, isAdam)
            .help("Adam's guard against division by zero.",
                  "Added to the square root of the second moment. Adam hardly notices a constant factor in the "
                  "gradient; a large eps changes that."),
    };
}

std::vector<FieldRow> scheduleSection() {
    using S = ScheduleConfig;
    return {
        FieldRow("schedule.kind", &R::schedule, &S::kind)
            .choices({"constant", "linear", "cosine", "step"})
            .help("How the learning rate changes over the run.",
                  "Counted in applied updates, so both arms of a pair follow the same curve. linear and cosine fall to "
                  "schedule.final_lr_fraction by the end of the run; step multiplies by schedule.step_factor at fixed "
                  "intervals."),
        FieldRow("schedule.warmup", &R::schedule, &S::warmup)
            .atLeast(0)
            .atMost(largestExtent)
            .help("Length of the linear rise of the learning rate at the start; \"0 updates\" for none.",
                  "Without it, large effective batches with a scaled learning rate often diverge in the first updates. "
                  "Works with every schedule. In updates, samples or epochs."),
        FieldRow("schedule.step_every", &R::schedule, &S::stepEvery)
            .atLeast(1)
            .atMost(largestExtent)
            .onlyIf({"schedule.kind"}, isStepSchedule)
            .help("Interval between two decays of the step schedule.",
                  "In updates, samples or epochs, counted from the end of the warm-up."),
        FieldRow("schedule.step_factor", &R::schedule, &S::stepFactor)
            .above(0)
            .atMost(1)
            .onlyIf({"schedule.kind"}, isStepSchedule)
            .help("Factor of each decay of the step schedule.", "0.1 divides the learning rate by ten each time."),
        FieldRow("schedule.final_lr_fraction", &R::schedule, &S::finalLrFraction)
            .atLeast(0)
            .atMost(1)
            .onlyIf({"schedule.kind"}, decaysTowardsEnd)
            .help("Learning rate at the end of a linear or cosine schedule, as a fraction of lr.",
                  "0 decays to nothing, 1 keeps the learning rate constant."),
    };
}

std::vector<FieldRow> trainSection() {
    using T = TrainConfig;
    return {
        FieldRow("train.length", &R::train, &T::length)
            .atLeast(1)
            .atMost(largestExtent)
            .help("Length of the run: \"N epochs\", \"N updates\" or \"N samples\".",
                  "A single setting, so nothing can contradict it. Arms that are compared see the same samples and, "
                  "with the same effective batch, make the same number of updates. A run measured in samples ends with "
                  "the first update that reaches them."),
        FieldRow("train.clip_norm", &R::train, &T::clipNorm)
            .atLeast(0)
            .atMost(1e6)
            .help("Largest L2 norm of a window's gradient; 0 for no clipping.",
                  "Applied once per update, to the averaged gradient. Clipping each micro-batch, or the sum before it "
                  "is divided, is a different method and does not equal the large batch."),
    };
}

std::vector<FieldRow> numericsSection() {
    using N = NumericsConfig;
    return {
        FieldRow("numerics.precision", &R::numerics, &N::precision)
            .choices({"fp64", "fp32", "bf16", "fp16"})
            .help("Number format of activations and gradients.",
                  "fp32 is the usual choice. In fp64 the gradients of the two arms agree to about 1e-15 relative, "
                  "which separates rounding from a real difference; it takes roughly twice the time. bf16 and fp16 "
                  "keep the weights in fp32 and round activations and gradients to 16 bits (autocast), which takes "
                  "less memory. They are faster on GPUs. Processors with matrix instructions for them (AMX) gain in "
                  "large layers and may lose in small ones: measure both. fp16 needs a loss scale."),
        FieldRow("numerics.accumulator", &R::numerics, &N::accumulator)
            .choices({"auto", "fp32", "bf16"})
            .help("Number format in which the gradients of a window are summed.",
                  "auto: fp64 in fp64 runs, otherwise fp32. bf16 saves memory but stalls: with 8 bits a sum stops "
                  "growing once it is 256 times its terms. It is there for demonstration."),
        FieldRow("numerics.loss_scale", &R::numerics, &N::lossScale)
            .onlyIf({"numerics.precision"}, [](const R& run) { return run.numerics.precision == Precision::Fp16; })
            .help("Factor applied to the loss before the backward pass in fp16: \"dynamic\" or a number.",
                  "Keeps small gradients from vanishing in 16 bits. It is divided out while gradients are summed, "
                  "before clipping. dynamic: halved after an overflow, doubled after 2000 updates without one."),
        FieldRow("numerics.batch_norm", &R::numerics, &N::batchNorm)
            .choices({"micro", "pooled", "frozen"})
            .onlyIf({"model.name", "model.norm"}, usesBatchNorm)
            .help("How BatchNorm layers treat the micro-batches of a window.",
                  "Each micro-batch is normalised by its own statistics. micro: the running statistics move at each "
                  "micro-step, as in other frameworks, so K times per update. pooled: once per update, with the "
                  "statistics of the whole window. frozen: the running statistics normalise and do not change; "
                  "accumulation is then exact."),
        FieldRow("numerics.ghost", &R::numerics, &N::ghost)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .freeInPair()
            .onlyIf({"model.name", "model.norm", "numerics.batch_norm"}, usesBatchNorm)
            .help("BatchNorm group size within a micro-batch; 0: the whole micro-batch.",
                  "A large batch normalised in groups of m has the same gradient as accumulation with micro-batches of "
                  "m. study.ghost sets it for the large-batch arm."),
        FieldRow("numerics.channels_last", &R::numerics, &N::channelsLast)
            .choices({"auto", "on", "off"})
            .ofModel()
            .help("Memory layout of images in convolutions.",
                  "With channels last, convolutions in wide layers are about a quarter faster on CPUs. auto: wherever "
                  "it is faster, that is on CPUs, and in 16 bits on GPUs."),
        FieldRow("numerics.winograd", &R::numerics, &N::winograd)
            .ofModel()
            .help(
                "Compute 3x3 convolutions with fewer multiplications, where that is faster.",
                "Winograd's algorithm, with channels last on CPUs with AVX2, in fp32, and in 16 bits where the "
                "processor has no faster products in them; elsewhere the setting has no effect. The result is the same "
                "up to rounding; a layer's rounding error is up to three and a half times that of the plain sum. "
                "false: the plain sum over nine taps, as in other frameworks."),
        FieldRow("numerics.deterministic", &R::numerics, &N::deterministic)
            .help("Use only kernels that give the same bits every time.",
                  "On the CPU this costs nothing, and runs are identical to the bit for any number of lanes. On a GPU "
                  "some kernels are slower; when off, it tries several for each convolution and keeps the fastest."),
        FieldRow("numerics.nonfinite", &R::numerics, &N::nonfinite)
            .choices({"stop", "skip-update", "skip-micro"})
            .help("What to do when a loss or gradient is not finite.",
                  "stop: end the run with a checkpoint and report the update and micro-step. skip-update: leave the "
                  "weights and the optimizer untouched, record the window as skipped and continue. skip-micro: leave "
                  "out the micro-batch and divide by what remains."),
    };
}

std::vector<FieldRow> deviceSection() {
    using D = DeviceConfig;
    return {
        FieldRow("device.kind", &R::device, &D::kind)
            .choices(
                {"auto", "cpu", "cuda", "cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7"})
            .help("Where to compute.",
                  "auto takes the best device available, or the CPU if there is no usable GPU. cuda:N is GPU number N, "
                  "counted from 0. Several ranks on one machine each take their own GPU, starting from that number; if "
                  "there are too few, they share them. Run both arms of a pair on the same kind of device: kernels "
                  "differ in rounding."),
        FieldRow("device.lanes", &R::device, &D::lanes)
            .unit("lanes")
            .atLeast(0)
            .atMost(1024)
            .freeInPair()
            .help("Workers that compute micro-batches of one window in parallel; 0: automatic.",
                  "Their gradients are added in the order of the micro-batches, whichever finishes first, so the "
                  "result is the same to the bit for any number of lanes. For small models, lanes use the cores better "
                  "than threads within one operation. Automatic: the first run of a study measures how many, and the "
                  "library remembers it for studies of the same shape on this machine."),
        FieldRow("device.threads", &R::device, &D::threads)
            .unit("threads")
            .atLeast(0)
            .atMost(1024)
            .freeInPair()
            .help("Threads per lane; 0: automatic.", "Used within single operations such as a large convolution. lanes "
                                                     "x threads should not exceed the number of cores."),
        FieldRow("device.memory_limit", &R::device, &D::memoryLimit)
            .freeInPair()
            .help("Maximum memory for tensors, for example \"2 GiB\"; empty for no limit.",
                  "Counted over all lanes; on a GPU only its own memory counts. Exceeding it is treated like running "
                  "out of memory: see device.on_oom."),
        FieldRow("device.on_oom", &R::device, &D::onOom)
            .choices({"resplit", "stop"})
            .freeInPair()
            .help("What to do when memory runs out.",
                  "resplit: compute the micro-batch that did not fit in smaller parts; the effective batch stays the "
                  "same, and the run records it. stop: end the run with a checkpoint."),
        FieldRow("device.capture", &R::device, &D::capture)
            .choices({"auto", "on", "off"})
            .freeInPair()
            .onlyIf({"device.kind"}, [](const R& run) { return run.device.kind != "cpu"; })
            .help("CUDA graphs: record micro-step and update once, then replay them.",
                  "On a GPU, small models spend their time waiting for kernels to be launched one by one. Two graphs "
                  "avoid that: one holds a whole micro-step (data, forward, backward, accumulation), the other the end "
                  "of a window (division, clipping, optimizer). They are replayed for any number of accumulation "
                  "steps; each micro-batch size has its own, and a rare size (the short end of an epoch) gets it only "
                  "when it occurs again. auto: wherever possible, which excludes lean accumulation, skip-micro, pooled "
                  "BatchNorm, loss.kind = model, networks from a file that draw random numbers, ranks whose gradients "
                  "meet in every micro-step, and data that are not in the GPU's memory. on: end the run where it is "
                  "not possible. The CPU has no graphs."),
    };
}

bool usesRanks(const R& run) { return run.batch.devices > 1; }

std::vector<FieldRow> parallelSection() {
    using P = ParallelConfig;
    return {
        FieldRow("parallel.mode", &R::parallel, &P::mode)
            .choices({"ddp", "zero1", "zero2"})
            .freeInPair()
            .onlyIf({"batch.devices"}, usesRanks)
            .help("What is divided among several ranks.",
                  "ddp: every rank keeps everything; gradients are summed once per update. zero1: each rank keeps its "
                  "part of the optimizer state, updates its part of the weights and gets the others'. zero2: each rank "
                  "also keeps only its part of the accumulated gradient, so gradients travel in every micro-step. The "
                  "result is the same up to rounding; memory and traffic differ. The workbench and `accumulus-cli run "
                  "--ranks N` start the ranks; so do mpirun and srun."),
        FieldRow("parallel.order", &R::parallel, &P::order)
            .choices({"ranks", "micro-steps"})
            .freeInPair()
            .onlyIf({"batch.devices"}, usesRanks)
            .help("Order in which the gradients of several ranks are added.",
                  "ranks: each rank adds up its own micro-steps, then these sums are added in the order of the ranks: "
                  "the same bits every time, but other roundings for another number of ranks. micro-steps: in the "
                  "order of the micro-steps, as one rank does it: the same bits for any number of ranks, at the cost "
                  "of sending a gradient in every micro-step. On GPUs with zero1 or zero2, train.clip_norm may change "
                  "the last bit."),
    };
}

} // namespace

std::vector<FieldRow> trainingRows() {
    std::vector<FieldRow> rows;
    for (auto&& section :
         {optimizerSection(), scheduleSection(), trainSection(), numericsSection(), deviceSection(), parallelSection()})
        rows.insert(rows.end(), section.begin(), section.end());
    return rows;
}

} // namespace accumulus
