"""What a test runs: STORE, API_USER and PASSWORD from the environment; a label's barcode, a picture's file and a webhook's call."""

import json
import os
import pathlib
import sys

from shelfwire import Shelfwire, ShelfwireError, verify_webhook

barcode, picture, call = sys.argv[1:]
credentials = {"user": (os.environ["API_USER"], os.environ["PASSWORD"])}
with Shelfwire(os.environ["STORE"], **credentials) as store:
    print(len(store.patch_items([{"itemId": f"py {n}", "itemName": "Juice", "price": "1.99"} for n in range(25)]).failed))
    result = store.patch_labels([{"barcode": barcode, "links": [{"itemId": "py 1"}]}, {"barcode": "none", "links": [{"itemId": "py 1"}]}])
    print([row["status"] for row in result.rows])
    print(store.link_label(barcode, "py 2", timeout_ms=30_000))
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
