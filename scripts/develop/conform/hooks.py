"""What a generator of requests cannot read in the OpenAPI document. Each line here says why it is needed."""

import hashlib
import re
from base64 import b64decode
from urllib.parse import unquote
from uuid import uuid4

import schemathesis
from schemathesis.generation.modes import GenerationMode

# A picture of one pixel: bytes that are none are refused, and a schema cannot tell.
PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNKNOWN_PARAMETER = "x-schemathesis-unknown-property"
LONGEST_WAIT = 500
LONGEST_ALLOWED = 60_000


def valid_barcode(seed):
    """A barcode of the default scheme, the same for the same text: a schema cannot compute a check digit."""
    digest = hashlib.sha256(str(seed).encode("utf-8", "surrogatepass")).digest()
    body = "D4" + "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:10]) + "1328"
    return body + str(sum(map(ord, body)) % 10)


def with_days_that_exist(value):
    """A pattern cannot say which months have 29, 30 or 31 days."""
    if isinstance(value, dict):
        return {name: with_days_that_exist(one) for name, one in value.items()}
    if isinstance(value, list):
        return [with_days_that_exist(one) for one in value]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-(29|3\d) \d\d:\d\d:\d\d", value):
        return value[:8] + "28" + value[10:]
    return value


def shorten_wait(query):
    """How long link-single waits is its caller's choice; thousands of cases cannot each take a minute."""
    timeout = query.get("timeout", LONGEST_ALLOWED)
    is_long = isinstance(timeout, int) and LONGEST_WAIT < timeout <= LONGEST_ALLOWED
    return {**query, "timeout": LONGEST_WAIT} if is_long else query


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    if operation == "linkSingle":
        case.query = shorten_wait(case.query or {})
    if operation == "putStore" and case.path_parameters.get("storeId") == "main":
        # What is put replaces the whole: the store that all other operations are tried in keeps its departments.
        case.path_parameters["storeId"] = "branch"
    if case.meta is not None and case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        # A key belongs to one call; the same one for several calls is refused, which a schema cannot say.
        case.headers["Idempotency-Key"] = str(uuid4())
    if not isinstance(case.body, dict):
        case.body = with_days_that_exist(case.body)
        return
    if case.media_type == "multipart/form-data":
        case.body = {name: PNG for name in case.body}
        return
    case.body = with_days_that_exist(case.body)
    if operation == "linkSingle" and "barcode" in case.body:
        case.body["barcode"] = valid_barcode(case.body["barcode"])
    kinds = [kind for kind in ("designerlink", "ecclink", "studiolink") if case.body.get(kind) is not None]
    for kind in kinds[1:]:
        # A link has one kind of metadata; that null counts as none is more than a schema can say.
        del case.body[kind]
    if operation == "createLink" and case.body.get("barcode"):
        # The same under another name.
        case.body.pop("eslId", None)
    if operation == "flashLabelWithDepartment":
        # It must be one of the store's.
        case.body["linkDepartment"] = "warehouse"
    if operation == "setManualPosition" and case.body.get("eslBarcode"):
        case.body["eslBarcode"] = unquote(case.path_parameters["barcode"])
    if case.body.get("operation") == "LINK" and not case.body.get("designId"):
        # Of the two operations only this one needs a design.
        case.body["designId"] = "regular-296x128"
    if operation == "patchItem" and case.body.get("itemId"):
        # It must be the path's; a schema cannot compare the two.
        case.body["itemId"] = unquote(case.path_parameters["itemId"])


def other_methods_at(path, paths):
    """Methods of the paths with parameters that this path without any is a case of."""
    own = path.split("/")
    for other, methods in paths.items():
        parts = other.split("/")
        if len(parts) == len(own) and all(one == its or its.startswith("{") for one, its in zip(own, parts)):
            yield from (method.upper() for method in methods)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """
    Query parameters that are not known are ignored: older clients send some. Allow is right to name methods of
    `/labels/{barcode}` at `/labels/link-single`: that is a barcode as well.
    """
    if failure.code == "ST201" and UNKNOWN_PARAMETER in (case.query or {}):
        return False
    if failure.code != "ST205" or failure.missing_methods:
        return True
    allowed = set(other_methods_at(case.operation.path, case.operation.schema.raw_schema["paths"]))
    return not allowed.issuperset(failure.undocumented_methods)
