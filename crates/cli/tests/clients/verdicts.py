"""PyUPPAAL verifies models; prints a line of verdicts for each, as JSON.

usage: verdicts.py VERIFYTA MODEL...
"""
import json
import re
import sys

import pyuppaal

VERDICT = re.compile(r" -- Formula (?:is |MAY )?(.*)\.")

pyuppaal.set_verifyta_path(sys.argv[1])
for path in sys.argv[2:]:
    model = pyuppaal.UModel(path)
    printed = model.verify(verify_options="-t 0")
    print(json.dumps({"queries": model.queries, "verdicts": VERDICT.findall(printed)}))
