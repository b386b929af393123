"""Makes otava.json: series, and what apache-otava 0.8.0 says of them.

pip install apache-otava==0.8.0 && python series.py > otava.json
"""
import json
import random

import numpy as np
from otava.analysis import compute_change_points_orig
from otava.change_point_divisive.calculator import PairDistanceCalculator

random.seed(7)


def noise(n, at, spread):
    return [round(at * (1 + spread * random.gauss(0, 1)), 4) for _ in range(n)]


def skewed(n, at, spread):
    return [round(at * (1 + spread * random.expovariate(1)), 4) for _ in range(n)]


series = {
    "noise alone": noise(60, 100, 0.03),
    "skewed noise alone": skewed(60, 100, 0.05),
    "one step of 10 %": noise(25, 100, 0.02) + noise(25, 110, 0.02),
    "one step, late": noise(50, 100, 0.02) + noise(10, 112, 0.02),
    "up and back": noise(20, 100, 0.02) + noise(20, 115, 0.02) + noise(20, 100, 0.02),
    "three steps": noise(15, 100, 0.02) + noise(15, 108, 0.02) + noise(15, 120, 0.02) + noise(15, 95, 0.02),
    "one far run": noise(30, 100, 0.02) + [170.0] + noise(30, 100, 0.02),
    "wider, not higher": noise(30, 100, 0.01) + noise(30, 100, 0.15),
    "skewed step of 20 %": skewed(30, 100, 0.05) + skewed(30, 120, 0.05),
    "twelve runs": noise(6, 100, 0.01) + noise(6, 130, 0.01),
    "all equal": [100.0] * 20,
    "a ramp": [round(100 + i * 0.5 + random.gauss(0, 1), 4) for i in range(50)],
}

out = []
for name, values in series.items():
    first = PairDistanceCalculator(np.array(values)).get_candidate_change_point(slice(0, len(values)))
    found = [
        sorted(p.index for p in compute_change_points_orig(values, max_pvalue=0.01, seed=seed)[0]) for seed in range(5)
    ]
    always = sorted(set.intersection(*(set(f) for f in found)))
    ever = sorted(set.union(*(set(f) for f in found)))
    out.append({"name": name, "series": values, "first": int(first.index), "q": float(first.qhat),
                "always": [int(i) for i in always], "ever": [int(i) for i in ever]})
print(json.dumps(out, indent=1))
