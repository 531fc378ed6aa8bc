"""uppaalpy reads a model and writes it as it is; also with one guard changed.

usage: change.py MODEL SAME [CHANGED CLOCK THRESHOLD]

The guard is the first one with a lower bound on CLOCK; THRESHOLD takes its place.
"""
import sys

import uppaalpy

path, same, *change = sys.argv[1:]
nta = uppaalpy.NTA.from_xml(path)
nta.to_file(same)


def guards(clock):
    for template in nta.templates:
        for _, _, data in template.graph.edges(data=True):
            edge = data["obj"]
            for constraint in edge.guard.constraints if edge.guard else []:
                if getattr(constraint, "clocks", None) == [clock] and constraint.operator == ">":
                    yield edge, constraint


if change:
    changed, clock, threshold = change
    edge, constraint = next(guards(clock))
    nta.change_clock_constraint(edge, "update", constraint, threshold_function=lambda _: threshold)
    nta.to_file(changed)
    print(f"{constraint.threshold} -> {threshold}")
