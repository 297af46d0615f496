"""A client for the API of a Shelfwire store."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypedDict, cast
from urllib.parse import quote

import httpx

__all__ = [
    "Event",
    "Flash",
    "FlashResult",
    "Item",
    "ItemPatch",
    "Label",
    "LabelPatch",
    "Link",
    "LinkRow",
    "Outcome",
    "Result",
    "Shelfwire",
    "ShelfwireError",
    "verify_webhook",
]

Projection = Literal["S", "M", "L"]
Kind = Literal["items", "labels"]
PlState = Literal["NEW", "PENDING", "OK", "ERROR", "OFFLINE", "UNKNOWN"]
BatteryState = Literal["UNKNOWN", "OK", "LOW"]
RowStatus = Literal[
    "SUCCESS", "SUCCESS_NEW_ITEM", "PARTIAL", "PENDING", "UNKNOWN", "ITEM_NOT_FOUND", "ERROR_NO_LINK_DEPARTMENTS", "ERROR"
]

PREFIX = "/api/public/core/v1"
MAX_ROWS = 20_000
# Maximum bytes of a body: less than the server's limit, to leave room for the separators between rows.
MAX_BYTES = 31 * 2**20
FIRST_POLL_S = 0.1
MAX_POLL_S = 2.0
MAX_WAIT_S = 20.0
MAX_AGE_S = 300
PASSING = frozenset({429, 502, 503, 504})
KEY_IN_USE = "/problems/idempotency-key-in-use"
GOOD = frozenset({"SUCCESS", "SUCCESS_NEW_ITEM"})


class LinkRow(TypedDict, total=False):
    """A link in a row of labels: an upsert of the label's display position. Names itemId or linkedItemId."""

    itemId: str
    linkedItemId: str
    displayPosition: int
    facings: str


class ItemPatch(TypedDict):
    """A row of an update: absent, None or empty fields keep their values."""

    itemId: str
    itemName: NotRequired[str | None]
    price: NotRequired[str | None]
    itemGroup: NotRequired[str | None]
    department: NotRequired[str | None]
    presentation: NotRequired[str | None]
    sics: NotRequired[Sequence[str] | None]
    properties: NotRequired[Mapping[str, str] | None]
    validFrom: NotRequired[str | None]


class LabelPatch(TypedDict):
    """A row of PATCH /labels."""

    barcode: str
    modelName: NotRequired[str | None]
    linkDepartment: NotRequired[str | None]
    plLocation: NotRequired[str | None]
    homeTrx: NotRequired[str | None]
    device: NotRequired[str | None]
    links: NotRequired[Sequence[LinkRow] | None]


class Flash(TypedDict, total=False):
    """How labels flash: seconds (0 stops), priority, `#rrggbb` or `rgb(r,g,b)`, 10 to 50."""

    duration: int
    realTime: bool
    color: str
    flashType: Literal[10, 20, 30, 40, 50]


class Link(TypedDict):
    """A link as it is read."""

    barcode: str
    itemId: str
    linkedItemId: str
    displayPosition: int
    facings: str | None


class Item(TypedDict):
    """An item as it is read; the fields after `price` depend on the projection."""

    itemId: str
    itemName: str | None
    price: str | None
    itemGroup: NotRequired[str | None]
    department: NotRequired[str | None]
    presentation: NotRequired[str | None]
    lastUpdated: NotRequired[str | None]
    validFrom: NotRequired[str | None]
    sics: NotRequired[list[str]]
    properties: NotRequired[dict[str, str]]
    links: NotRequired[list[Link]]


class Label(TypedDict):
    """A label as it is read; the fields after `links` depend on the projection."""

    barcode: str
    modelName: str | None
    plLocation: str | None
    links: list[Link]
    homeTrx: NotRequired[str | None]
    plState: NotRequired[PlState]
    batteryState: NotRequired[BatteryState]
    lowBatteryDate: NotRequired[str | None]
    lastTrxList: NotRequired[str | None]
    hardwareRevision: NotRequired[str | None]
    lastDisplayUpdate: NotRequired[str | None]
    batteryStateChanged: NotRequired[str | None]
    batteryStateLastConfirmed: NotRequired[str | None]
    batteryStateFirstEnteredLow: NotRequired[str | None]
    firstLinked: NotRequired[str | None]
    lastLinked: NotRequired[str | None]
    lastUpdate: NotRequired[str | None]
    lastOkUpdate: NotRequired[str | None]
    linkDepartment: NotRequired[str | None]
    batteryDaysLeft: NotRequired[int]
    device: NotRequired[str]


class Outcome(TypedDict):
    """The outcome of a row. `row` is the index of the caller's row; a row of several links has as many outcomes."""

    row: int
    status: RowStatus
    errors: list[str]
    itemId: NotRequired[str | None]
    barcode: NotRequired[str]
    displayPosition: NotRequired[int]


class FlashResult(TypedDict):
    """The outcome of a flash of one label: OK, UNSUPPORTED or UNREACHABLE."""

    barcode: str
    result: Literal["OK", "UNSUPPORTED", "UNREACHABLE"]


class Event(TypedDict):
    """A change as reported to a subscription. It names the changed fields; read the record for its current state."""

    id: str
    source: str
    type: str
    subject: str
    time: str
    data: dict[str, Any]


class ShelfwireError(Exception):
    """A call was rejected, or its last attempt failed; `problem` is the document of RFC 9457, of status 0 without a response.

    For a write with many rows, `applied` holds the outcomes of the requests before the one that failed, and `not_sent` is the
    index of the first row that was not sent, or was refused. The same call with `key=error.key` continues.
    """

    def __init__(
        self, problem: Mapping[str, Any], *, applied: Sequence[Outcome] = (), not_sent: int = 0, key: str | None = None
    ) -> None:
        super().__init__(f"{problem['status']} {problem['title']}: {problem['detail']}")
        self.problem = problem
        self.applied = applied
        self.not_sent = not_sent
        self.key = key

    @property
    def status(self) -> int:
        return int(self.problem["status"])

    @property
    def faults(self) -> list[dict[str, str]]:
        """The faults of the request, each with its JSON Pointer."""
        return list(self.problem.get("errors", []))


@dataclass(frozen=True)
class Result:
    """The result of a request: all rows, in order."""

    rows: list[Outcome]

    @property
    def failed(self) -> list[Outcome]:
        return [row for row in self.rows if row["status"] not in GOOD]


class Shelfwire:
    """A store, by its base address with or without `/api/public/core/v1`. Takes a token, a function that returns one, or a user.

    A call that fails temporarily is retried for `patience` seconds, for example during a restart, at most `attempts` times.
    """

    def __init__(
        self,
        store: str,
        *,
        token: str | Callable[[], str] | None = None,
        user: tuple[str, str] | None = None,
        attempts: int | None = None,
        patience: float = 180.0,
        result_timeout: float = 60.0,
        client: httpx.Client | None = None,
    ) -> None:
        if (token is None) == (user is None):
            raise ValueError("pass either a token or a user")
        self._base = store.rstrip("/").removesuffix(PREFIX) + PREFIX
        self._token = token
        self._user = user
        self._attempts = attempts
        self._patience = patience
        self._result_timeout = result_timeout
        self._is_own = client is None
        self._client = client or httpx.Client(timeout=70.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; a client that was passed in stays open."""
        if self._is_own:
            self._client.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        image: bytes | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Calls any operation, by its path under `/api/public/core/v1`; returns JSON, a picture's bytes, or None.

        After a temporary failure, it retries after the time that the response states; a write keeps its Idempotency-Key.
        """
        return _content_of(self._send(method, path, body=body, query=query, image=image, idempotency_key=idempotency_key))

    def _send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        image: bytes | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        key = idempotency_key or str(uuid.uuid4())
        parameters = {name: text for name, value in (query or {}).items() if (text := _query_text(value)) is not None}
        until = time.monotonic() + self._patience
        attempt = 0
        while True:
            attempt += 1
            headers = {"authorization": self._authorization(), "accept": "application/json, image/png, */*;q=0.1"}
            if method != "GET":
                headers["idempotency-key"] = key
            wait = min(2.0 ** (attempt - 2), MAX_WAIT_S)
            cause: Exception | None = None
            try:
                answer = self._client.request(
                    method,
                    self._base + path,
                    params=parameters,
                    headers=headers,
                    json=body,
                    files=None if image is None else {"imageFile": ("image", image)},
                )
            except httpx.TransportError as error:
                cause, problem = error, _unanswered("No response", str(error) or type(error).__name__)
            else:
                if answer.is_success:
                    return answer
                problem = _problem_of(answer)
                if problem["status"] not in PASSING and problem["type"] != KEY_IN_USE:
                    raise ShelfwireError(problem)
                wait = _seconds_of(answer, wait)
            wait = _jittered(wait)
            if attempt == self._attempts or time.monotonic() + wait > until:
                raise ShelfwireError(problem) from cause
            time.sleep(wait)

    def patch_items(self, rows: Sequence[ItemPatch], *, key: str | None = None) -> Result:
        """Updates or creates any number of items; returns the outcome of each once all are stored.

        With the `key` of a failed write, and the same rows, it continues where that write ended.
        """
        return self._in_parts("PATCH", "/items", rows, "items", key=key)

    def delete_items(self, item_ids: Sequence[str], *, key: str | None = None) -> Result:
        """Deletes any number of items by their ids."""
        return self._in_parts("DELETE", "/items", item_ids, "items", field="itemIds", key=key)

    def patch_labels(self, rows: Sequence[LabelPatch], *, key: str | None = None) -> Result:
        """Sets any number of labels and their links."""
        return self._in_parts("PATCH", "/labels", rows, "labels", key=key)

    def unlink_label(self, barcode: str, display_position: int | None = None) -> Result:
        """Unlinks all items of a label, or only the item at a position."""
        position = "" if display_position is None else f"/{display_position}"
        return self._accepted("labels", "DELETE", f"/labels/{_id(barcode)}/links{position}")

    def unlink_item(self, item_id: str) -> Result:
        return self._accepted("labels", "DELETE", f"/items/{_id(item_id)}/links")

    def link_label(self, barcode: str, item: str, *, display_position: int = 0, timeout_ms: int = 10_000) -> str:
        """Links one label to an item, by its id or a SIC, and waits for the picture: LINKED, PENDING or FAILED."""
        body = {"barcode": barcode, "linkedItemId": item, "displayPosition": display_position}
        answer = self.call("POST", "/labels/link-single", query={"timeout": timeout_ms}, body=body)
        return str(answer["status"])

    def item(self, item_id: str, projection: Projection | None = None) -> Item:
        return cast(Item, self.call("GET", f"/items/{_id(item_id)}", query={"projection": projection})["value"])

    def label(self, barcode: str, projection: Projection | None = None) -> Label:
        return cast(Label, self.call("GET", f"/labels/{_id(barcode)}", query={"projection": projection}))

    def label_image(self, barcode: str) -> bytes:
        """Returns the PNG of a label's first page."""
        return bytes(self.call("GET", f"/labels/{_id(barcode)}/image"))

    def items(
        self, projection: Projection = "L", page_size: int = 1_000, *, serialize_dates_to_iso8601: bool | None = None
    ) -> Iterator[Item]:
        """Yields all items, page by page, in order of their ids."""
        query = {"projection": projection, "serializeDatesToIso8601": serialize_dates_to_iso8601}
        return cast(Iterator[Item], self._pages("/items", query, page_size))

    def labels(
        self,
        *,
        barcodes: Sequence[str] | None = None,
        item_ids: Sequence[str] | None = None,
        model_name: str | Sequence[str] | None = None,
        pl_location: str | Sequence[str] | None = None,
        link_department: str | Sequence[str] | None = None,
        pl_state: Sequence[PlState] | None = None,
        battery_state: Sequence[BatteryState] | None = None,
        replace_within: int | None = None,
        projection: Projection | None = None,
        sort_property: str | None = None,
        sort_direction: Literal["ASC", "DESC"] | None = None,
        serialize_dates_to_iso8601: bool | None = None,
        page_size: int = 1_000,
    ) -> Iterator[Label]:
        """Yields all labels that match the filters, page by page."""
        query = {
            "projection": projection,
            "filter[barcode]": barcodes,
            "filter[itemId]": item_ids,
            "filter[modelName]": _list_of(model_name),
            "filter[plLocation]": _list_of(pl_location),
            "filter[linkDepartment]": _list_of(link_department),
            "filter[plState]": pl_state,
            "filter[batteryState]": battery_state,
            "replaceWithin": replace_within,
            "sortProperty": sort_property,
            "sortDirection": sort_direction,
            "serializeDatesToIso8601": serialize_dates_to_iso8601,
        }
        return cast(Iterator[Label], self._pages("/labels", query, page_size))

    def tail(self) -> Iterator[str]:
        """Yields the barcodes of labels as they change, without end.

        If the connection breaks, it is opened again after the last change that arrived.
        """
        last_id: str | None = None
        failures = 0
        while True:
            headers = {"authorization": self._authorization(), "accept": "text/event-stream"}
            if last_id is not None:
                headers["last-event-id"] = last_id
            wait = 1.0
            try:
                with self._client.stream("GET", f"{self._base}/labels/tail", headers=headers) as answer:
                    if answer.is_success:
                        failures = 0
                        for name, value in _fields_of(answer.iter_lines()):
                            if name == "id":
                                last_id = value
                            if name == "data":
                                yield str(json.loads(value)["barcode"])
                    else:
                        answer.read()
                        problem = _problem_of(answer)
                        if problem["status"] not in PASSING:
                            raise ShelfwireError(problem)
                        wait = _seconds_of(answer, wait)
            except httpx.TransportError:
                failures += 1
                wait = min(2.0 ** (failures - 1), MAX_WAIT_S)
            time.sleep(_jittered(wait))

    def flash_label(self, barcode: str, flash: Flash | None = None) -> str:
        """Flashes one label: returns OK, UNSUPPORTED or UNREACHABLE."""
        return str(self.call("POST", f"/labels/{_id(barcode)}/flash", body=flash or {})["result"])

    def flash_item(self, item: str, flash: Flash | None = None) -> list[FlashResult]:
        """Flashes every label that shows an item, by its id or a SIC."""
        return list(self.call("POST", f"/items/{_id(item)}/flash", body=flash or {})["results"])

    def set_page_image(self, item_id: str, page: int, image: bytes, *, resize: Literal[0, 1, 2] = 1) -> Result:
        """Replaces the image of a page of an item: PNG, JPEG, BMP or GIF."""
        return self._accepted("items", "POST", f"/items/{_id(item_id)}/page/{page}", image=image, query={"resize": resize})

    def result(self, kind: Kind, request_id: int) -> Result:
        """Returns the result of a request once all rows have their outcome, or raises a ShelfwireError of status 0."""
        until = time.monotonic() + self._result_timeout
        wait = FIRST_POLL_S
        path = f"/{kind}-result/{request_id}"
        field = "itemResults" if kind == "items" else "results"
        # Polling with rows would transfer rows that nobody reads before the request is complete.
        without_rows = {"excludeItemResults" if kind == "items" else "excludeResults": True}
        while True:
            status = self.call("GET", path, query=without_rows)["status"]
            if status == "COMPLETED":
                rows = self.call("GET", path)[field]
                return Result([cast(Outcome, {"row": row, **outcome}) for row, outcome in enumerate(rows)])
            if time.monotonic() > until:
                raise ShelfwireError(_unanswered("No result yet", f"the request {request_id} is still {status}"))
            time.sleep(wait)
            wait = min(wait * 1.5, MAX_POLL_S)

    def _accepted(self, kind: Kind, method: str, path: str, **call: Any) -> Result:
        return self.result(kind, self.call(method, path, **call)["requestId"])

    def _in_parts(
        self, method: str, path: str, rows: Sequence[Any], kind: Kind, *, field: str | None = None, key: str | None = None
    ) -> Result:
        """Sends more rows than one request may contain as several requests, in order; combines their results."""
        key = key or str(uuid.uuid4())
        applied: list[Outcome] = []
        not_sent = 0
        for index, part in enumerate(_parts_of(rows)):
            first = not_sent
            try:
                body = part if field is None else {field: part}
                receipt = self.call(method, path, body=body, idempotency_key=f"{key}.{index}")
                not_sent += len(part)
                row_of = _rows_of_outcomes(part)
                for place, outcome in enumerate(self.result(kind, receipt["requestId"]).rows):
                    applied.append({**outcome, "row": first + (row_of[place] if place < len(row_of) else place)})
            except ShelfwireError as error:
                problem = _with_rows(error.problem, first, field)
                raise ShelfwireError(problem, applied=applied, not_sent=not_sent, key=key) from error
        return Result(applied)

    def _pages(self, path: str, query: Mapping[str, Any], limit: int) -> Iterator[Any]:
        """Yields the entries of a list. Each page's link continues after its last entry, even if entries change meanwhile."""
        after: str | None = None
        while True:
            answer = self._send("GET", path, query={**query, "limit": limit, "after": after})
            yield from answer.json()
            following = answer.links.get("next")
            if following is None:
                return
            after = httpx.URL(following["url"]).params["after"]

    def _authorization(self) -> str:
        if self._user is not None:
            return "Basic " + base64.b64encode(":".join(self._user).encode()).decode()
        return f"Bearer {self._token() if callable(self._token) else self._token}"


def _id(text: str) -> str:
    """Encodes an id as a segment of a path. Some ids cannot be segments: they would address another resource."""
    if text in ("", ".", ".."):
        raise ValueError(f'the id "{text}" cannot be used in a path')
    return quote(text, safe="")


def _list_of(value: str | Sequence[str] | None) -> Sequence[str] | None:
    return [value] if isinstance(value, str) else value


def _jittered(seconds: float) -> float:
    """Lengthens a wait by up to a half, so that many clients do not return at the same time."""
    return seconds * (1.0 + random.random() / 2.0)


def _unanswered(title: str, detail: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": title, "status": 0, "detail": detail}


def _fields_of(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yields the fields of server-sent events, without comments."""
    for line in lines:
        name, colon, value = line.partition(":")
        if name and colon:
            yield name, value.removeprefix(" ")


def _rows_of_outcomes(rows: Sequence[Any]) -> list[int]:
    """Returns the row's index for each outcome of a request: a row of labels has one outcome for each of its links."""
    counts = [max(1, len(row.get("links") or ())) if isinstance(row, Mapping) and "barcode" in row else 1 for row in rows]
    return [index for index, count in enumerate(counts) for _ in range(count)]


def _with_rows(problem: Mapping[str, Any], first: int, field: str | None) -> Mapping[str, Any]:
    """Returns a problem whose faults refer to the caller's rows; the refused request had the rows from `first` on."""
    if first == 0 or "errors" not in problem:
        return problem
    before = "/" if field is None else f"/{field}/"

    def moved(fault: Mapping[str, Any]) -> Mapping[str, Any]:
        row, *rest = fault["pointer"].removeprefix(before).split("/")
        if not fault["pointer"].startswith(before) or not row.isdigit():
            return fault
        return {**fault, "pointer": before + "/".join([str(first + int(row)), *rest])}

    errors = [moved(fault) for fault in problem["errors"]]
    detail = problem["detail"]
    # The sentence names the first fault by its place.
    for was, fault in zip(problem["errors"][:1], errors):
        detail = detail.replace(f" {was['pointer']} ", f" {fault['pointer']} ", 1)
    return {**problem, "errors": errors, "detail": detail}


def _parts_of(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Splits rows into parts that fit into one request, by their number and size."""
    part: list[Any] = []
    size = 0
    for row in rows:
        more = len(json.dumps(row)) + 1
        if len(part) == MAX_ROWS or (part and size + more > MAX_BYTES):
            yield part
            part, size = [], 0
        part.append(row)
        size += more
    if part:
        yield part


def _seconds_of(answer: httpx.Response, otherwise: float) -> float:
    """Returns the seconds in `Retry-After`; a proxy may send a date instead."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isdigit() else otherwise


def _query_text(value: Any) -> str | None:
    """Encodes a value of a query; values of a list are separated by commas, and `\\,` is a comma within a value."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence):
        return ",".join(str(one).replace(",", "\\,") for one in value)
    return str(value)


def _content_of(answer: httpx.Response) -> Any:
    if answer.status_code == 204:
        return None
    return answer.json() if "json" in answer.headers.get("content-type", "") else answer.content


def _problem_of(answer: httpx.Response) -> dict[str, Any]:
    """Returns the problem in a response; a response from a proxy in front of Shelfwire contains no document."""
    if answer.headers.get("content-type", "").startswith("application/problem+json"):
        return dict(answer.json())
    status, title = answer.status_code, answer.reason_phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": answer.text[:200]}


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> list[Event]:
    """Returns the events in a webhook's call, whose bytes as received are `body`.

    Raises ValueError if the signature is not Shelfwire's, or if its time differs from now by more than five minutes
    (Standard Webhooks).
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = lower.get("webhook-id", ""), lower.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs((time.time() if now is None else now) - int(timestamp)) > MAX_AGE_S:
        raise ValueError("the webhook's call is too old or from the future")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = lower.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(one.removeprefix("v1,").encode(), expected.encode()) for one in given):
        raise ValueError("the webhook's call is not signed with this secret")
    events = json.loads(body)
    return events if isinstance(events, list) else [events]
