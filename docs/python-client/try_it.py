"""What a test runs against a store: STORE and TOKEN or USER and PASSWORD from the environment, a label's barcode."""

import os
import sys

from shelfwire import Shelfwire, ShelfwireError

barcode = sys.argv[1]
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
    print(store.unlink_label(barcode).rows[0]["status"], store.delete_items(["py 3"]).rows[0]["status"])
