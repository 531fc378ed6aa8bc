"""PyUPPAAL verifies one query and reads the trace; prints it as JSON.

usage: trace.py VERIFYTA MODEL QUERY OPTIONS
"""
import json
import sys

import pyuppaal

verifyta, path, query, options = sys.argv[1:]
pyuppaal.set_verifyta_path(verifyta)
model = pyuppaal.UModel(path)
model.queries = query
trace = model.easy_verify(options)
if trace is None:
    print("null")
else:
    zone = lambda z: [[c.clock1, c.clock2, c.is_equal, int(c.bound_value)] for c in z.clockzones]
    edge = lambda e: [e.start_location, e.end_location, e.guard, e.sync, e.update]
    values = lambda v: dict(zip(v.variables_name, map(int, v.variables_value)))
    print(json.dumps({
        "states": trace.states,
        "values": [values(v) for v in trace.global_variables],
        "zones": [zone(z) for z in trace.clock_constraints],
        "transitions": [[edge(e) for e in t.edges] for t in trace.transitions],
        "actions": trace.actions,
    }))
