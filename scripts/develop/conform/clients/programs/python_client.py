"""Makes the calls of an order with a client that openapi-python-client made, whose models read and write every body."""

import importlib
import inspect
import json
import re
import sys
import typing

from made import AuthenticatedClient


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def modelled(kind, value):
    """A value of an order as the model that a function asks for."""
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
for answer, token in (("good", order["token"]), ("bad", "wrong")):
    with AuthenticatedClient(base_url=order["base"], token=token) as client:
        for call in order["calls"]:
            module = importlib.import_module(f"made.api.{snake(call['tag'])}.{snake(call['operationId'])}")
            kinds = {name: one.annotation for name, one in inspect.signature(module.sync_detailed).parameters.items()}
            arguments = {snake(name): value for name, value in call["parameters"].items()}
            if "body" in call:
                arguments["body"] = modelled(kinds["body"], call["body"])
            response = module.sync_detailed(client=client, **arguments)
            problem = getattr(response.parsed, "type_", "") if response.status_code >= 400 else ""
            print(call["operationId"], answer, int(response.status_code), problem, flush=True)
