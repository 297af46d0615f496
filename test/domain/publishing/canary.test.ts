import test from "ava";
import { canaryCopies, chooseStores, whyStopped } from "../../../domain/publishing/canary.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../../schemas/design.ts";

const canvas: CanvasDesign = { name: "New", width: 1, height: 1, background: "white", elements: [] };
const design = (canvasId: string): Design => ({ name: "D", canvasId, compatible_esltype_ids: [1] });
const designs = new Map([
  ["changed", design("c1")],
  ["redrawn", design("c2")],
  ["same", design("c3")],
  ["unnamed", design("c2")],
]);
const pack: CommunicationPack = {
  name: "P",
  itemKeys: ["price"],
  activations: 3,
  version: { number: 4, at: new Date(0) },
  scenarios: [
    {
      id: "root",
      name: "Root",
      design_ids: ["same", "changed"],
      children: [{ id: "child", name: "Child", design_ids: ["redrawn"], children: [] }],
    },
  ],
};

test("a canary copies the pack, and the designs and canvases that it changes and names", (t) => {
  const copies = canaryCopies(
    {
      packKey: "p",
      pack,
      designs,
      changedDesigns: new Set(["changed"]),
      canvases: new Map([
        ["c2", canvas],
        ["c9", canvas],
      ]),
    },
    (key) => `${key}~1`,
  );
  t.deepEqual(Object.fromEntries(copies), {
    "c2~1": canvas,
    "changed~1": design("c1"),
    "redrawn~1": design("c2~1"),
    "p~1": {
      name: "P",
      itemKeys: ["price"],
      scenarios: [
        {
          id: "root",
          name: "Root",
          design_ids: ["same", "changed~1"],
          children: [{ id: "child", name: "Child", design_ids: ["redrawn~1"], children: [] }],
        },
      ],
    },
  });
});

const stores = Array.from({ length: 10 }, (_, index) => `t/a/s/${index}`);
const shares: [number, number][] = [
  [0, 1],
  [0.01, 1],
  [0.2, 2],
  [0.25, 3],
  [1, 10],
];
for (const [share, expected] of shares) {
  test(`a share of ${share} of ten stores is ${expected}`, (t) => {
    const chosen = chooseStores(stores, share, "seed");
    t.is(new Set(chosen).size, expected);
    t.deepEqual(chooseStores(stores, share, "seed"), chosen);
  });
}

test("different publications are tried in different stores", (t) => {
  const chosen = ["a", "b", "c", "d", "e"].map((seed) => chooseStores(stores, 0.1, seed)[0]);
  t.true(new Set(chosen).size > 1);
});

const stops: [string, [number, number], [number, number], number, RegExp | undefined][] = [
  ["nothing is faulty", [100, 0], [100, 0], 0, undefined],
  ["faulty labels that were faulty before do not count", [100, 9], [100, 9], 0, undefined],
  ["the share rises up to the limit", [100, 1], [100, 3], 0.02, undefined],
  [
    "the share rises beyond the limit",
    [100, 1],
    [100, 4],
    0.02,
    /^4 of 100 .* \(4%\), 1 of 100 before it \(1%\)\. .* by 2%\.$/,
  ],
  ["the stores have no labels", [0, 0], [0, 0], 0, undefined],
];
for (const [what, [before, faultyBefore], [now, faultyNow], limit, expected] of stops) {
  test(`a canary is ${expected ? "stopped" : "continued"}: ${what}`, (t) => {
    const reason = whyStopped({ labels: before, faulty: faultyBefore }, { labels: now, faulty: faultyNow }, limit);
    if (expected) t.regex(reason ?? "", expected);
    else t.is(reason, undefined);
  });
}
