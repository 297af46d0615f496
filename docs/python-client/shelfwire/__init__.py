"""A client for the interface of a Shelfwire store."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypedDict
from urllib.parse import quote

import httpx

__all__ = ["ItemPatch", "LabelPatch", "LinkRow", "Result", "Shelfwire", "ShelfwireError", "verify_webhook"]

Projection = Literal["S", "M", "L"]
Kind = Literal["items", "labels"]

PREFIX = "/api/public/core/v1"
MAX_ROWS = 20_000
# Less than the size limit of a body, to leave room for the separators between rows.
MAX_BYTES = 31 * 2**20
FIRST_POLL_S = 0.1
MAX_POLL_S = 2.0
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


class ShelfwireError(Exception):
    """A call was rejected, or its last attempt failed; `problem` is the document of RFC 9457."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{problem['status']} {problem['title']}: {problem['detail']}")
        self.problem = problem

    @property
    def status(self) -> int:
        return int(self.problem["status"])

    @property
    def faults(self) -> list[dict[str, str]]:
        """Every fault of the request with its JSON Pointer."""
        return list(self.problem.get("errors", []))


@dataclass(frozen=True)
class Result:
    """The result of a request: all rows, in order."""

    rows: list[dict[str, Any]]

    @property
    def failed(self) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["status"] not in GOOD]


class Shelfwire:
    """A store, by its base address with or without `/api/public/core/v1`. Takes a token, a function for one, or a user."""

    def __init__(
        self,
        store: str,
        *,
        token: str | Callable[[], str] | None = None,
        user: tuple[str, str] | None = None,
        attempts: int = 5,
        result_timeout: float = 60.0,
        client: httpx.Client | None = None,
    ) -> None:
        if (token is None) == (user is None):
            raise ValueError("pass either a token or a user")
        self._base = store.rstrip("/").removesuffix(PREFIX) + PREFIX
        self._token = token
        self._user = user
        self._attempts = attempts
        self._result_timeout = result_timeout
        self._is_own = client is None
        self._client = client or httpx.Client(timeout=70.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; those of a client that was passed in stay open."""
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
        """Calls any operation, by its path below `/api/public/core/v1`; returns JSON, a picture's bytes, or None.

        Temporary failures are retried after the time stated in the answer, writes with the same Idempotency-Key.
        """
        key = idempotency_key or str(uuid.uuid4())
        parameters = {name: text for name, value in (query or {}).items() if (text := _query_text(value)) is not None}
        for attempt in range(1, self._attempts + 1):
            headers = {"authorization": self._authorization(), "accept": "application/json, image/png, */*;q=0.1"}
            if method != "GET":
                headers["idempotency-key"] = key
            try:
                answer = self._client.request(
                    method,
                    self._base + path,
                    params=parameters,
                    headers=headers,
                    json=body,
                    files=None if image is None else {"imageFile": ("image", image)},
                )
            except httpx.TransportError:
                if attempt == self._attempts:
                    raise
                time.sleep(2.0 ** (attempt - 2))
                continue
            if answer.is_success:
                return _content_of(answer)
            problem = _problem_of(answer)
            is_passing = problem["status"] in PASSING or problem["type"] == KEY_IN_USE
            if not is_passing or attempt == self._attempts:
                raise ShelfwireError(problem)
            time.sleep(_seconds_of(answer, 2.0 ** (attempt - 2)))
        raise AssertionError("attempts must be at least 1")

    def patch_items(self, rows: Sequence[ItemPatch]) -> Result:
        """Updates or creates any number of items; returns the outcome of each once all are stored."""
        return self._in_parts("PATCH", "/items", rows, "items")

    def delete_items(self, item_ids: Sequence[str]) -> Result:
        """Deletes any number of items by their ids."""
        return self._in_parts("DELETE", "/items", item_ids, "items", lambda part: {"itemIds": part})

    def patch_labels(self, rows: Sequence[LabelPatch]) -> Result:
        """Sets any number of labels and their links."""
        return self._in_parts("PATCH", "/labels", rows, "labels")

    def unlink_label(self, barcode: str, display_position: int | None = None) -> Result:
        """Unlinks all items of a label, or the one at a position."""
        position = "" if display_position is None else f"/{display_position}"
        return self._accepted("labels", "DELETE", f"/labels/{_id(barcode)}/links{position}")

    def unlink_item(self, item_id: str) -> Result:
        return self._accepted("labels", "DELETE", f"/items/{_id(item_id)}/links")

    def link_label(self, barcode: str, item: str, *, display_position: int = 0, timeout_ms: int = 10_000) -> str:
        """Links one label to an item, by its id or a SIC, and waits for the picture: LINKED, PENDING or FAILED."""
        body = {"barcode": barcode, "linkedItemId": item, "displayPosition": display_position}
        answer = self.call("POST", "/labels/link-single", query={"timeout": timeout_ms}, body=body)
        return str(answer["status"])

    def item(self, item_id: str, projection: Projection | None = None) -> dict[str, Any]:
        return dict(self.call("GET", f"/items/{_id(item_id)}", query={"projection": projection})["value"])

    def label(self, barcode: str, projection: Projection | None = None) -> dict[str, Any]:
        return dict(self.call("GET", f"/labels/{_id(barcode)}", query={"projection": projection}))

    def label_image(self, barcode: str) -> bytes:
        """The PNG of a label's first page."""
        return bytes(self.call("GET", f"/labels/{_id(barcode)}/image"))

    def items(self, projection: Projection = "L", page_size: int = 1_000) -> Iterator[dict[str, Any]]:
        """All items, page by page, in order of their ids."""
        return self._pages("/items", {"projection": projection}, page_size)

    def labels(
        self,
        *,
        barcodes: Sequence[str] | None = None,
        modelName: str | None = None,
        plState: Sequence[str] | None = None,
        batteryState: Sequence[str] | None = None,
        projection: Projection | None = None,
        page_size: int = 1_000,
    ) -> Iterator[dict[str, Any]]:
        """All labels that match the filters, page by page."""
        query = {
            "projection": projection,
            "filter[barcode]": barcodes,
            "filter[modelName]": modelName,
            "filter[plState]": plState,
            "filter[batteryState]": batteryState,
        }
        return self._pages("/labels", query, page_size)

    def flash_label(self, barcode: str, flash: Flash | None = None) -> str:
        """OK, UNSUPPORTED or UNREACHABLE."""
        return str(self.call("POST", f"/labels/{_id(barcode)}/flash", body=flash or {})["result"])

    def flash_item(self, item: str, flash: Flash | None = None) -> list[dict[str, str]]:
        """Flashes every label that shows an item, by its id or a SIC."""
        return list(self.call("POST", f"/items/{_id(item)}/flash", body=flash or {})["results"])

    def set_page_image(self, item_id: str, page: int, image: bytes, *, resize: Literal[0, 1, 2] = 1) -> Result:
        """Replaces the image of a page of an item: PNG, JPEG, BMP or GIF."""
        return self._accepted("items", "POST", f"/items/{_id(item_id)}/page/{page}", image=image, query={"resize": resize})

    def result(self, kind: Kind, request_id: int) -> Result:
        """The result of an accepted request, once all of its rows have their outcome. Raises TimeoutError."""
        until = time.monotonic() + self._result_timeout
        wait = FIRST_POLL_S
        while True:
            answer = self.call("GET", f"/{kind}-result/{request_id}")
            if answer["status"] == "COMPLETED":
                return Result(answer["itemResults" if kind == "items" else "results"])
            if time.monotonic() > until:
                raise TimeoutError(f"request {request_id} is still {answer['status']}")
            time.sleep(wait)
            wait = min(wait * 1.5, MAX_POLL_S)

    def _accepted(self, kind: Kind, method: str, path: str, **call: Any) -> Result:
        return self.result(kind, self.call(method, path, **call)["requestId"])

    def _in_parts(
        self, method: str, path: str, rows: Sequence[Any], kind: Kind, body_of: Callable[[list[Any]], Any] = list
    ) -> Result:
        """Sends more rows than one request may contain as several requests, in order; combines their results."""
        outcomes: list[dict[str, Any]] = []
        for part in _parts_of(rows):
            outcomes.extend(self._accepted(kind, method, path, body=body_of(part)).rows)
        return Result(outcomes)

    def _pages(self, path: str, query: Mapping[str, Any], limit: int) -> Iterator[dict[str, Any]]:
        start = 0
        while True:
            page = self.call("GET", path, query={**query, "start": start, "limit": limit})
            yield from page
            if len(page) < limit:
                return
            start += limit

    def _authorization(self) -> str:
        if self._user is not None:
            return "Basic " + base64.b64encode(":".join(self._user).encode()).decode()
        return f"Bearer {self._token() if callable(self._token) else self._token}"


def _id(text: str) -> str:
    """An id as a segment of a path. Some ids cannot be segments: without this check they would address another."""
    if text in ("", ".", ".."):
        raise ValueError(f'the id "{text}" cannot be used in a path')
    return quote(text, safe="")


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
    """The seconds in `Retry-After`; a proxy may send a date."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isdigit() else otherwise


def _query_text(value: Any) -> str | None:
    """A value of a query; those of a list are separated by commas, and `\\,` is a comma within a value."""
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
    """The problem in an answer; an answer from a proxy in front of Shelfwire contains no document."""
    if answer.headers.get("content-type", "").startswith("application/problem+json"):
        return dict(answer.json())
    status, title = answer.status_code, answer.reason_phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": answer.text[:200]}


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> list[dict[str, Any]]:
    """The events in a webhook's call, where `body` is its bytes as received.

    Raises ValueError where the signature is not Shelfwire's, or is older than five minutes (Standard Webhooks).
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
