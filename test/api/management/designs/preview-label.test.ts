import test from "ava";
import { readPicture } from "../../../../drawing/pixels/read-picture.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });

interface Preview {
  png: string;
  width: number;
  height: number;
  fault: string | null;
  warnings: string[];
}
interface LabelPreview extends Preview {
  notices: { code: string }[];
  positions: (Preview & { displayPosition: number; isLeftOut: boolean })[];
}

const item = { itemId: "7", itemName: "Kruh", price: "1.99" };
/** A price in the left or right half of a label. */
const halfAt = (x: number) => ({
  ...{ name: "half", width: 296, height: 128, background: "white" },
  elements: [
    {
      kind: "price",
      x,
      y: 10,
      width: 140,
      height: 100,
      font: "bold",
      size: 50,
      color: "black",
      value: "${item.price}",
    },
  ],
});
const preview = (positions: readonly object[], more: object = {}) =>
  manage(shelfwire, "POST", "/labels/preview", { storeId: "main", labelType: 1328, positions, ...more });
const inkOf = ({ png }: Preview): number[] => [...readPicture(Buffer.from(png, "base64")).pixels];

test("a label's preview is made of the previews of its positions, laid over each other", async (t) => {
  const made = await bodyOf<LabelPreview>(
    await preview([
      { displayPosition: 0, item, canvas: halfAt(0) },
      { displayPosition: 1, item: { ...item, price: "12.50" }, canvas: halfAt(150) },
    ]),
  );
  t.is(made.fault, null);
  const [left = [], right = []] = made.positions.map(inkOf);
  t.deepEqual(
    inkOf(made),
    left.map((ink, pixel) => ink || right[pixel]),
  );
  const alone = { canvas: halfAt(0), storeId: "main", item, labelType: 1328 };
  const { png } = await bodyOf<Preview>(await manage(shelfwire, "POST", "/designs/preview", alone));
  t.is(made.positions[0]?.png, png);
});

test("a position that would cover an earlier one is left out, and the label's fault says so", async (t) => {
  const made = await bodyOf<LabelPreview>(
    await preview([
      { displayPosition: 3, item, canvas: halfAt(10) },
      { displayPosition: 1, item, canvas: halfAt(0) },
    ]),
  );
  t.regex(made.fault ?? "", /^POSITIONS_OVERLAP: /);
  t.deepEqual(
    made.positions.map(({ displayPosition, isLeftOut }) => [displayPosition, isLeftOut]),
    [
      [3, true],
      [1, false],
    ],
  );
  t.is(made.positions[1]?.png, made.png);
});

test("a position with an ECC model is drawn with its parameters, and unknown parameters are a warning", async (t) => {
  const ecclink = { eccModelId: "offer", parameters: { banner: "AKCIJA", colour: "red" } };
  const { positions } = await bodyOf<LabelPreview>(await preview([{ displayPosition: 0, item, ecclink }]));
  t.is(positions[0]?.fault, null);
  t.true(inkOf(positions[0] as Preview).some((ink) => ink > 0));
  t.regex((positions[0]?.warnings ?? []).join(), /colour/);
  const unknown = await bodyOf<LabelPreview>(
    await preview([{ displayPosition: 0, item, ecclink: { eccModelId: "none" } }]),
  );
  t.regex(unknown.fault ?? "", /none/);
});

test("a label's preview is enlarged by its scale, and refusals name the place of each fault", async (t) => {
  const one = { displayPosition: 0, item, canvas: halfAt(0) };
  const { width, height } = await bodyOf<LabelPreview>(await preview([one], { scale: 2 }));
  t.deepEqual([width, height], [592, 256]);
  const faulty = { ...halfAt(0), elements: [{ kind: "price", x: 0 }] };
  const pointersFor = async (positions: readonly object[]) =>
    pointersOf(await refused(t, await preview(positions), 400));
  t.deepEqual(await pointersFor([one, one]), ["/positions/1/displayPosition"]);
  t.deepEqual(await pointersFor([{ displayPosition: 0, item }]), ["/positions/0"]);
  t.deepEqual(await pointersFor([{ displayPosition: 0, canvas: halfAt(0) }]), ["/positions/0"]);
  t.deepEqual(await pointersFor([{ displayPosition: 0, itemId: "none", canvas: halfAt(0) }]), ["/positions/0/itemId"]);
  for (const pointer of await pointersFor([{ displayPosition: 0, item, canvas: faulty }]))
    t.true(pointer.startsWith("/positions/0/canvas/elements/0"), pointer);
});
