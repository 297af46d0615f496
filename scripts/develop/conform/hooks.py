"""Adapts generated requests where the OpenAPI document cannot express a rule. Each adaptation says why it is needed."""

import hashlib
import re
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote
from uuid import uuid4

import schemathesis
from schemathesis.generation.modes import GenerationMode

# A font, and a picture of one pixel. The API rejects other bytes, which a schema cannot express.
FONT_FIELD = "fontFile"
FONT = Path(__file__).parents[3] / "node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"
PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BARCODE_PATTERN = "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})(?<check>[0-9])$"
UNKNOWN_PARAMETER = "x-schemathesis-unknown-property"
MAX_WAIT_MS = 500
MAX_ALLOWED_MS = 60_000


def valid_barcode(seed):
    """Derives a barcode of the default scheme from a text, because a schema cannot compute a check digit."""
    digest = hashlib.sha256(str(seed).encode("utf-8", "surrogatepass")).digest()
    body = "D4" + "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:10]) + "1328"
    return body + str(sum(map(ord, body)) % 10)


def with_days_that_exist(value):
    """Replaces days that may not exist, because a pattern cannot say which months have 29, 30 or 31 days."""
    if isinstance(value, dict):
        return {name: with_days_that_exist(field) for name, field in value.items()}
    if isinstance(value, list):
        return [with_days_that_exist(element) for element in value]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-(29|3\d) \d\d:\d\d:\d\d", value):
        return value[:8] + "28" + value[10:]
    return value


def shorten_wait(query):
    """Shortens the wait that a caller of link-single chooses: thousands of cases cannot take a minute each."""
    timeout = query.get("timeout", MAX_ALLOWED_MS)
    is_long = isinstance(timeout, int) and MAX_WAIT_MS < timeout <= MAX_ALLOWED_MS
    return {**query, "timeout": MAX_WAIT_MS} if is_long else query


# What a run must not replace or remove, because all other operations are tested with it: the demo's own records, by the
# parameter that names them, with what is written instead.
KEPT = {
    "tenantId": ("demo", "other"),
    "storeId": ("main", "branch"),
    "modelName": ("Medium", "Other"),
    "labelType": ("1328", "9001"),
}


def spare_the_demo(parameters):
    """Makes the operator's writes go to other records than the demo's."""
    for name, (kept, other) in KEPT.items():
        if parameters.get(name) == kept:
            parameters[name] = other


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Removes HTTP Basic where tokens work: after wrong passwords, an address must wait (429), so later calls test nothing."""
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            ways = operation.get("security", []) if isinstance(operation, dict) else []
            if len(ways) > 1:
                operation["security"] = [way for way in ways if "apiUser" not in way]
    if "security" in raw_schema:
        raw_schema["security"] = [way for way in raw_schema["security"] if "apiUser" not in way]


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    if operation == "linkSingle":
        case.query = shorten_wait(case.query or {})
    if any({"platformToken": ["platform"]} == one for one in case.operation.definition.raw.get("security", [])):
        if case.method in ("PUT", "DELETE"):
            spare_the_demo(case.path_parameters)
    if case.meta is not None and case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        # A key belongs to one call. The API rejects it for another call, which a schema cannot express.
        case.headers["Idempotency-Key"] = str(uuid4())
    if not isinstance(case.body, dict):
        case.body = with_days_that_exist(case.body)
        return
    if case.media_type == "multipart/form-data":
        case.body = {name: FONT.read_bytes() if name == FONT_FIELD else PNG for name in case.body}
        return
    case.body = with_days_that_exist(case.body)
    if operation in ("putUser", "issueToken") and isinstance(case.body.get("stores"), list):
        # Stores must be the tenant's own.
        case.body["stores"] = ["main"]
    if operation == "putTenant" and isinstance(case.body.get("barcodeScheme"), dict):
        # A schema cannot express which texts are barcode patterns.
        case.body["barcodeScheme"]["pattern"] = BARCODE_PATTERN
    if operation == "putLabelServer":
        # A schema cannot express which texts are hosts and ports.
        case.body["url"] = "https://labels.example.com"
    if operation == "linkSingle" and "barcode" in case.body:
        case.body["barcode"] = valid_barcode(case.body["barcode"])
    kinds = [kind for kind in ("designerlink", "ecclink", "studiolink") if case.body.get(kind) is not None]
    for kind in kinds[1:]:
        # A link has one kind of metadata, and null counts as none, which a schema cannot express.
        del case.body[kind]
    if operation == "createLink" and case.body.get("barcode"):
        # eslId is another name for barcode.
        case.body.pop("eslId", None)
    if operation == "flashLabelWithDepartment":
        # The department must be one of the store's.
        case.body["linkDepartment"] = "warehouse"
    if operation == "setManualPosition" and case.body.get("eslBarcode"):
        case.body["eslBarcode"] = unquote(case.path_parameters["barcode"])
    if case.body.get("operation") == "LINK" and not case.body.get("designId"):
        # LINK needs a design, UNLINK does not.
        case.body["designId"] = "regular-296x128"
    if operation == "patchItem" and case.body.get("itemId"):
        # The body's id must equal the path's; a schema cannot compare the two.
        case.body["itemId"] = unquote(case.path_parameters["itemId"])


def other_methods_at(path, paths):
    """Yields the methods of the paths with parameters that match this path without parameters."""
    own = path.split("/")
    for other, methods in paths.items():
        parts = other.split("/")
        if len(parts) == len(own) and all(one == its or its.startswith("{") for one, its in zip(own, parts)):
            yield from (method.upper() for method in methods)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """
    Ignores two failures. Unknown query parameters are allowed, because older clients send some. Allow is right to
    name the methods of `/labels/{barcode}` at `/labels/link-single`, which matches that path as well.
    """
    if failure.code == "ST201" and UNKNOWN_PARAMETER in (case.query or {}):
        return False
    if failure.code != "ST205" or failure.missing_methods:
        return True
    allowed = set(other_methods_at(case.operation.path, case.operation.schema.raw_schema["paths"]))
    return not allowed.issuperset(failure.undocumented_methods)
