// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings, first part: data, model, batch, loss.
#include "core/config/field_rows.h"

namespace accumulus {

namespace {

std::vector<FieldRow> dataSection() {
    using R = RunConfig;
    using D = DataConfig;
    return {
        FieldRow("data.dataset", &R::data, &D::dataset)
            .choicesOf(datasetRows, "The sets that the program draws are handy for trying things out.")
            .help("Data set to train and test on."),
        FieldRow("data.path", &R::data, &D::path)
            .path()
            .ofDataset()
            .help(
                "Folder or file of the data set; empty for the bundled copy.",
                "Sets of images: the files may lie in the folder itself or in train/ and test/ below it, plain or "
                "gzipped. Text: a .txt file, a .bin file of tokens, or a folder with train.bin and val.bin. A table: "
                "a CSV or TSV file. The numbers of samples found are shown before training starts. Like all paths: in "
                "an "
                "experiment file a relative one starts at the folder of that file, elsewhere at the working directory; "
                "where another machine trains (--on HOST), at the home folder there."),
        FieldRow("data.test_path", &R::data, &D::testPath)
            .path()
            .ofDataset()
            .help("File with the test samples; empty where data.path holds them too.",
                  "The same kind of file as data.path. Without test samples in either file, the validation samples "
                  "(data.validation) take their place; for a text, its last tenth does."),
        FieldRow("data.target", &R::data, &D::target)
            .ofDataset()
            .help("Column of a table that the model predicts.",
                  "Its name in the header line; all other columns are inputs. A column of words holds classes, in "
                  "alphabetical order. Whole numbers from 0 to 9999 are classes with cross-entropy and numbers "
                  "with mse, l1 and huber; other numbers need one of these three. bce-with-logits takes 0 and 1, or "
                  "two words. Targets are not standardised, so errors are in the unit of the column."),
        FieldRow("data.mean", &R::data, &D::mean)
            .atLeast(-1e12)
            .atMost(1e12)
            .ofDataset()
            .help("Subtracted from the inputs: one number, or one for each channel; empty for nothing.",
                  "A channel is an index of the first dimension of a sample. The inputs are used as the file has them "
                  "unless this or data.deviation is given: (x - mean) / deviation."),
        FieldRow("data.deviation", &R::data, &D::deviation)
            .above(0)
            .atMost(1e12)
            .ofDataset()
            .help("Divisor of the inputs: one number, or one for each channel; empty for 1.",
                  "The standard deviation of the training inputs brings them to a common scale. Pixels of 0 to 255 "
                  "become 0 to 1 with 255."),
        FieldRow("data.train_limit", &R::data, &D::trainLimit)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .help(
                "Train on the first N samples only; 0 for all.",
                "The first N samples of the training file, counted before the validation samples are taken from their "
                "end. A small limit makes an experiment quick; it also lowers the test accuracy, for both arms alike."),
        FieldRow("data.test_limit", &R::data, &D::testLimit)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .help("Test on the first N samples only; 0 for all.",
                  "The standard error of an accuracy p measured on n samples is sqrt(p (1 - p) / n): about 0.12 points "
                  "at 98.5 % on 10000 samples, 0.38 points on 1000. Limit the test set only where that is precise "
                  "enough."),
        FieldRow("data.validation", &R::data, &D::validation)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .help("Samples held out from the end of the training set for validation; 0 for none.",
                  "With validation samples, the best checkpoint is chosen on them and the test set serves for "
                  "reporting only. Without them there is nothing to choose on: no best checkpoint is kept, and the "
                  "best test accuracy is an optimistic figure."),
        FieldRow("data.resize", &R::data, &D::resize)
            .unit("pixels")
            .zeroOrAtLeast(8)
            .atMost(256)
            .ofDataset()
            .help("Side length to which images are resized when loaded; 0 keeps their size.",
                  "Bilinear, done once, stored as 8-bit pixels. Of an image that is not square the middle square is "
                  "taken. LeNet-5 was published for 32 x 32 pixels; for 28 x 28 its first convolution is padded by 2, "
                  "which gives the same 28 x 28 feature maps."),
        FieldRow("data.shuffle", &R::data, &D::shuffle)
            .help("Draw the samples of each epoch in a new random order.",
                  "The order is a permutation keyed by seed and epoch. It does not depend on the micro-batch, so every "
                  "split of a window, and the large batch as well, trains on the same samples. Off: every epoch "
                  "follows the order of the file."),
        FieldRow("data.drop_last", &R::data, &D::dropLast)
            .help("Leave out the short last micro-batch of an epoch.",
                  "If the number of samples is not a multiple of the micro-batch, the remainder of the epoch is not "
                  "used. The other micro-batches of the last window stay. The partner of a pair leaves out the same "
                  "samples."),
        FieldRow("data.drop_multiple", &R::data, &D::dropMultiple)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .freeInPair()
            .onlyIf({"data.drop_last"}, [](const RunConfig& run) { return run.data.dropLast; })
            .help("With data.drop_last, an epoch uses a multiple of this many samples; 0: of the micro-batch.",
                  "A study sets it to the partner's micro-batch in the large-batch arm, so that both arms leave out "
                  "the same samples."),
        FieldRow("data.augment", &R::data, &D::augment)
            .choices({"none", "crop-flip"})
            .ofDataset()
            .help("Random changes made to each training image.",
                  "crop-flip: shifts by up to 4 pixels in each direction with black borders, and mirrors half of the "
                  "images. Keyed by seed, epoch and sample, not by the order of calls, so every split of a window sees "
                  "the same images."),
        FieldRow("data.block", &R::data, &D::block)
            .unit("tokens")
            .atLeast(2)
            .atMost(4096)
            .ofDataset()
            .help("Context length: tokens in one sample of text.",
                  "The text is cut into pieces of this length. In char-gpt every token carries loss, in bert-mini only "
                  "the masked ones."),
        FieldRow("data.vocabulary", &R::data, &D::vocabulary)
            .unit("tokens")
            .zeroOrAtLeast(2)
            .atMost(4294967295.0)
            .ofDataset()
            .help("Number of different tokens of a text or token file; 0 for as many as are found.",
                  "Found means the largest token in the files plus one, or the number of different characters in a "
                  "text. To start from existing weights, use the vocabulary that they were trained with. Tokens have "
                  "16 bits, or 32 if this is above 65536 or the file looks like it."),
    };
}

std::vector<FieldRow> modelSection() {
    using R = RunConfig;
    using M = ModelConfig;
    return {
        FieldRow("model.name", &R::model, &M::name)
            .choicesOf(modelRows, "The BatchNorm layers of residual networks mix the samples of a micro-batch, so "
                                  "accumulation does not equal the large batch unless model.norm = group or the "
                                  "statistics are frozen. In the others no layer mixes the samples of a batch, so "
                                  "accumulation is exact.")
            .help("Network to train."),
        FieldRow("model.path", &R::model, &M::path)
            .path()
            .ofModel()
            .help(
                "File of the network: a TorchScript module.",
                "Made in Python by torch.jit.script(net).save(\"net.pt\"), by accumulus_export, or, for a network "
                "without dropout and BatchNorm, by torch.jit.trace(net.eval(), example). It holds the network and its "
                "weights. What goes in and what comes out is found by trying it on the data."),
        FieldRow("model.weights", &R::model, &M::weights)
            .path()
            .help("File of initial weights; empty to draw them.",
                  "safetensors, or a state dict that torch.save has written (.pt, .pth). Names are those of Python; a "
                  "prefix that all of them have in common, such as \"module.\", is left out. Nothing is loaded unless "
                  "every parameter is found in its shape."),
        FieldRow("model.new_head", &R::model, &M::newHead)
            .onlyIf({"model.weights"}, [](const R& run) { return !run.model.weights.empty(); })
            .help("Draw a new last layer if model.weights has it in another size.",
                  "For weights that were trained for other classes. Only parameters whose shape differs, or that the "
                  "file lacks, are drawn; their names are shown before training. A network from a file keeps its own "
                  "values there."),
        FieldRow("model.freeze", &R::model, &M::freeze)
            .help("Parameters that are not trained: patterns of their names; empty for none.",
                  "* stands for any characters and ? for one, as in [\"conv1.*\", \"layer1.*\"]. Frozen parameters "
                  "keep their bits, take no part in weight decay and need no memory for gradients. The running "
                  "statistics of BatchNorm layers move all the same, as in PyTorch, unless numerics.batch_norm = "
                  "frozen. How many are frozen is shown before training."),
        FieldRow("model.init", &R::model, &M::init)
            .choices({"default", "normal"})
            .ofModel()
            .help("How the initial weights are drawn.",
                  "default: as is usual for the model: uniform within 1 / sqrt(fan-in) in lenet5 and mlp, normal in "
                  "the convolutions of ResNets and in transformers. normal: Normal(0, model.init_std) with "
                  "zero biases, as in some tutorials; very small weights delay the start of learning. Both arms of a "
                  "pair start from the same weights. A network from a file starts from its own."),
        FieldRow("model.init_std", &R::model, &M::initStd)
            .above(0)
            .atMost(10)
            .onlyIf({"model.name", "model.init"},
                    [](const R& run) { return hasSetting(run.model, "model.init") && run.model.init == "normal"; })
            .help("Standard deviation of the initial weights.",
                  "Used with model.init = \"normal\". Tutorials often use 0.02 or 0.01; a variance of 2 / fan-in "
                  "preserves the scale of activations through ReLU layers."),
        FieldRow("model.stem", &R::model, &M::stem)
            .choices({"imagenet", "cifar"})
            .ofModel()
            .help("First layers of a ResNet.",
                  "imagenet: a 7x7 convolution with stride 2 and max-pooling, for large images. cifar: one 3x3 "
                  "convolution without pooling, clearly better for 32x32 images."),
        FieldRow("model.norm", &R::model, &M::norm)
            .choices({"batch", "group"})
            .ofModel()
            .help("Normalisation layers of a ResNet.",
                  "batch: BatchNorm, whose statistics depend on the micro-batch, so accumulation differs from the "
                  "large batch. group: GroupNorm with 32 groups (fewer where a layer has fewer channels), which sees "
                  "one sample at a time, so accumulation is exact."),
        FieldRow("model.layers", &R::model, &M::layers)
            .unit("layers")
            .atLeast(1)
            .atMost(96)
            .ofModel()
            .help("Number of transformer blocks.", "Each has attention and a feed-forward layer of 4 x width."),
        FieldRow("model.heads", &R::model, &M::heads)
            .unit("heads")
            .atLeast(1)
            .atMost(128)
            .ofModel()
            .help("Number of attention heads.", "The width must be a multiple of it."),
        FieldRow("model.width", &R::model, &M::width)
            .unit("channels")
            .atLeast(8)
            .atMost(16384)
            .ofModel()
            .help("Channels of a transformer.", "The number of parameters grows with its square."),
        FieldRow("model.hidden", &R::model, &M::hidden)
            .unit("outputs")
            .atLeast(1)
            .atMost(65536)
            .ofModel()
            .help("Outputs of each hidden layer of an MLP.",
                  "[512, 512]: two hidden layers. [] is one linear layer. ReLU follows each hidden layer."),
        FieldRow("model.dropout", &R::model, &M::dropout)
            .atLeast(0)
            .atMost(0.9)
            .ofModel()
            .help("Fraction of activations set to zero during training; 0 for none.",
                  "In lenet5 and mlp after each hidden fully connected layer, in ResNets before the last layer, in "
                  "transformers after embeddings, attention and feed-forward layers. The mask is keyed by seed, epoch, "
                  "sample and layer, so it is the same for every split of a window."),
    };
}

std::vector<FieldRow> batchSection() {
    using R = RunConfig;
    using B = BatchConfig;
    return {
        FieldRow("batch.effective", &R::batch, &B::effective)
            .unit("samples")
            .atLeast(0)
            .atMost(largestCount)
            .help("Samples per update: B = m x K x D; 0 derives it.",
                  "The batch size that the optimizer sees. It determines how training proceeds: as long as it stays "
                  "the same, splitting it into micro-batches changes memory and time but not the result, up to "
                  "rounding. 0: micro x steps x devices."),
        FieldRow("batch.micro", &R::batch, &B::micro)
            .unit("samples")
            .atLeast(1)
            .atMost(largestCount)
            .freeInPair()
            .help("Samples per micro-batch, m.",
                  "What passes through the network at once. Memory for activations grows with it; below a certain size "
                  "the fixed cost of each micro-step dominates. It must not change the result: that is what comparing "
                  "the arms tests."),
        FieldRow("batch.steps", &R::batch, &B::steps)
            .unit("micro-steps")
            .atLeast(0)
            .atMost(1e6)
            .freeInPair()
            .help("Accumulation steps per update, K; 0 derives them from the effective batch.",
                  "Micro-steps whose gradients are summed before the optimizer is called once. If the effective batch "
                  "is given too, the two must agree."),
        FieldRow("batch.devices", &R::batch, &B::devices)
            .unit("devices")
            .atLeast(1)
            .atMost(4096)
            .freeInPair()
            .help("Devices (ranks) that share a window, D.",
                  "Each computes every D-th micro-step of the window. The workbench starts that many processes on this "
                  "computer; `accumulus-cli run FILE --ranks 4` does the same. If this is 1, a run started by mpirun "
                  "on several ranks uses their number: `mpirun -n 4 accumulus-cli run FILE`. parallel.mode sets how "
                  "the ranks combine their gradients."),
        FieldRow("batch.ragged", &R::batch, &B::ragged)
            .choices({"refuse", "weight"})
            .freeInPair()
            .help("What to do when the effective batch is not a multiple of the micro-batch.",
                  "refuse: report it, with the nearest multiples. weight: the last micro-batch of a window is smaller "
                  "and is weighted by its number of samples, so B stays exactly as requested."),
        FieldRow("batch.tail", &R::batch, &B::tail)
            .choices({"apply", "drop", "carry", "leak"})
            .help(
                "What happens to the short last window of an epoch.",
                "apply: make an update from the samples it has, divided by their actual number. drop: its samples are "
                "left out. carry: the next epoch completes it, so every window has B samples. leak: a mistake from "
                "tutorials, kept for demonstration: the counter restarts but the accumulator is not cleared, so the "
                "next update holds these samples as well, and more than B. loss.normalise says what it is divided by."),
        FieldRow("batch.ramp", &R::batch, &B::ramp)
            .unit("samples")
            .atLeast(1)
            .atMost(largestCount)
            .help("Effective batch that changes during the run: [[update, effective], ...]; empty for none.",
                  "From each given update (counted from 1) the effective batch takes the value given with it; the "
                  "micro-batch stays and the accumulation steps follow. Changes take effect only between windows."),
        FieldRow("batch.lean", &R::batch, &B::lean)
            .freeInPair()
            .help("Accumulate in place: needs one less copy of the gradient.",
                  "Saves the memory of one gradient per lane and runs on one lane. In return, a fault in a micro-step "
                  "restarts the whole window."),
    };
}

std::vector<FieldRow> lossSection() {
    using R = RunConfig;
    using L = LossConfig;
    return {
        FieldRow("loss.kind", &R::loss, &L::kind)
            .choices({"cross-entropy", "mse", "l1", "huber", "bce-with-logits", "model"})
            .help("What is minimised.",
                  "cross-entropy: of classes and tokens; targets of -100 are ignored. mse, l1, huber: the squared, the "
                  "absolute and the Huber distance of numbers. bce-with-logits: yes or no for each output. model: the "
                  "network of a file returns its losses itself, one for each sample or token, or their sum and their "
                  "count. All are sums over loss units that are divided once, so accumulation stays exact."),
        FieldRow("loss.delta", &R::loss, &L::delta)
            .above(0)
            .atMost(1e9)
            .onlyIf({"loss.kind"}, [](const R& run) { return run.loss.kind == LossKind::Huber; })
            .help("Distance at which the Huber loss turns from a square into a line.",
                  "d^2 / 2 up to delta, delta (d - delta / 2) above it."),
        FieldRow("loss.class_weights", &R::loss, &L::classWeights)
            .atLeast(0)
            .atMost(1e9)
            .onlyIf({"loss.kind"}, [](const R& run) { return run.loss.kind == LossKind::CrossEntropy; })
            .help("Weight of each class in the cross entropy; empty for 1.",
                  "One number for each class. A window is divided by the sum of its samples' weights, as PyTorch "
                  "divides a batch, so every split gives rare classes their intended weight."),
        FieldRow("loss.normalise", &R::loss, &L::normalise)
            .choices({"samples", "tokens", "mean-of-means", "sum-of-means", "nominal-steps"})
            .help("What the summed gradient of a window is divided by.",
                  "samples, tokens: sums are accumulated and divided once by the actual number of loss units in the "
                  "window, which gives the gradient of the large batch for every split (an image counts as one unit "
                  "under both). mean-of-means: each micro-batch is averaged first; wrong when sizes differ. "
                  "sum-of-means: these averages are summed and not divided, so the learning rate acts K times as "
                  "strongly. nominal-steps: these averages are summed and divided by the planned K, also where a "
                  "window is short or holds what leaked into it. The last three show what tutorials do."),
        FieldRow("loss.label_smoothing", &R::loss, &L::labelSmoothing)
            .atLeast(0)
            .atMost(1)
            .onlyIf({"loss.kind"}, [](const R& run) { return run.loss.kind == LossKind::CrossEntropy; })
            .help("Fraction of the target spread evenly over all classes; 0 for none.",
                  "Cross entropy against (1 - s) on the correct class plus s / classes on every class. It is a "
                  "per-sample loss, so accumulation stays exact."),
    };
}

} // namespace

std::vector<FieldRow> dataRows() {
    std::vector<FieldRow> rows;
    for (auto&& section : {dataSection(), modelSection(), batchSection(), lossSection()})
        rows.insert(rows.end(), section.begin(), section.end());
    return rows;
}

} // namespace accumulus
