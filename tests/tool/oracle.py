# SPDX-License-Identifier: Apache-2.0
"""Clusters pixels in plain Python, for comparison with the command."""
import random


def resolve(digis, policy):
    """Returns the pixels of one module, {(x, y): (charge, first index)}, and the label owner of each digi."""
    copies = {}
    for index, x, y, adc in digis:
        copies.setdefault((x, y), []).append((index, adc))
    pixels, kept = {}, {}
    for pixel, found in copies.items():
        if len(found) > 1 and policy == "drop":
            continue
        charges = [adc for _, adc in found]
        charge = {"drop": charges[0], "first": charges[0], "sum": sum(charges),
                  "max": max(charges)}[policy]
        pixels[pixel] = (charge, found[0][0])
        for index, _ in found[:1] if policy == "first" else found:
            kept[index] = pixel
    return pixels, kept


def components(pixels, connectivity):
    """Returns the sets of touching pixels, in the order of their lowest pixel by (y, x)."""
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)] if connectivity == 8 else []
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + corners
    left = set(pixels)
    found = []
    for start in sorted(pixels, key=lambda p: (p[1], p[0])):
        if start not in left:
            continue
        left.remove(start)
        group, todo = [], [start]
        while todo:
            x, y = todo.pop()
            group.append((x, y))
            for dx, dy in steps:
                near = (x + dx, y + dy)
                if near in left:
                    left.remove(near)
                    todo.append(near)
        found.append(group)
    return found


def describe(group, pixels):
    charges = [pixels[p][0] for p in group]
    charge = sum(charges)
    weights = charges if charge else [1] * len(group)
    total = sum(weights)
    mean = [sum(p[k] * w for p, w in zip(group, weights)) / total for k in (0, 1)]
    spread = [sum((p[k] - mean[k]) ** 2 * w for p, w in zip(group, weights)) / total
              if charge else 0.0 for k in (0, 1)]
    return {"size": len(group), "charge": charge, "x": mean[0], "y": mean[1],
            "x_min": min(p[0] for p in group), "x_max": max(p[0] for p in group),
            "y_min": min(p[1] for p in group), "y_max": max(p[1] for p in group),
            "first_digi": min(pixels[p][1] for p in group),
            "x_var": spread[0], "y_var": spread[1]}


def cluster(digis, policy="drop", threshold=0, cut=lambda module: 0, connectivity=8, invalid=None):
    """digis: list of (event, module, x, y, adc). Returns (clusters, labels) as the command writes them."""
    events = sorted({digi[0] for digi in digis})
    labels = [-1] * len(digis)
    clusters = []
    for event in events:
        rows = [k for k, digi in enumerate(digis) if digi[0] == event]
        modules = {}
        for index, row in enumerate(rows):
            _, module, x, y, adc = digis[row]
            if module != invalid and adc >= threshold:
                modules.setdefault(module, []).append((index, x, y, adc))
        for module in sorted(modules):
            pixels, kept = resolve(modules[module], policy)
            label_of, next_id = {}, 0
            for group in components(pixels, connectivity):
                properties = describe(group, pixels)
                if properties["charge"] < cut(module):
                    continue
                clusters.append({"event": event, "module_id": module, "cluster_id": next_id,
                                 **properties})
                label_of.update({p: next_id for p in group})
                next_id += 1
            for index, pixel in kept.items():
                labels[rows[index]] = label_of.get(pixel, -1)
    return clusters, labels


def random_digis(seed, n, modules, rows, columns, events=(0,)):
    draw = random.Random(seed)
    return [(draw.choice(events), draw.choice(modules), draw.randrange(rows),
             draw.randrange(columns), draw.randrange(0, 200)) for _ in range(n)]
