import test from "ava";
import { openRequestsNaming } from "../../../records/requests/requests-naming.ts";
import { pageDrawingsKey, storeKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const store = storeKey("demo", "main");
const MANY = 25;

test("however many images wait to be drawn, the requests that name an id are found", async (t) => {
  const { accept, journal, db } = own.system;
  const patch = (itemId: string) => accept({ store, operation: "patch-items", rows: [{ itemId }], ordered: false });
  // A number above those of the drawings.
  for (let number = 0; number < MANY; number += 1) {
    const [chunk] = await patch("applied");
    await journal.settle(new Map([[chunk?._id ?? "", []]]));
  }
  const [asked] = await patch("asked");
  for (let drawing = 0; drawing < MANY; drawing += 1)
    await accept({
      store: pageDrawingsKey(store),
      operation: "draw-pages",
      rows: [{ itemId: "another", stamp: 1 }],
      ordered: false,
    });
  const { naming, isCut } = await openRequestsNaming(db)(store, ["asked"]);
  t.deepEqual(
    naming.map(({ number, operation }) => [number, operation]),
    [[asked?.number, "patch-items"]],
  );
  t.true(isCut);
});
