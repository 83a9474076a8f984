"""python3 read-examples.py <generated.py> <openapi.json>

Reads every example of the document with the generated classes and writes it again. Prints how many
were the same, and fails at the first that was not.
"""

import importlib.util
import json
import re
import sys

spec = importlib.util.spec_from_file_location("generated", sys.argv[1])
generated = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generated)
with open(sys.argv[2], encoding="utf-8") as file:
    document = json.load(file)


def function_of(schema, suffix):
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", schema).lower()
    return getattr(generated, f"{name}_{suffix}")


def bodies_of(operation):
    yield operation.get("requestBody", {})
    yield from operation["responses"].values()


count = 0
for schema in document["components"]["schemas"]:
    function_of(schema, "from_dict")
for path, item in document["paths"].items():
    for method, operation in item.items():
        for body in bodies_of(operation):
            media = body.get("content", {}).get("application/json", {})
            if "$ref" not in media.get("schema", {}) or "example" not in media:
                continue
            name = media["schema"]["$ref"].rsplit("/", 1)[-1]
            read = function_of(name, "from_dict")(media["example"])
            if function_of(name, "to_dict")(read) != media["example"]:
                sys.exit(f"{method} {path}: {name} differs")
            count += 1
print(count)
