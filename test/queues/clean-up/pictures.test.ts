import test from "ava";
import { forgetPictures, imagesOfCanvas, imagesOfPages, UNUSED_TTL_MS } from "../../../queues/clean-up/pictures.ts";
import type { RecordKind } from "../../../records/kind.ts";
import type { Element, GroupElement, LayoutElement } from "../../../schemas/canvas.ts";
import type { ImageElement } from "../../../schemas/canvas-images.ts";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { partOf, unchecked } from "../../harness/part-of.ts";

const HEX = "0123456789abcdef".repeat(4);
const image = (name: string) => partOf<ImageElement>({ kind: "image", image: name });
const text = partOf<Element & { kind: "text" }>({ kind: "text", text: "milk" });
const canvas = (elements: LayoutElement[], variants?: LayoutElement[][]) =>
  imagesOfCanvas({
    elements,
    ...(variants && { variants: variants.map((of) => partOf({ elements: of })) }),
  });

test("the pictures of an item's pages are the pages' uploads", (t) => {
  t.deepEqual(imagesOfPages({ images: [{ image: "a" }, { image: "b" }] }), ["a", "b"]);
});

test("a canvas refers to files only by digest, even in groups and variants", (t) => {
  const other = HEX.replaceAll("0", "f");
  const group = partOf<GroupElement>({ kind: "group", elements: [image(other)] });
  t.deepEqual(canvas([image(HEX), text, group]), [HEX, other]);
  t.deepEqual(canvas([], [[image(HEX)], [image(other)]]), [HEX, other]);
  for (const name of [`${HEX}0`, HEX.slice(1), `${HEX.slice(1)}g`, "assets/logo", HEX.toUpperCase()])
    t.deepEqual(canvas([image(name)]), [], name);
  t.deepEqual(canvas([{ ...text, ...{ image: HEX } }]), [], "no picture");
});

/** Two tenants with unused pictures. Records the searches and marks with their time limits, and the deletions. */
function clean({ goOn = [] as boolean[], renew = true } = {}) {
  const NOW = Date.parse("2026-01-10");
  const seen = {
    forgotten: [] as string[],
    touched: [] as [string, string[], number][],
    asked: [] as [string, number][],
  };
  const tenants = ["", "t/one", "t/two"];
  const record = { image: "1", images: [], pages: [], wanted: [], sending: undefined, elements: [] };
  const run = () =>
    forgetPictures(
      {
        records: {
          async *scanFields<Body>(kind: RecordKind<Body>, prefix: string) {
            yield [
              unchecked<Stored<Body>>(kind.name === "assetfile" ? {} : { ...record, _id: `${prefix}${kind.name}` }),
            ];
          },
        },
        imageFiles: {
          nextUnused: async (since: Date, after: string) => {
            seen.asked.push([after, NOW - since.getTime()]);
            return tenants[tenants.indexOf(after) + 1];
          },
          touch: async (keys: string[], before: Date) => void seen.touched.push(["", keys, NOW - before.getTime()]),
          forget: async (tenant: string) => {
            seen.forgotten.push(tenant);
            return 3;
          },
        },
        now: () => new Date(NOW),
      },
      EVERY_KEY,
      { renew: async () => renew, goOn: async () => goOn.shift() ?? true },
    );
  return { seen, run };
}

test("each tenant with an unused picture has its pictures marked and deleted, one tenant after another", async (t) => {
  const { seen, run } = clean();
  t.is(await run(), 6);
  t.deepEqual(seen.forgotten, ["t/one", "t/two"]);
  t.deepEqual(
    seen.asked,
    ["", "t/one", "t/two"].map((after) => [after, UNUSED_TTL_MS]),
  );
  t.true(seen.touched.every(([, , ms]) => ms === UNUSED_TTL_MS / 2));
  const keys = seen.touched.flatMap(([, touched]) => touched);
  t.false(
    keys.some((key) => key.includes("undefined")),
    "a file without a picture marks no picture",
  );
});

test("a slice whose time is over ends after the current tenant, and a lost lease ends a slice before any deletion", async (t) => {
  const over = clean({ goOn: [false] });
  t.is(await over.run(), 3);
  t.deepEqual(over.seen.forgotten, ["t/one"]);
  const lost = clean({ renew: false });
  t.is(await lost.run(), 0);
  t.deepEqual([lost.seen.forgotten, lost.seen.touched.length], [[], 1]);
});
