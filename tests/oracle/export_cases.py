# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks as people bring them, for the tests of resources/python/accumulus_export.py: torchvision's mobilenet_v3_small and a
small vision transformer, a U-Net, a BERT classifier of transformers, two for tables. Everything in fp64."""
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torchvision
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources/python"))

CLASSES, SAMPLES, TEST_SAMPLES, MICRO, LR = 5, 16, 8, 4, 0.02


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([self.block(1, 8), self.block(8, 16)])
        self.middle = self.block(16, 16)
        self.up = nn.ModuleList([nn.ConvTranspose2d(16, 16, 2, stride=2), nn.ConvTranspose2d(16, 8, 2, stride=2)])
        self.join = nn.ModuleList([self.block(32, 16), self.block(16, 8)])
        self.out = nn.Conv2d(8, 1, 1)

    @staticmethod
    def block(given, made):
        return nn.Sequential(nn.Conv2d(given, made, 3, padding=1), nn.GroupNorm(4, made), nn.SiLU())

    def forward(self, x):
        skipped = []
        for stage in self.down:
            x = stage(x)
            skipped.append(x)
            x = nn.functional.max_pool2d(x, 2)
        x = self.middle(x)
        for i, (up, join) in enumerate(zip(self.up, self.join)):
            x = join(torch.cat([up(x), skipped[-1 - i]], 1))
        return self.out(x)


class BertClassifier(nn.Module):
    """As people wrap it: token ids in, logits out."""

    def __init__(self, dropout):
        super().__init__()
        from transformers import BertConfig, BertForSequenceClassification

        self.bert = BertForSequenceClassification(BertConfig(
            vocab_size=40, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
            max_position_embeddings=16, num_labels=CLASSES, hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout))

    def forward(self, ids):
        return self.bert(input_ids=ids, attention_mask=(ids != 0).long()).logits


def tabular(outputs, norm=nn.LayerNorm, dropout=0.0):
    return nn.Sequential(nn.Linear(12, 32), norm(32), nn.ReLU(), nn.Dropout(dropout), nn.Linear(32, 32), norm(32), nn.ReLU(),
                         nn.Linear(32, outputs))


class Recurrent(nn.Module):
    """Its layers compute with a list of their parameters (`_flat_weights`)."""

    def __init__(self, layers):
        super().__init__()
        self.cells, self.head = layers, nn.Linear(8, CLASSES)

    def forward(self, x):
        seen, _ = self.cells(x)
        return self.head(seen[:, -1])


@dataclass
class Case:
    name: str
    make: object                 # () -> module
    inputs: tuple                # of a sample; or for token ids their number
    targets: object = CLASSES    # number of classes, or the shape of the numbers of a sample
    loss: nn.Module = field(default_factory=nn.CrossEntropyLoss)
    way: str = "scripted"        # what export has to choose by itself
    mixes: bool = False          # BatchNorm
    draws: bool = False          # dropout

    def data(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        if isinstance(self.inputs, int):
            inputs = torch.randint(1, 40, (count, self.inputs), generator=generator)
            for row, length in enumerate(torch.randint(self.inputs // 2, self.inputs + 1, (count,), generator=generator)):
                inputs[row, length:] = 0  # padding
        else:
            inputs = torch.randn(count, *self.inputs, generator=generator, dtype=torch.float64)
        if isinstance(self.targets, int):
            return inputs, torch.randperm(count, generator=generator) % self.targets
        return inputs, torch.randn(count, *self.targets, generator=generator, dtype=torch.float64)

    def network(self, seed=1):
        """Not as it is made: tensors of zeros or ones would hide mistakes."""
        torch.manual_seed(seed)
        net = self.make().double()
        with torch.no_grad():
            for name, tensor in net.state_dict().items():
                if tensor.is_floating_point() and bool((tensor == tensor.flatten()[0]).all()):
                    tensor.uniform_(0.8, 1.2) if float(tensor.flatten()[0]) == 1 else tensor.normal_(0.0, 0.1)
        return net


NETWORKS = [
    Case("mobilenet_v3_small", lambda: torchvision.models.mobilenet_v3_small(num_classes=CLASSES, dropout=0.0), (3, 64, 64),
         mixes=True),
    Case("vision transformer", lambda: torchvision.models.VisionTransformer(
        image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=32, mlp_dim=64, num_classes=CLASSES), (3, 32, 32)),
    Case("U-Net, mse", UNet, (1, 16, 16), (1, 16, 16), nn.MSELoss()),
    Case("BERT classifier", lambda: BertClassifier(0.0), 12, way="traced"),
    Case("GRU", lambda: Recurrent(nn.GRU(4, 8, num_layers=2, batch_first=True)), (6, 4)),
    Case("LSTM", lambda: Recurrent(nn.LSTM(4, 8, batch_first=True)), (6, 4)),
    Case("table, huber", lambda: tabular(1), (12,), (1,), nn.HuberLoss(delta=0.5)),
    Case("table, weighted classes", lambda: tabular(CLASSES), (12,), loss=nn.CrossEntropyLoss(
        weight=torch.tensor([1.0, 2.0, 0.5, 1.5, 3.0], dtype=torch.float64), label_smoothing=0.1)),
]
# Others that no large batch can be compared with.
DRAWING = [
    Case("table with dropout", lambda: tabular(CLASSES, dropout=0.3), (12,), draws=True),
    Case("BERT with dropout", lambda: BertClassifier(0.1), 12, way="traced", draws=True),
]
