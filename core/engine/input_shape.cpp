// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/input_shape.h"

namespace accumulus {
namespace {

InputShape ofTensors(const TensorColumn& inputs, const TensorColumn& targets, std::int64_t classes, LossKind loss) {
    const auto side = [&](std::size_t dimension) {
        return dimension < inputs.shape.size() ? inputs.shape[dimension] : std::int64_t{1};
    };
    InputShape shape{side(0), side(1), 1, loss == LossKind::CrossEntropy ? classes : targets.elements()};
    for (std::size_t i = 2; i < inputs.shape.size(); ++i)
        shape.width *= inputs.shape[i];
    shape.kind = SampleKind::Tensors;
    shape.sample = inputs.shape;
    shape.wholeNumbers = staysWhole(inputs.type);
    shape.target = targets.shape;
    shape.wholeTargets = !isReal(targets.type);
    return shape;
}

} // namespace

InputShape inputShape(const Dataset& data, LossKind loss) {
    InputShape shape;
    if (data.kind() == SampleKind::Tensors) {
        shape = ofTensors(data.trainTensors.inputs, data.trainTensors.targets, data.classes, loss);
    } else {
        shape = {data.train.channels,
                 data.train.height,
                 data.train.width,
                 data.classes,
                 data.isText() ? data.trainText.block : 0,
                 data.kind()};
    }
    shape.loss = loss;
    return shape;
}

InputShape inputShape(const DatasetSizes& sizes, LossKind loss) {
    InputShape shape;
    if (sizes.tensors)
        shape = ofTensors(sizes.inputs, sizes.targets, sizes.classes, loss);
    else
        shape = {sizes.channels, sizes.height, sizes.width,
                 sizes.classes,  sizes.block,  sizes.block > 0 ? SampleKind::Text : SampleKind::Images};
    shape.loss = loss;
    return shape;
}

} // namespace accumulus
