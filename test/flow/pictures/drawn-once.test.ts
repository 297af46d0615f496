import test from "ava";
import { SILENCE_MS } from "../../../queues/walks/wait-for-choices.ts";
import { walks } from "../../../records/kinds/work.ts";
import type { PublicationAnswer } from "../../../schemas/publication.ts";
import { bodyOf, writeItems, writeLabels } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { textCanvas } from "../../api/management/text-canvas.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** A canvas and rules that are published together are one change for a label, since each picture costs battery. */
const shelfwire = ownStack();
const call = (method: string, path: string, body?: unknown) => manage(shelfwire, method, path, body, {});

const itemIds = Array.from({ length: 60 }, (_, index) => `once-${index}`);
const receivedBy = (itemId: string) => shelfwire.labelServer.labels.get(labelFor(itemId))?.pages.get(0)?.received ?? 0;
const receipts = () => itemIds.map(receivedBy);

const draft = async (path: string, content: object) => bodyOf(await call("PUT", `${path}/draft`, { content }));
const canvas = (text: string) => textCanvas(text, `\${item.price} ${text}`);
const designOf = (canvasId: string) => ({ name: canvasId, canvasId, compatible_esltype_ids: [1328] });
const packOf = (design: string) => ({
  name: "Rules",
  scenarios: [{ id: "all", name: "All", design_ids: [design], children: [] }],
});

const subjects = ["communication-packs", "designs", "canvas-designs"] as const;
async function publish(drafts: readonly [subject: (typeof subjects)[number], id: string, content: object][]) {
  for (const [subject, id, content] of drafts) await draft(`/${subject}/${id}`, content);
  const named = drafts.map(([subject, id]) => ({ subject, id }));
  const answer = await call("POST", "/publications", { drafts: named, activate: "rules", force: true });
  const { state } = await bodyOf<PublicationAnswer>(answer, 201);
  if (state !== "DONE") throw new Error(`the publication is ${state}`);
}

const untilWalksEnd = () =>
  eventually("the walks have ended", async () => {
    const open = shelfwire.system.db.collection(walks.name).countDocuments({ finishedAt: null, reason: /is at rev/ });
    return (await open) === 0;
  });

test.serial("when a canvas and rules are published together, each label is drawn once", async (t) => {
  await publish([
    ["canvas-designs", "plain", canvas("plain")],
    ["designs", "plain", designOf("plain")],
    ["communication-packs", "rules", packOf("plain")],
  ]);
  await untilWalksEnd();
  await writeItems(
    shelfwire,
    itemIds.map((itemId) => ({ itemId, price: "1.00" })),
  );
  await writeLabels(
    shelfwire,
    itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] })),
  );
  await eventually("every label is drawn", async () => receipts().every((received) => received > 0));
  await shelfwire.assertNothingStale();
  const before = receipts();
  const startedAt = performance.now();
  await publish([
    ["canvas-designs", "plain", canvas("changed")],
    ["canvas-designs", "fresh", canvas("fresh")],
    ["designs", "fresh", designOf("fresh")],
    ["communication-packs", "rules", packOf("fresh")],
  ]);
  await eventually("every label is drawn again", async () =>
    receipts().every((received, index) => received > (before[index] ?? 0)),
  );
  await untilWalksEnd();
  const tookMs = performance.now() - startedAt;
  await shelfwire.assertNothingStale();
  // On a very busy machine a walk may stop waiting for the rules, and labels are drawn twice.
  if (tookMs < SILENCE_MS)
    t.deepEqual(
      receipts().map((received, index) => received - (before[index] ?? 0)),
      itemIds.map(() => 1),
    );
  t.pass();
});
