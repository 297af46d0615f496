import { setTimeout } from "node:timers/promises";
import test from "ava";
import { links } from "../../../records/kinds/links.ts";
import { linkIdOf } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { addModel, bodyOf, type LabelBody, numberOf, untilTaken, writeItems, writeLabels } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor, labelOutcomes } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

/** Concurrent calls that change one label's links, over the real API, with two link workers. */
let shelfwire: Shelfwire;
/** Each round starts two calls later in the list, so every second of the six calls is the first call of a round. */
const ROUNDS = 3;
const POSITIONS = 2;
/** Leaves processor time to the concurrent calls. */
const READ_PAUSE_MS = 25;
const itemIds = Array.from({ length: 6 }, (_, index) => `item ${index}`);

test.before(async () => {
  shelfwire = await openShelfwire();
  await shelfwire.openWorker("link");
  await addModel(shelfwire, { name: "Two", labelTypes: [1328], linkPositions: POSITIONS });
  await writeItems(
    shelfwire,
    itemIds.map((itemId) => ({ itemId, itemName: itemId, price: "1.99" })),
  );
});
test.after.always(() => shelfwire.close());

interface Sent {
  /** Absent for link-single, whose response has no number. */
  number?: number;
  /** The items that the call links, by position. */
  puts: ReadonlyMap<number, string>;
}

/** Returns the calls of a round: each kind of call that links, with positions and items that differ from round to round. */
function callsOf(barcode: string, round: number): (() => Promise<Sent>)[] {
  const itemAt = (index: number): string => itemIds[(round + index) % itemIds.length] ?? "";
  const request = async (method: string, path: string, body: unknown, puts: [number, string][]): Promise<Sent> => ({
    number: await numberOf(await untilTaken(() => shelfwire.call(method, path, body))),
    puts: new Map(puts),
  });
  const patchLabels = (...puts: [number, string][]) => {
    const rows = puts.map(([displayPosition, itemId]) => ({ displayPosition, itemId }));
    return request("PATCH", "/labels", [{ barcode, links: rows }], puts);
  };
  return [
    () => patchLabels([0, itemAt(0)]),
    () => patchLabels([0, itemAt(1)], [1, itemAt(2)]),
    () => patchLabels([1, itemAt(3)]),
    () => request("POST", "/links", { barcode, itemId: itemAt(4), displayPosition: 0 }, [[0, itemAt(4)]]),
    () => request("PATCH", `/links/${linkIdOf(barcode, 0)}`, { itemId: itemAt(5) }, [[0, itemAt(5)]]),
    async () => {
      const single = { barcode, itemId: itemAt(2), displayPosition: 1 };
      await bodyOf(await untilTaken(() => shelfwire.call("POST", "/labels/link-single?timeout=0", single)));
      return { puts: new Map([[1, itemAt(2)]]) };
    },
  ];
}

const linksOf = async (barcode: string): Promise<Link[]> =>
  shelfwire.system.db
    .collection<Link>(links.name)
    .find({ eslId: barcode })
    .sort({ displayPosition: 1 })
    .toArray() as Promise<Link[]>;

const positionsOf = (found: readonly { displayPosition: number }[]) =>
  found.map(({ displayPosition }) => displayPosition);

test.serial("concurrent calls for one label never leave two active links at one position", async (t) => {
  const barcode = labelFor("contested");
  const both = [0, 1].map((displayPosition) => ({ displayPosition, itemId: itemIds[0] ?? "" }));
  await writeLabels(shelfwire, [{ barcode, modelName: "Two", links: both }]);
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const reads: number[][] = [];
    const reading = (async () => {
      while (!isOver) {
        const label = await untilTaken(() => shelfwire.call("GET", `/labels/${barcode}`));
        reads.push(positionsOf((await bodyOf<LabelBody>(label)).links));
        await setTimeout(READ_PAUSE_MS);
      }
    })();
    const calls = callsOf(barcode, round);
    // Each round starts with a different call.
    const turned = [...calls.slice(2 * round), ...calls.slice(0, 2 * round)];
    const sent = await Promise.all(turned.map((call) => call()));
    await Promise.all(sent.map(async ({ number }) => number !== undefined && (await labelOutcomes(shelfwire, number))));
    isOver = true;
    await reading;

    t.true(reads.length > 0);
    for (const positions of reads) t.deepEqual(positions, [0, 1], "a relinked position always has exactly one link");
    const found = await linksOf(barcode);
    t.deepEqual(positionsOf(found), [0, 1], "a position has one record");
    for (const { status, displayPosition, itemId } of found) {
      t.is(status, "ACTIVE");
      const putting = sent.filter(({ puts }) => puts.has(displayPosition));
      const last = Math.max(...putting.map(({ number = 0 }) => number));
      // The number of link-single is unknown, so link-single may or may not be the last call. A later call with the same item
      // does not change the link.
      const mayWin = putting.filter(({ number }) => number === undefined || number === last);
      const items = mayWin.map(({ puts }) => puts.get(displayPosition));
      t.true(items.includes(itemId), `round ${round}, position ${displayPosition}: ${itemId} is not one of ${items}`);
    }
    await listedOnce(round, found);
  }

  async function listedOnce(round: number, found: readonly Link[]): Promise<void> {
    const lists = await Promise.all(
      itemIds.map(async (itemId) =>
        (
          await bodyOf<{ eslId: string; displayPosition: number }[]>(
            await untilTaken(() => shelfwire.call("GET", `/items/${encodeURIComponent(itemId)}/links`)),
          )
        )
          .filter(({ eslId }) => eslId === barcode)
          .map(({ displayPosition }) => ({ displayPosition, itemId })),
      ),
    );
    const listed = lists.flat().toSorted((one, other) => one.displayPosition - other.displayPosition);
    const linked = found.map(({ displayPosition, itemId }) => ({ displayPosition, itemId }));
    t.deepEqual(listed, linked, `round ${round}: each position is listed for its item and for no other item`);
  }
});

test.serial("after all these calls an audit finds nothing to repair", async (t) => {
  await eventually("the audit finds nothing", async () => {
    const found = await auditStore(shelfwire);
    return Object.values(found).every((stale) => stale === 0);
  });
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
