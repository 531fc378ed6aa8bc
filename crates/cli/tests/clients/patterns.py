"""PyUPPAAL finds all sequences of actions that lead somewhere; prints them as JSON.

It verifies, reads the trace, adds a monitor that excludes what it found, and so on.

usage: patterns.py VERIFYTA MODEL QUERY ACTION...
"""
import json
import sys

import pyuppaal

verifyta, path, query, *actions = sys.argv[1:]
pyuppaal.set_verifyta_path(verifyta)
model = pyuppaal.UModel(path)
model.queries = query
print(json.dumps([trace.untime_pattern for trace in model.find_all_patterns(actions)]))
