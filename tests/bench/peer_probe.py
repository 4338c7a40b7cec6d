# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells in one line of JSON which GPU this Python's torch finds, or why it finds none ("problem", the end of a sentence)."""
import json


def found() -> dict[str, str]:
    try:
        import torch
    except Exception as error:  # a library of it may be missing, too
        return {"problem": f"this Python cannot import torch ({error})"}
    if not torch.version.cuda:
        return {"problem": f"torch {torch.__version__} was built without CUDA"}
    if not torch.cuda.is_available():
        return {"problem": f"torch {torch.__version__} finds no NVIDIA GPU with a driver that it can use"}
    properties = torch.cuda.get_device_properties(0)
    return {"gpu": properties.name, "gpu_bytes": str(properties.total_memory),
            "compute_capability": f"{properties.major}.{properties.minor}", "torch": torch.__version__,
            "cuda": torch.version.cuda, "cudnn": str(torch.backends.cudnn.version())}


if __name__ == "__main__":
    print(json.dumps(found()))
