"""Makes the calls of an order with a client that openapi-python-client generated. Its models read and write every body."""

import importlib
import inspect
import json
import re
import sys
import typing

from made import AuthenticatedClient
from made.models import Problem


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def modelled(kind, value):
    """Returns a value of an order as the model that a function requires."""
    options = [one for one in typing.get_args(kind) or [kind]]
    if isinstance(value, list):
        [element] = [arg for arg in options] if typing.get_origin(kind) is list else [
            typing.get_args(one)[0] for one in options if typing.get_origin(one) is list
        ]
        return [modelled(element, one) for one in value]
    for option in [kind, *options]:
        if isinstance(value, dict) and hasattr(option, "from_dict"):
            return option.from_dict(value)
    return value


with open(sys.argv[1], encoding="utf-8") as file:
    order = json.load(file)
for kind in ("good", "bad", "denied"):
    token = "wrong" if kind == "denied" else order["token"]
    with AuthenticatedClient(base_url=order["base"], token=token) as client:
        for call in order["calls"]:
            sent = call.get("bad") if kind == "bad" else call
            if sent is None:
                continue
            module = importlib.import_module(f"made.api.{snake(call['tag'])}.{snake(call['operationId'])}")
            kinds = {name: one.annotation for name, one in inspect.signature(module.sync_detailed).parameters.items()}
            arguments = {snake(name): value for name, value in sent["parameters"].items()}
            if "body" in sent:
                arguments["body"] = modelled(kinds["body"], sent["body"])
            response = module.sync_detailed(client=client, **arguments)
            problem = response.parsed if isinstance(response.parsed, Problem) else None
            errors = (problem and problem.errors) or []
            place = errors[0].pointer if errors else ""
            print(call["operationId"], kind, int(response.status_code), problem.type_ if problem else "", place, flush=True)
