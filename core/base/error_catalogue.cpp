// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of what can go wrong: what happened, why, how to fix it. Sorted by layer; a code never changes once it
// is released. {name} and {@name} are explained in message.h; a reason or cure that is a code stands in
// message_catalogue_reasons.cpp.
#include "core/base/error.h"

namespace accumulus {

const std::vector<ErrorWords>& errorCatalogue() {
    using enum ErrorKind;
    // clang-format off
    static const std::vector<ErrorWords> catalogue = {
        // The first entry answers for every unknown code.
        {"internal.unknown", Internal, "Something unexpected went wrong.", "{@reason}.", "Please report this with the log."},
        {"internal.exception", Internal, "Unexpected failure in {place}.", "{@reason}.", "Please report this with the log."},

        // files
        {"file.open", Data, "{file} cannot be opened.", "{@reason}.", "Check the path and its permissions."},
        {"file.kind", Data, "{file} is {@what}.", "", "{@cure}."},
        {"file.two", Configuration, "{first} and {second} cannot both be used.", "One is {@what}, the other {@otherWhat}.", "Choose one of them. Where one holds the test samples, its name needs \"test\" in it."},
        {"file.alone", Configuration, "{file} cannot be opened together with other files.", "It is {@what}.", "Drop it alone."},
        {"file.write", Library, "{file} cannot be written.", "{@reason}.", "Free some disk space, or choose a folder you may write to."},

        // the window
        {"language.no-letters", Configuration, "Chinese cannot be shown: no installed font has its letters.", "Every letter would be an empty box.", "Install such a font (on Debian and Ubuntu: sudo apt install fonts-noto-cjk), start Accumulus again and choose Chinese in View > Language. Until then the window is in English."},

        // import
        {"import.kind", Data, "{file} cannot be imported.", "It is no library of Accumulus, no CSV or JSON as Accumulus exports it, and no event file of TensorBoard.", "Choose a library (.sqlite), an exported .csv or .json, or a file whose name holds tfevents."},
        {"import.too-large", Data, "{file} is too large to be imported.", "It has {#bytes} bytes; files of up to {#limit} bytes are read.", "Import the library that it was exported from."},
        {"import.csv", Data, "{file} is no CSV as Accumulus exports it: line {#line}.", "{@reason}.", "Export the run again. Nothing was changed."},
        {"import.json", Data, "{file} is no JSON as Accumulus exports it.", "{@reason}.", "Export the run again. Nothing was changed."},
        {"import.events", Data, "The event file {file} cannot be imported.", "{@reason}.", "Copy the file again once nothing writes it any more. Nothing was changed."},
        {"import.measured", Data, "{file} holds values that no training has: {@kind} {#row}.", "{@reason}.", "Export the run again. Nothing was changed."},
        {"import.no-batch", Configuration, "{file} does not say how many samples an update has seen.", "Only its steps are counted.", "Give the effective batch: --effective-batch N."},
        {"run.is-imported", Configuration, "Run {run} was imported.", "Its checkpoints stay where it was trained.", "Resume or verify it there, or repeat it with `New from run`."},

        // audits
        {"audit.format", Data, "What the library keeps of an audit cannot be read.", "{@reason}.", "Run the audit again."},
        {"cli.no-engine", Internal, "{file} cannot be started.", "{@reason}. It belongs to Accumulus and trains.", "Install Accumulus again."},
        {"cli.audit-checkpoint", Configuration, "An experiment file has initial weights only.", "", "Name a run in order to audit its best or last checkpoint."},
        {"audit.cancelled", Interrupted, "The audit was cancelled.", "", "Run it again: nothing of it was kept."},
        {"audit.micro-steps", Configuration, "An effective batch of {effective} cannot be cut into two micro-batches.", "An audit compares a large batch with the micro-batches that it is cut into.", "Set batch.effective to 2 or more."},
        {"audit.data", Configuration, "The training set of {samples} samples is too small for an audit of effective batch {effective}.", "", "Use a smaller effective batch, or more data."},
        {"audit.nonfinite", Training, "The gradient is not finite at these weights.", "The run has diverged, or the loss scale is too large.", "Audit another checkpoint, or the initial weights."},
        {"audit.fault", Configuration, "The fault \"{@fault}\" cannot be built in here.", "{@reason}.", "Choose another fault, or change that setting."},
        {"audit.unknown-fault", Configuration, "There is no fault {fault}.", "", "Choose one of: {faults}."},
        {"audit.files", Data, "{file} does not hold the gradients that an audit needs.", "{@reason}.", "See `accumulus-cli audit --help` for what the files hold."},

        // config
        {"config.file", Configuration, "The experiment file {file} cannot be read.", "{@reason}.", "Check the path."},
        {"config.syntax", Configuration, "{file} is not valid TOML at line {line}, column {column}.", "{@reason}.", "Correct that line."},
        {"config.not-toml", Configuration, "{file} is not an Accumulus experiment.", "It is not written in TOML, the form of experiments (line {line}, column {column}: {@reason}).", "Choose a file that was saved as an experiment."},
        {"config.foreign-settings", Configuration, "{file} is not an Accumulus experiment.", "It has none of an experiment's settings: {key} (line {line}) is not one.", "Choose a file that was saved as an experiment. Did you mean {nearest}?"},
        {"preset.name", Configuration, "This cannot be the name of a preset.", "{@reason}.", "Type another name."},
        {"preset.exists", Configuration, "A preset named {name} exists already.", "", "Overwrite it, or choose another name."},
        {"preset.write", Library, "Presets cannot be changed in {folder}.", "{@reason}.", "Get the right to write there, free some disk space, or save to a file elsewhere."},
        {"preset.folder", Library, "The presets in {folder} cannot be listed.", "{@reason}.", "Check the folder and its permissions."},
        {"config.unknown-key", Configuration, "There is no setting {key}{place}.", "", "Did you mean {nearest}? `accumulus-cli fields` lists every setting."},
        {"config.value", Configuration, "{key} = {value} is not allowed{place}: {@reason}.", "", "Allowed: {@allowed}."},
        {"config.refused", Configuration, "{what} is refused{place}: {@reason}.", "", "{@cure}."},
        {"config.assignment", Configuration, "--set {text} is not of the form key=value.", "", "Write, for example, --set batch.micro=16."},
        {"config.batch.multiple", Configuration, "Effective batch {effective} is not a multiple of micro-batch {micro}.", "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples.", "Use {upper} or {lower}, or set batch.ragged = \"weight\"."},
        {"config.batch.micro-exceeds", Configuration, "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples, more than the effective batch {effective}.", "", "Lower batch.micro, or set batch.effective = {perMicroStep}."},
        {"config.batch.ramp-multiple", Configuration, "Effective batch {effective}, which batch.ramp asks for from update {update} on, is not a multiple of micro-batch {micro}.", "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples.", "Use {upper} or {lower}, or set batch.ragged = \"weight\"."},
        {"config.batch.ramp-exceeds", Configuration, "One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples, more than the effective batch {effective} that batch.ramp asks for from update {update} on.", "", "Lower batch.micro, or use {perMicroStep} there."},
        {"config.batch.disagree", Configuration, "Micro-batch {micro} x {steps} accumulation steps x {devices} device(s) is {product}, not the effective batch {effective}.", "", "Set batch.steps = 0 to derive it ({derived}), or batch.effective = {product}."},
        {"config.batch.exceeds-data", Configuration, "Effective batch {effective} is larger than the training set ({samples}).", "", "Use at most {samples}."},
        {"config.warmup", Configuration, "A warm-up of {warmup} updates does not fit into this run, which makes {updates}.", "", "Use, for example, schedule.warmup = \"{suggested} updates\"."},
        {"config.memory", Device, "Needs about {needed} ({@source}), {@room}.", "Memory grows with the micro-batch, not with the effective batch.", "Use a smaller micro-batch; with more accumulation steps the effective batch stays the same."},
        {"config.json", Configuration, "The stored settings cannot be read.", "{@reason}.", "They were written by another version of the program, or the library file is damaged."},
        {"config.conflict", Configuration, "{key} = {value} cannot be combined with {@other}.", "{@reason}.", "{@cure}."},

        // export
        {"export.no-checkpoint", Library, "{run} has no {kind} checkpoint to export.", "The library holds no checkpoint of that kind for this run.", "Choose another checkpoint. Initial weights are kept with checkpoint.initial = true, the best ones with checkpoint.best = true and data.validation above 0; they are never chosen on the test set."},

        // command line
        {"cli.compare-what", Configuration, "It is not clear what to compare.", "Give one study, two to eight runs, or groups of runs with --a, --b and, for more of them, --c to --h.", "For example `accumulus-cli compare STUDY` or `accumulus-cli compare --a RUN RUN --b RUN RUN`."},
        {"cli.no-study", Library, "The library has no run or study {text}.", "", "`accumulus-cli list` shows what there is; the first 4 characters of an id are enough."},
        {"cli.ambiguous-study", Library, "Several studies begin with {text}.", "They are {candidates}.", "Give more characters of the id."},
        {"cli.one-arm", Library, "Study {study} cannot be compared.", "It has no completed {missing} run.", "Run it with study.large_batch = true, or name two groups with --a and --b."},
        {"cli.verify-disagrees", Library, "{checkpoint} does not reproduce the values recorded for it.", "The weights, the data or the program differ from those of the run.", "Compare this environment with the run's; `accumulus-cli report RUN --out report.html` shows it."},

        // gradient noise scale
        {"noise.no-terms", Library, "Run {run} has no estimate of the gradient noise scale.", "{@reason}.", "{@cure}."},
        {"noise.study-layers", Configuration, "{study} is a study of {runs} runs; --by-layer computes at the weights of one run.", "", "Name a run of it, for example `accumulus-cli noise {run} --by-layer`."},
        {"noise.checkpoint", Configuration, "There is no kind of checkpoint called {checkpoint}.", "", "Use initial, best or last."},
        {"noise.one-sample", Configuration, "An effective batch of one sample has no noise to measure.", "The noise is how much the gradients of the parts of one batch differ.", "Set batch.effective to 2 or more."},
        {"noise.not-finite", Training, "The gradients of run {run} at its {checkpoint} weights are not finite.", "", "Choose another checkpoint, or lower the learning rate and train again."},
        {"noise.cancelled", Interrupted, "The measurement was cancelled.", "", "Run it again: nothing of it was kept."},

        // compare
        {"compare.empty-group", Configuration, "Group {group} holds no run.", "A comparison needs runs on both sides.", "Choose at least one run for each group."},
        {"compare.metric", Configuration, "There is no metric {metric} to compare by.", "", "Use one of: {names}."},
        {"compare.margin", Configuration, "The equivalence margin cannot be {margin}.", "It is a distance from zero.", "Give a positive number in the unit of the metric, for example 0.005 for half a point of accuracy."},

        // reports page
        {"report.format", Configuration, "A report cannot be saved as {file}.", "The suffix of the name decides its format.", "Use a name that ends in .html or .md."},
        {"report.none", Configuration, "There is no report to save.", "Nothing is selected.", "Select a run or a comparison."},

        // room for data
        {"data.no-room", Device, "The data set {dataset} does not fit into memory.", "{@what}: loading it takes {needed}, and {available} are available.", "Set data.train_limit and data.test_limit, use a smaller data.resize or a shorter text, or close other programs."},

        // data
        {"data.missing", Data, "The data set {@name} was not found.", "There is no {file} (plain or .gz) in {folder}.", "Set data.path to the folder with its four IDX files: {@files}. Or use data.dataset = \"digits-generated\", which needs none."},
        {"data.idx.open", Data, "{file} cannot be opened.", "{@reason}.", "Check data.path."},
        {"data.idx.magic", Data, "{file} is not the expected IDX file (byte {offset}).", "{@reason}.", "Download the file again, or correct data.path."},
        {"data.idx.sizes", Data, "{file} has an impossible header (byte {offset}).", "{@reason}.", "Download the file again."},
        {"data.idx.short", Data, "{file} ends too early, at byte {offset}.", "{@reason}.", "Download the file again; the last download was probably cut off."},
        {"data.idx.trailing", Data, "{file} is longer than its header says (byte {offset}).", "{@reason}.", "Download the file again."},
        {"data.idx.disagree", Data, "The images and labels do not belong together.", "There are {imageCount} images in {images} but {labelCount} labels in {labels}.", "Use files of the same set."},
        {"data.idx.label", Data, "{file} has a label out of range at byte {offset}.", "The label is {label}; the largest class is {largest}.", "Use the labels of this data set, or download the file again."},
        {"data.too-small", Data, "The training set of {dataset} is too small.", "It has {samples} samples, and data.validation takes {validation} of them.", "Use fewer validation samples."},
        {"data.sizes-differ", Data, "The training and test images of {dataset} differ in size.", "They have {train} and {test} pixels.", "Use files of the same set, or set data.resize."},
        {"data.unknown", Configuration, "There is no data set {dataset}.", "", "`accumulus-cli fields` lists the data sets."},
        {"data.too-large", Data, "The data set {dataset} does not fit into memory.", "It takes more than 16 GiB: {samples} images of {bytes} bytes.", "Set data.train_limit and data.test_limit, or a smaller data.resize."},
        {"data.memory", Device, "Memory ran out while loading the data set {dataset}.", "Data sets are held in memory, one byte per pixel and channel.", "Set data.train_limit, or a smaller data.resize."},
        {"data.cifar.missing", Data, "CIFAR-10 was not found.", "{@reason}.", "Set data.path to a folder with data_batch_1.bin, data_batch_2.bin, ... (one is enough) and test_batch.bin: the binary version of CIFAR-10, with 1 byte of label and 3072 bytes of pixels per image. The files may also be in cifar-10-batches-bin/ or in train/ and test/ below it, and end in .gz. They take 184 MB; their authors state no licence. With data.dataset = \"textures-generated\" no files are needed."},
        {"data.cifar.open", Data, "{file} cannot be opened.", "{@reason}.", "Check data.path and the file's permissions."},
        {"data.cifar100.missing", Data, "CIFAR-100 was not found.", "{@reason}.", "Set data.path to a folder with train.bin and test.bin: the binary version of CIFAR-100, with 2 bytes of labels and 3072 bytes of pixels per image. The files may also be in cifar-100-binary/ or in train/ and test/ below it, and end in .gz. They take 184 MB; their authors state no licence."},
        {"data.cifar.size", Data, "{file} is not a {set} file: {rest} bytes are left over at byte {offset}.", "It has {size} bytes, and each image takes {record} (labels, and 32 x 32 x 3 pixels).", "Download the binary version (the Python version has another layout, and so have CIFAR-10 and CIFAR-100)."},
        {"data.cifar.short", Data, "{file} ends too early, at byte {offset}.", "{@reason}.", "Download the file again; the last download was probably cut off."},
        {"data.cifar.trailing", Data, "{file} is longer than its header says (byte {offset}).", "{@reason}.", "Unpack the file, or download it again."},
        {"data.cifar.label", Data, "{file} has a label out of range at byte {offset}.", "The label is {label}; the largest class is {largest}.", "Download the binary version of {set} (CIFAR-10 and CIFAR-100 differ in their layout)."},
        {"data.folder.missing", Data, "The image folder was not found.", "{@reason}.", "Set data.path to a folder with train/CLASS/*.png and test/CLASS/*.png, or with CLASS/*.png alone; .jpg and .jpeg files are read too."},
        {"data.folder.layout", Data, "{folder} cannot be used as a set of images.", "{@reason}.", "The layout is train/CLASS/*.png and test/CLASS/*.png, or CLASS/*.png alone, of which the last tenth becomes the test set; .jpg and .jpeg files are read too."},
        {"data.image.file", Data, "{file} cannot be read as an image.", "{@reason}.", "Replace the file, or remove it from the folder."},
        {"data.image.size", Data, "{file} differs in size from the first image.", "It has {size} pixels; the first has {first}.", "Set data.resize, for example to 32, to make all images square and equal, or remove the file."},
        {"data.text.missing", Data, "There is no text at {path}.", "{@reason}.", "Set data.path to a text file or to a folder with one .txt file, with data.dataset = \"text\" also to a token file (.bin) or a folder with train.bin. With data.dataset = \"tinyshakespeare\" it may stay empty for the bundled plays (1.1 MB, in the public domain)."},
        {"data.text.open", Data, "{file} cannot be read.", "{@reason}.", "Check data.path and the file's permissions. A text may have up to 1 GiB."},
        {"data.text.binary", Data, "{file} is not plain text: there is a zero byte at byte {offset}.", "It is a binary or compressed file, or it is encoded in UTF-16.", "Unpack it, or save it as UTF-8."},
        {"data.text.short", Data, "{file} is too short.", "{@reason}.", "{@cure}."},
        {"data.text.encoding", Data, "{file} is not UTF-8.", "The byte at {#offset} begins no character.", "Save it as UTF-8, for example by: iconv -f LATIN1 -t UTF-8 FILE."},
        {"data.text.vocabulary", Data, "{file} has more characters than data.vocabulary allows.", "It has {#found} different ones, and data.vocabulary = {vocabulary}.", "Set data.vocabulary = 0 to take as many as there are, or at least {found}."},
        {"data.tokens.open", Data, "The token file {file} cannot be read.", "{@reason}.", "Check data.path, data.test_path and the file's permissions."},
        {"data.tokens.size", Data, "{file} is not a file of tokens of {bits} bits.", "It has {#size} bytes, which is no multiple of {width}.", "Write it as unsigned numbers of 16 or 32 bits and nothing else, in NumPy by tokens.astype(\"uint16\").tofile(FILE)."},
        {"data.tokens.vocabulary", Data, "{file} holds a token beyond the vocabulary: {token}, read with {bits} bits as number {#place} from byte {#offset}.", "{@reason}.", "Set data.vocabulary to the number of tokens of the tokenizer; beyond 65536, tokens have 32 bits. Write the file as numbers of 16 or 32 bits and nothing else."},
        {"data.table.missing", Data, "There is no table at {path}.", "{@reason}.", "Set data.path, and data.test_path where it is used, to a CSV or TSV file with a header line."},
        {"data.table.open", Data, "The table {file} cannot be read.", "{@reason}.", "Check data.path, data.test_path and the file's permissions."},
        {"data.table.form", Data, "{file} cannot be read as a table: line {#line}.", "{@reason}.", "Save it again as CSV in UTF-8, with one line for each row and quotes around fields that hold separators, quotes (doubled) or line ends."},
        {"data.table.header", Data, "{file} cannot be used as a table.", "{@reason}.", "The first line names the columns, each once, with a comma, a semicolon or a tab between them; each further line is one row. The file of data.test_path has the same columns, in any order."},
        {"data.table.target", Configuration, "{file} has no column to predict.", "{@reason}.", "Set data.target to the name of a column, for example data.target = \"{nearest}\"."},
        {"data.table.column", Data, "{file}: the column {column} cannot be used.", "{@reason}.", "{@cure}."},
        {"data.no-test", Data, "{path} holds no test samples.", "", "Set data.test_path to a file with test samples, or data.validation to how many of the training samples serve instead. A file of tensors may also hold test_inputs and test_targets."},
        {"data.tensors.missing", Data, "There are no tensors at {path}.", "{@reason}.", "Set data.path to an .npz or .safetensors file that holds \"inputs\" and \"targets\", or to a folder with inputs.npy and targets.npy."},
        {"data.tensors.open", Data, "{file} cannot be opened.", "{@reason}.", "Check the path and the file's permissions."},
        {"data.tensors.format", Data, "{file} holds no tensors that can be read.", "{@reason}.", "Save the arrays again: numpy.savez(\"data.npz\", inputs=x, targets=y)."},
        {"data.tensors.alone", Data, "{file} is one array; inputs and targets are needed.", "There is neither inputs.npy nor targets.npy beside it.", "Name the files inputs.npy and targets.npy and set data.path to their folder, or save both: numpy.savez(\"data.npz\", inputs=x, targets=y)."},
        {"data.tensors.array", Data, "The array \"{array}\" of {file} cannot be used.", "{@reason}.", "{@cure}."},
        {"data.tensors.names", Data, "{path} does not hold the arrays that are needed.", "It holds {@found}.", "{@cure}."},
        {"data.tensors.counts", Data, "The arrays of {path} do not belong together.", "\"{inputs}\" has {inputCount} samples, but \"{targets}\" has {targetCount}.", "Save as many targets as inputs: the first dimension of both counts samples."},
        {"data.tensors.differ", Data, "The test samples of {path} differ from the training samples.", "\"{train}\" is {trainType}, but \"{test}\" is {testType}.", "Save both in the same type, and samples of the same shape."},
        {"data.tensors.label", Data, "\"{array}\" of {file} has an invalid class: {label} ({@place}).", "Whole numbers are classes from 0 to {largest}, and -100 for targets that are ignored.", "Number the classes from 0, or save the targets as real numbers (numpy.float32) and choose a loss of numbers: loss.kind = \"mse\"."},
        {"data.tensors.nonfinite", Data, "\"{array}\" of {file} has a value that is not finite ({@place}).", "Nothing can be learnt from NaN or infinity: every gradient would be NaN.", "Replace such values, for example by numpy.nan_to_num, or leave these samples out."},
        {"data.tensors.scale", Data, "{key} does not fit the inputs.", "{@reason}.", "{@cure}."},

        // model
        {"model.unknown", Configuration, "There is no model {model}.", "", "`accumulus-cli fields` lists the models."},
        {"model.input", Configuration, "{model} cannot take {@input}.", "It takes {@wanted}.", "{@cure}."},
        {"model.file-unset", Configuration, "model.name = \"file\" names no file.", "", "Set model.path to a TorchScript module, as torch.jit.script(net).save(\"net.pt\") writes it."},
        {"model.file-missing", Data, "There is no file {file}.", "It is what model.path names.", "Check model.path; in Python, torch.jit.script(net).save(\"net.pt\") writes such a file."},
        {"model.file-open", Data, "{file} cannot be read as a TorchScript module.", "{@reason}.", "Write it anew in Python: torch.jit.script(net).save(\"net.pt\"), or, without dropout and BatchNorm in it, torch.jit.trace(net.eval(), example).save(\"net.pt\"). Other networks are exported by accumulus_export.py. A file of weights alone belongs in model.weights."},
        {"model.file-operators", Data, "{file} needs the operator {operator}, which this program does not have.", "It comes from a Python package with an extension of its own.", "Replace it in the network by PyTorch's own operators and export again."},
        {"model.file-parameters", Data, "{file} cannot be trained.", "{@reason}.", "Fix the network in Python and export it again."},
        {"model.file-forward", Data, "{file} cannot compute samples of this data set.", "For inputs of shape {shape} and type {type} it says: {@reason}.", "Export the network with an example of this shape, or change the data: data.path, data.resize and data.block say what a sample looks like."},
        {"model.file-backward", Data, "{file} cannot be trained: its gradients cannot be computed.", "{@reason}.", "Fix the network in Python, so that output.sum().backward() works in training mode, and export it again."},
        {"model.file-output", Data, "{file} does not return what the loss needs.", "For {rows} samples it returns the shape {shape}; {@wanted}.", "Export a network whose output fits the targets, or choose another loss.kind."},
        {"model.file-buffer", Data, "{file} changes its buffer {buffer} while it trains, in a way that cannot be put into the order of the micro-steps.", "{@reason}.", "Replace the layer by one with running_mean, running_var and a fixed momentum, or put it into evaluation mode before you export."},
        {"model.file-pooled", Configuration, "numerics.batch_norm = \"pooled\" is not possible with {file}.", "How many values stand behind its statistics could not be found by trying.", "Set numerics.batch_norm = \"micro\" or \"frozen\"."},
        {"model.file-traced", Data, "{file} does not know evaluation from training.", "{@reason}: it was traced in training mode.", "Export it again: torch.jit.script(net), or torch.jit.trace(net.eval(), example), which leaves dropout out and freezes BatchNorm."},
        {"model.file-unrepeatable", Data, "{file} returns something else each time.", "With the same samples and the same seed its outputs differ, so no run could be repeated.", "Remove what does not draw from PyTorch's random stream, or draw it in the data set."},
        {"model.setting", Configuration, "{key} = {value} does not fit {model}.", "{@reason}.", "{@cure}."},

        // train
        {"checkpoint.open", Data, "The checkpoint {file} cannot be read.", "{@reason}.", "Check the path."},
        {"checkpoint.format", Data, "{file} is not a usable safetensors file.", "{@reason}.", "Use another checkpoint of the run; `accumulus-cli verify RUN` names the newest."},
        {"weights.open", Data, "The weights {file} cannot be read.", "{@reason}.", "Check model.weights and the file's permissions."},
        {"weights.format", Data, "{file} holds no weights that can be used.", "{@reason}.", "Save the weights anew in Python: torch.save(model.state_dict(), \"weights.pt\"), or as safetensors."},
        {"weights.mismatch", Data, "The weights in {file} do not fit the model.", "{@reason}.", "{@cure}."},
        {"weights.nonfinite", Data, "Parameter {parameter} in {file} is not finite.", "It holds NaN, infinite or, for this precision, too large values.", "Use weights of before training broke down."},
        {"checkpoint.mismatch", Data, "{file} does not belong to this run.", "{@reason}.", "Use a checkpoint of the same model and precision."},
        {"loss.outputs", Configuration, "The model gives {outputs} numbers for each sample, which do not fit the {targets} of its targets.", "{@reason}.", "Change the model's last layer, or choose another loss.kind."},
        {"loss.classes", Configuration, "The model tells {outputs} classes apart, and the data have {classes}.", "A target would name an output that does not exist.", "Give the model's last layer {classes} outputs."},
        {"loss.class-weights", Configuration, "loss.class_weights has {weights} weights for {classes} classes.", "", "Give one weight for each class, in the order of the classes, or none."},
        {"loss.targets-beyond", Configuration, "The targets run from {least} to {largest}, and loss.kind = \"bce-with-logits\" learns numbers from 0 to 1.", "It asks how likely something is. Beyond 0 and 1 its loss falls without end.", "Give targets of 0 and 1, or set loss.kind = \"cross-entropy\" for classes and \"mse\" for numbers."},
        {"loss.targets-ignored", Configuration, "The targets hold -100 in {#ignored} places, which only loss.kind = \"cross-entropy\" leaves out.", "Other losses compare numbers and would learn to give -100.", "Take these samples out of the data, or set loss.kind = \"cross-entropy\"."},
        {"loss.units", Configuration, "The model returns {outputs} losses for {samples} samples.", "With loss.kind = \"model\" it returns one loss for each sample or token, or a pair of their sum and their count.", "Return the losses before they are averaged, of shape [samples] or [samples, ...]."},
        {"training.nonfinite", Training, "Training broke down at update {update}: the loss or the gradient is not finite (micro-step {microStep} of {microSteps}{@where}).", "The learning rate is probably too large, or the data hold extreme values.", "Lower optimizer.lr, add warm-up or clipping, or set numerics.nonfinite = \"skip-update\"."},
        {"training.nonfinite-sum", Training, "Training broke down at update {update}: the gradient of each of its {microSteps} micro-steps is finite, their sum is not{@where}.", "The sum is too large for the type that it is kept in.", "Lower optimizer.lr, add clipping or warm-up, or set numerics.accumulator = \"fp32\"."},
        {"training.all-skipped", Training, "{windows} windows in a row had no finite gradient.", "Skipping no longer helps.", "Lower optimizer.lr, or resume from an earlier checkpoint."},
        {"model.batch-norm-one", Configuration, "{model} cannot be trained with micro-batches of one sample.", "One of its BatchNorm layers would see a single value, which has no variance; groups of {group} leave such a remainder.", "Choose a micro-batch that divides the effective batch and the epoch without a remainder of one, or set data.drop_last = true, model.norm = \"group\" or numerics.batch_norm = \"frozen\"."},
        {"config.freeze", Configuration, "No parameter matches {pattern}, which model.freeze names.", "The model's parameters run from {first} to {last}.", "Did you mean {nearest}? A pattern matches a whole name; an asterisk stands for any characters, a question mark for one."},
        {"config.freeze-all", Configuration, "model.freeze leaves nothing to train.", "Its patterns match all {parameters} parameter tensors.", "Leave at least the last layer out of the patterns."},
        {"config.probe", Configuration, "There is no parameter {parameter} to probe.", "The model's parameters run from {first} to {last}.", "Use a name as it appears in a checkpoint, or leave probe.parameter empty."},
        {"device.unusable", Device, "{kind} cannot be used: there is no GPU to train on.", "{@reason}.", "Set device.kind = \"auto\", which falls back to the CPU, or \"cpu\". A GPU needs NVIDIA driver 580 or newer and a build of the preset cuda."},
        {"device.missing", Device, "There is no {kind} in this machine.", "It has {count} usable GPU(s); the last one is {last}.", "Set device.kind = \"{last}\" or \"auto\"."},
        {"device.gone", Device, "{device} has gone: it does not answer.", "{@reason}.", "Look after the card and its driver, then refresh, or set device.kind = \"cpu\"."},
        {"device.busy", Device, "{device} is in use by another run.", "Process {process} trains {run} on it.", "Wait until it has ended, or set device.kind = \"cpu\"."},
        {"device.capture", Device, "The micro-step cannot be recorded as a CUDA graph, which device.capture = \"on\" asks for.", "{@reason}.", "Set device.capture = \"auto\" or \"off\"."},
        {"device.threads", Device, "The system refuses to create more threads.", "{@reason}.", "Use fewer lanes (device.lanes) or threads (device.threads), or raise the limit on processes (ulimit -u)."},
        {"training.memory", Device, "Memory ran out during training.", "{@reason}.", "Use a smaller micro-batch (the effective batch stays the same) or fewer lanes."},
        {"training.engine", Internal, "The tensor library failed during training.", "{@reason}.", "Please report this with the log."},

        // ranks
        {"ranks.no-mpi", Device, "{by} has started {ranks} ranks, but this build of Accumulus has no MPI.", "It was built where MPI was not found, or its module was removed.", "Install MPI with its development files (libopenmpi-dev) and build again, or start without {by}."},
        {"ranks.mpi", Device, "MPI cannot be started with {file}.", "{@reason}.", "Start with the mpirun of the MPI that Accumulus was built with, or without mpirun and srun."},
        {"ranks.failed", Training, "Rank {rank} ended the run.", "{@reason}.", "The log of rank {rank} says more. The run can be resumed from its newest checkpoint."},
        {"ranks.lost", Training, "Rank {rank} ({host}, process {pid}) gives no sign of life.", "{@reason}.", "The newest checkpoint stays. The run can be resumed from it, on any number of ranks."},
        {"ranks.differ", Configuration, "Rank {rank} cannot join: its {@what} differs.", "Rank 0 has {first}, rank {rank} {other}.", "Start the same program with the same files on all machines."},
        {"ranks.diverged", Internal, "The weights of rank {rank} differ from those of rank 0 after update {update}.", "", "Please report this with the logs of both ranks."},
        {"ranks.nccl", Device, "The GPUs of the ranks can no longer exchange gradients.", "NCCL failed: {@reason}.", "Resume the run. With NCCL_DEBUG=WARN in the environment NCCL says more."},
        {"ranks.devices", Configuration, "batch.devices = {devices}, but {ranks} ranks were started.", "", "Set batch.devices = 1 to take the number of ranks, or start {devices} ranks."},

        // launch
        {"launch.no-mpirun", Device, "{ranks} ranks cannot be started: there is no mpirun.", "No folder of PATH has a program of this name.", "Install Open MPI (openmpi-bin), or set batch.devices = 1."},
        {"launch.no-cli", Device, "{ranks} ranks cannot be started: accumulus-cli is missing.", "It was expected beside this program.", "Install Accumulus again, or set batch.devices = 1."},
        {"launch.no-module", Device, "{ranks} ranks cannot be started: this build of Accumulus has no MPI.", "It was built where MPI was not found, or its module was removed.", "Install MPI with its development files (libopenmpi-dev) and build again, or set batch.devices = 1."},
        {"launch.start", Device, "{program} cannot be started.", "{@reason}.", "Check that it is there and may be executed."},
        {"launch.ended", Training, "The process that trained ended before its study: {@how}.", "{@reason}.", "What the library holds stays. The run shows as interrupted and can be resumed."},
        {"launch.host", Configuration, "{host} is no host that ssh can be given.", "A name may not begin with a dash, or hold blanks and quotes.", "Name a host as in `ssh HOST`: an address, user@address, or an entry of ssh's own configuration."},
        {"launch.no-ssh", Device, "There is no {program} here.", "No folder of PATH has a program of this name.", "Install OpenSSH's client (openssh-client)."},
        {"launch.unreachable", Device, "There is no connection to {host} over ssh.", "{@reason}.", "Check that `ssh {host}` works without a question: Accumulus asks for no password and uses ssh's own keys and configuration."},
        {"launch.no-program", Device, "{program} cannot be started on {host}.", "{@reason}.", "Install Accumulus on {host}, or name the program with --remote-program PATH."},
        {"launch.refused", Training, "Nothing was begun on {@host}.", "{@reason}.", "Check that the same version of Accumulus is installed there."},
        {"launch.not-begun", Interrupted, "Nothing was begun on {@host}.", "There was no answer yet.", "Begin it again once {@host} answers."},
        {"launch.none", Library, "No study is open elsewhere.", "", "`accumulus-cli list` shows its runs; one that has ended is continued with `accumulus-cli resume RUN`."},
        {"launch.unknown", Library, "No study that is open elsewhere is called {launch}.", "Open: {candidates}.", "Name one of them by the beginning of its id, or none where only one is open."},
        {"launch.ambiguous", Library, "Several studies are trained elsewhere.", "They are {candidates}.", "Name one of them."},
        {"launch.not-elsewhere", Library, "There is nothing to fetch for run {run}.", "It was trained on this machine.", "Its checkpoints are in the library's folder."},
        {"launch.trained-here", Configuration, "Run {run} was trained on this machine.", "Its checkpoints are here, and no other machine knows it.", "Resume it here, without --on, --slurm and --remote-program."},
        {"launch.fetch", Library, "{file} cannot be fetched from {@host}.", "{@reason}.", "Check the connection and that the run's files are still there."},
        {"journal.name", Configuration, "{name} is no name for a journal.", "It becomes the name of a folder.", "Use letters, digits and dashes, 64 at most."},
        {"journal.unknown", Library, "The study is not known where it was to be trained.", "It was never begun there, or its journal {folder} was removed.", "Its runs may still be in the library over there. `accumulus-cli follow --forget STUDY` forgets it here."},
        {"journal.same-library", Configuration, "Both sides would write the library {file}.", "A study that is trained elsewhere is recorded twice: there by what trains it, and here.", "Name another library for what trains it with --remote-library FILE."},
        {"launch.cli-missing", Device, "accumulus-cli is missing.", "It was expected beside this program.", "Install Accumulus again."},
        {"launch.busy", Configuration, "Another process follows this study.", "It is process {process} on this machine.", "Leave it there first, or end that process."},
        {"launch.goes-on", Configuration, "Run {run} is still trained elsewhere.", "It would be trained twice.", "Follow it and stop it first: `accumulus-cli follow`."},
        {"launch.as-begun", Configuration, "Run {run} is still open on {@host}, so {options} would have no effect.", "It goes on as it was begun.", "Leave that out to follow it. Or stop it there first, with `accumulus-cli follow` and Ctrl+C, and resume it once it has ended."},
        {"launch.other-host", Configuration, "Run {run} was trained on {@host}.", "Its checkpoints are there.", "Resume it without --on, or bring it here with --here."},
        {"slurm.missing", Device, "There is no {program} here.", "No folder of PATH has a program of this name.", "Submit from a machine of the Slurm cluster, or leave out --slurm."},
        {"slurm.refused", Device, "Slurm does not take the job.", "{@reason}.", "Check the options given with --slurm, and `sinfo`."},
        {"launch.event", Internal, "What the process that trains says cannot be understood.", "{@reason}.", "Use the same version of Accumulus in both places. The library has the whole run."},

        // store
        {"library.open", Library, "The library {file} cannot be opened.", "{@reason}.", "Check the path and its permissions, or choose another library."},
        {"library.gone", Library, "The library {file} is not there, so another one is open.", "It was moved or deleted, or its disk is not connected.", "Open it from where it is now with File > Open library."},
        {"library.newer", Library, "The library {file} was written by a newer version of Accumulus.", "It has version {version}; this program reads versions up to {known}.", "Update Accumulus, or choose another library."},
        {"library.older", Library, "The library {file} was written by an older version of Accumulus.", "It has version {version}; this program reads version {known}.", "Open it once where it can be written: it is then upgraded."},
        {"library.not-ours", Library, "{file} is not an Accumulus library.", "{@reason}.", "Choose another file. This one was not changed."},
        {"library.corrupt", Library, "The library {file} is damaged.", "{@reason}.", "Restore a backup, or recover what is readable with: sqlite3 FILE .recover | sqlite3 NEW. Checkpoints are separate files beside it."},
        {"library.cancelled", Interrupted, "What was asked of the library was cancelled.", "", "Ask for it again: nothing of it was kept."},
        {"library.locked", Library, "The library {file} is in use.", "Another process has been writing to it for too long.", "Wait until it has finished, then try again."},
        {"library.disk-full", Library, "The disk that holds the library {file} is full.", "", "Free some disk space, then try again."},
        {"library.output", Library, "The output folder {folder} is not writable.", "{@reason}.", "Choose another library, or get the right to write there and free some disk space."},
        {"library.read", Library, "The library {file} cannot be read.", "{@reason}.", "Check the disk and the file's permissions."},
        {"library.write", Library, "The library {file} cannot be written.", "{@reason}.", "Check the disk and the file's permissions."},
        {"library.refused", Library, "The library {file} refuses what a run has to write.", "{@reason}.", "Trying again does not help. Check the file with: sqlite3 FILE 'PRAGMA integrity_check'. The run can be resumed from its newest checkpoint."},
        {"library.folder", Library, "{folder} cannot be written.", "{@reason}.", "Checkpoints are kept there. Check the disk and the folder's permissions, or choose another library."},
        {"library.files", Library, "{folder} cannot be removed.", "{@reason}.", "Check its permissions, then empty the trash again."},
        {"library.no-run", Library, "The library has no run {run}.", "", "`accumulus-cli list` shows what there is; the first 4 characters of an id are enough."},
        {"library.ambiguous-run", Library, "Several runs begin with {run}.", "They are {candidates}.", "Give more characters of the id."},
        {"library.run-active", Library, "Run {name} ({run}) is training or waits for its turn.", "", "Stop it first."},
        {"library.run-protected", Library, "Run {name} ({run}) is protected.", "", "Unprotect it first."},
        {"library.no-study", Library, "The library has no study {study}.", "", "`accumulus-cli list` shows what there is."},

        // the planner
        {"plan.format", Internal, "What a trial or an earlier plan says cannot be read.", "It is not what this version of Accumulus writes.", "Plan again with --fresh."},
        {"plan.size", Configuration, "Micro-batches of {micro} cannot make up an effective batch of {effective}.", "A size may not be larger, and it must divide the batch unless a smaller last micro-batch is allowed.", "Choose divisors of {effective}, or plan with --ragged."},
        {"plan.program", Device, "Sizes cannot be tried: accumulus-cli is missing.", "It was expected beside this program.", "Install Accumulus again."},

        // run
        {"run.not-resumable", Configuration, "Run {run} cannot be resumed.", "It is {state}.", "Only stopped, interrupted and failed runs can be resumed."},
        {"run.not-fetched", Library, "The checkpoint {file} of run {run} is not here.", "It lies where the run was trained: {@host}, {folder}.", "Copy it with `accumulus-cli fetch {run}`."},
        {"run.busy", Configuration, "Run {run} cannot be resumed.", "It is {state} in process {process} on this computer.", "Stop it there first, or end that process."},
        {"run.elsewhere", Configuration, "Run {run} cannot be resumed.", "It is {state} on another computer, last heard from at {when}.", "Stop it there first. If that computer is gone, or its clock is wrong, take the run over: accumulus-cli resume {run} --take-over."},
        {"run.taken-over", Library, "Run {run} was taken over by another process.", "Its rows belong to that process now, so nothing more is written here.", "Let that process finish the run."},
        {"run.no-bundle", Library, "Run {run} cannot be resumed: none of its {count} resume bundles is where the library expects it.", "The newest should be {file}.", "Move {folder} back to its place beside the library, or mount the disk that holds it. Nothing was changed."},
        {"run.bundles-unusable", Data, "Run {run} cannot be resumed: none of its resume bundles can be used.", "In detail: {@reasons}", "Restore a copy of {folder}, or run the experiment again. Nothing was changed."},
        {"run.model-changed", Data, "Run {run} cannot be resumed: its model has changed.", "It was begun with {file} of hash {stored}; now the hash is {found}.", "Restore the file, or run the experiment again."},
        {"run.weights-changed", Data, "Run {run} cannot begin anew: its initial weights have changed.", "It was begun with {file} of hash {stored}; now the hash is {found}. It has no resume bundle to go on from.", "Restore the file, or run the experiment again."},
        {"run.data-changed", Data, "Run {run} cannot be resumed: its data set has changed.", "It was trained on {dataset} with hash {stored}; now the hash is {found}.", "Restore the data, or go on with what is there now: accumulus-cli resume {run} --other-data."},
        {"study.runs-failed", Training, "{failed} of {runs} runs failed.", "In detail: {@reasons}", "The other runs are recorded as usual. `accumulus-cli list` shows which ones failed; each can be resumed."},
        {"run.no-checkpoint", Data, "Run {run} has no checkpoint.", "It ended before one was written.", "Resume it, or run it again."},
        {"checkpoint.foreign", Data, "{file} was not written by Accumulus.", "Its metadata hold no configuration.", "Verify a checkpoint from the library, or one that was exported."},
    };
    // clang-format on
    return catalogue;
}

} // namespace accumulus
