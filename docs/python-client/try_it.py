"""What a test runs: STORE, API_USER, PASSWORD and RESULT_TIMEOUT from the environment; a label's barcode, a picture's file and a webhook's call."""

import json
import os
import pathlib
import sys

import httpx
from shelfwire import Shelfwire, ShelfwireError, verify_webhook

barcode, picture, call = sys.argv[1:]
credentials = {"user": (os.environ["API_USER"], os.environ["PASSWORD"])}
with Shelfwire(os.environ["STORE"], **credentials, result_timeout=float(os.environ["RESULT_TIMEOUT"])) as store:
    print(len(store.patch_items([{"itemId": f"py {n}", "itemName": "Juice", "price": "1.99"} for n in range(25)]).failed))
    result = store.patch_labels([{"barcode": barcode, "links": [{"itemId": "py 1"}]}, {"barcode": "none", "links": [{"itemId": "py 1"}]}])
    print([row["status"] for row in result.rows])
    # The first picture of a stack can take longer on a busy machine.
    tries = (store.link_label(barcode, "py 2", timeout_ms=30_000) for _ in range(9))
    print(next((status for status in tries if status == "LINKED"), "no picture"))
    print(sorted(item["itemId"] for item in store.items("S", page_size=10) if item["itemId"].startswith("py"))[:2])
    print([label["barcode"] == barcode for label in store.labels(barcodes=[barcode], page_size=5)])
    print(store.item("py 2")["links"][0]["barcode"] == barcode, store.label_image(barcode)[1:4])
    print(store.flash_label(barcode, {"color": "#ff0000"}), store.flash_item("py 2")[0]["result"])
    try:
        store.patch_items([{"itemId": "py 1", "price": True}])
    except ShelfwireError as error:
        print(error, error.faults)
    print(store.set_page_image("py 2", 0, pathlib.Path(picture).read_bytes()).rows[0]["status"])
    print(store.unlink_label(barcode).rows[0]["status"], store.delete_items(["py 3"]).rows[0]["status"])

webhook = json.loads(pathlib.Path(call).read_text())
body, now = webhook["body"].encode(), webhook["at"]


def is_taken(secret: str, headers: dict[str, str], body: bytes, now: float) -> bool:
    try:
        return bool(verify_webhook(secret, headers, body, now))
    except ValueError:
        return False


print(verify_webhook(webhook["secret"], webhook["headers"], body, now)[0]["type"])
print(
    is_taken(webhook["secret"], webhook["headers"], body + b" ", now),
    is_taken(webhook["secret"], webhook["headers"], body, now + 301),
    is_taken("whsec_" + "A" * 32, webhook["headers"], body, now),
    is_taken(webhook["secret"], {}, body, now),
)

sent: list[list[object]] = []
passing = [httpx.Response(503, text="down", headers={"retry-after": "Mon, 01 Mar 2027 08:00:00 GMT"}), httpx.Response(502, headers={"retry-after": "0"})]


def answer(request: httpx.Request) -> httpx.Response:
    """A store that reports each request as completed, and a proxy that knows no labels."""
    if "/labels/" in request.url.path:
        return passing.pop(0) if passing else httpx.Response(421, json={"message": "no such host"})
    if request.method != "GET":
        sent.append(json.loads(request.content))
        return httpx.Response(202, json={"requestId": len(sent)})
    return httpx.Response(200, json={"status": "COMPLETED", "itemResults": []})


with Shelfwire("http://a", token="t", client=httpx.Client(transport=httpx.MockTransport(answer))) as store:
    store.patch_items([{"itemId": str(n)} for n in range(20_001)])
    first = [len(rows) for rows in sent]
    sent.clear()
    large = {str(n): "x" * 32_768 for n in range(64)}
    store.patch_items([{"itemId": str(n), "properties": large} for n in range(17)])
    print(first, [len(rows) for rows in sent])
    try:
        store.label("A")
    except ShelfwireError as error:
        print(error.status, error.problem["title"], len(passing))
    refused = []
    for one in ("", ".", "..", "..."):
        try:
            store.item(one)
        except ValueError:
            refused.append(one)
        except KeyError:
            pass
    print(refused)

keys: list[str] = []
is_down = [True]


def many(request: httpx.Request) -> httpx.Response:
    """A store that refuses the second request of a write until it is up."""
    if request.method == "GET":
        rows = [{"status": "SUCCESS", "errors": []}] * (20_000 if request.url.path.endswith("/1") else 1)
        return httpx.Response(200, json={"status": "COMPLETED", "itemResults": rows})
    keys.append(request.headers["idempotency-key"])
    if keys[-1].endswith(".0"):
        return httpx.Response(202, json={"requestId": 1})
    if not is_down[0]:
        return httpx.Response(202, json={"requestId": 2})
    problem = {"type": "/problems/invalid-request", "title": "Invalid", "status": 400, "detail": "It has 1 fault: /0/price must be a string."}
    faults = [{"pointer": "/0/price", "detail": "must be a string"}]
    return httpx.Response(400, json={**problem, "errors": faults}, headers={"content-type": "application/problem+json"})


with Shelfwire("http://a", token="t", client=httpx.Client(transport=httpx.MockTransport(many))) as store:
    rows = [{"itemId": str(n)} for n in range(20_001)]
    try:
        store.patch_items(rows)
    except ShelfwireError as error:
        print(error.faults[0]["pointer"], error.problem["detail"], error.not_sent, error.applied[-1]["row"], error.key is not None)
        is_down[0] = False
        print(store.patch_items(rows, key=error.key).rows[-1]["row"], keys[:2] == keys[2:])


def links(request: httpx.Request) -> httpx.Response:
    if request.method != "GET":
        return httpx.Response(202, json={"requestId": 1})
    return httpx.Response(200, json={"status": "COMPLETED", "results": [{"status": "SUCCESS", "errors": []}] * 4})


with Shelfwire("http://a", token="t", client=httpx.Client(transport=httpx.MockTransport(links))) as store:
    two = [{"itemId": "1"}, {"itemId": "2", "displayPosition": 1}]
    print([row["row"] for row in store.patch_labels([{"barcode": "a"}, {"barcode": "b", "links": two}, {"barcode": "c"}]).rows])


def down(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("down")


with Shelfwire("http://a", token="t", patience=0, client=httpx.Client(transport=httpx.MockTransport(down))) as store:
    try:
        store.item("1")
    except ShelfwireError as error:
        print(error)

asked: list[str | None] = []


def changes(request: httpx.Request) -> httpx.Response:
    asked.append(request.headers.get("last-event-id"))
    count = len(asked)
    return httpx.Response(200, text=f': hello\n\nid: {count}-0\nevent: label\ndata: {{"barcode": "A{count}"}}\n\n')


with Shelfwire("http://a", token="t", client=httpx.Client(transport=httpx.MockTransport(changes))) as store:
    tail = store.tail()
    print([next(tail), next(tail)], asked)
