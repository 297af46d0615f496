import test from "ava";
import { Jimp } from "jimp";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import { renderLink } from "../../../drawing/links/render-link.ts";
import { imageFileOf } from "../../../drawing/pixels/image-file.ts";
import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import { createDrawer } from "../../../drawing/thread/drawer.ts";
import type { DrawnLink, LinkOrder } from "../../../drawing/thread/drawing-order.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { storedItem } from "../../scripts/demo/items.ts";

const labelType = labelTypes.find(({ type }) => type === 1328) as (typeof labelTypes)[number];
const canvas: CanvasDesign = {
  name: "price",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    {
      kind: "text",
      x: 5,
      y: 5,
      width: 280,
      height: 30,
      font: "bold",
      size: 20,
      color: "black",
      text: "${item.itemName}",
    },
    {
      kind: "price",
      x: 5,
      y: 40,
      width: 280,
      height: 80,
      font: "bold",
      size: 60,
      color: "black",
      value: "${item.price}",
    },
    {
      kind: "text",
      x: 5,
      y: 110,
      width: 280,
      height: 15,
      font: "bold",
      size: 12,
      color: "black",
      text: "${item.brand}",
    },
  ],
};

/** A link to an item, with the design of this ID. */
const order = (price: string, designId = "price", change: Partial<LinkOrder> = {}): LinkOrder =>
  ({
    designerLink: { linkRev: 1, status: "ACTIVE", design_id: designId, itemId: "7" },
    displayPosition: 0,
    item: storedItem({ itemId: "7", itemName: "Kruh", price }),
    labelType,
    store: demoStore,
    designId,
    images: new Map(),
    ...change,
  }) as LinkOrder;

const designNamed = (id: string) => ({ id, canvas: { ...canvas, name: id } });
const load = { design: designNamed, images: async () => [], fonts: async () => [] };

const drawnHere = (one: LinkOrder): DrawnLink => {
  if (!("designerLink" in one)) throw new Error("only designs are drawn here");
  const { picture, ...rest } = renderLink(pixelPainter, { ...one, canvas: compileCanvas(canvas), images: new Map() });
  return { ...rest, picture: imageFileOf(picture) };
};

test("a thread draws the same pictures as the main thread, many orders at a time", async (t) => {
  const links = Array.from({ length: 120 }, (_, index) => order(`${index}.99`));
  const drawn = await createDrawing().draw(links, load);
  for (const [index, one] of links.entries()) {
    const { picture, ...rest } = drawnHere(one);
    const { picture: file, ...drawnRest } = drawn[index] as DrawnLink;
    t.deepEqual(drawnRest, rest);
    t.is(file.sha256, picture.sha256);
    t.true(Buffer.from(file.png).equals(picture.png));
  }
});

test("each design is requested once, whatever is drawn with it", async (t) => {
  const asked: string[] = [];
  const drawing = createDrawing();
  const loading = {
    ...load,
    design(id: string) {
      asked.push(id);
      return designNamed(id);
    },
  };
  await drawing.draw([order("1.99"), order("2.99"), order("2.99", "other")], loading);
  await drawing.draw([order("3.99")], loading);
  t.deepEqual(asked, ["price", "other"]);
});

test("equal values are drawn once, even in another store, and missing values are reported for each label", async (t) => {
  const draw = createDrawer();
  const designs = [designNamed("price")];
  const branded = storedItem({ itemId: "8", itemName: "Kruh", price: "1.99", properties: { brand: " " } });
  const links = [
    order("1.99"),
    order("1.99", "price", { store: { ...demoStore, name: "Another" } }),
    order("1.99", "price", { item: branded }),
    order("1.99", "price", { store: { ...demoStore, locale: "en-US" } }),
    order("2.99"),
  ];
  const answer = await draw({ links, designs, images: [], fonts: [] });
  if (!("drawn" in answer)) return t.fail();
  t.deepEqual(answer.counts, { hits: 2, misses: 3 });
  t.deepEqual(
    answer.drawn.map(({ picture }) => picture.sha256),
    links.map((one) => drawnHere(one).picture.sha256),
  );
  t.deepEqual(
    answer.drawn.map(({ warnings }) => warnings.length),
    [1, 1, 0, 1, 1],
  );
});

test("the cache has a limit", async (t) => {
  const draw = createDrawer(5_000);
  const designs = [designNamed("price")];
  const links = Array.from({ length: 50 }, (_, index) => order(`${index}.99`));
  await draw({ links, designs, images: [], fonts: [] });
  const again = await draw({ links, designs: [], images: [], fonts: [] });
  t.like(again, { counts: { hits: 0 } });
});

test("a different rev of a design counts as a different design", async (t) => {
  const draw = createDrawer();
  const red = { ...canvas, background: "red" as const };
  const answer = await draw({
    links: [order("1.99", "price#1"), order("1.99", "price#2")],
    images: [],
    fonts: [],
    designs: [designNamed("price#1"), { ...designNamed("price#2"), canvas: red }],
  });
  if (!("drawn" in answer)) return t.fail();
  t.not(answer.drawn[0]?.picture.sha256, answer.drawn[1]?.picture.sha256);
});

for (const poison of ["loops", "eats", "exits"]) {
  test(`a design that ${poison} is a fault only of its own labels, and all others are drawn`, async (t) => {
    const program = new URL("./poisoned-thread.ts", import.meta.url);
    // On a busy machine, five seconds of processor time may take minutes.
    const drawing = createDrawing(program, { processorMs: 5_000, memoryMb: 128, timeoutMs: 1_200_000 });
    const links = [order("1.99"), order("1.99", poison), order("2.99"), order("3.99", poison)];
    const drawn = await drawing.draw(links, load);
    t.deepEqual(
      drawn.map(({ fault }) => fault?.reason),
      [undefined, "DRAWING_FAILED", undefined, "DRAWING_FAILED"],
    );
    t.regex(drawn[1]?.fault?.detail ?? "", /^the design cannot be drawn: /);
    t.is(drawn[2]?.picture.sha256, drawnHere(order("2.99")).picture.sha256);
    t.true((await drawing.draw([order("4.99")], load))[0]?.fault === undefined);
  });
}

test("a design that cannot be loaded does not count as a label's fault, and drawing is postponed", async (t) => {
  const away = () => Promise.reject(new Error("the database is unreachable"));
  await t.throwsAsync(createDrawing().draw([order("1.99")], { ...load, design: away }), {
    message: "the database is unreachable",
  });
});

/** A link whose design shows the image `logo`, with these files. */
const illustrated = (images: ReadonlyMap<string, { file?: string; fault?: string }>): LinkOrder =>
  order("1.99", "illustrated", { images } as Partial<LinkOrder>);
const logo = { kind: "image", x: 200, y: 4, width: 40, height: 40, image: "logo" } as const;

test("each image is requested once, and redrawn when its file changes", async (t) => {
  const asked: string[] = [];
  const pngs = new Map(
    await Promise.all(
      [0xff0000ff, 0x000000ff].map(
        async (color, index): Promise<[string, Uint8Array]> => [
          `t/demo/images/${index}`,
          await new Jimp({ width: 8, height: 8, color }).getBuffer("image/png"),
        ],
      ),
    ),
  );
  const loader = {
    design: (id: string) => ({ id, canvas: { ...canvas, elements: [logo] } }),
    fonts: async () => [],
    images: async (keys: readonly string[]) => {
      asked.push(...keys);
      return keys.map((key) => ({ key, content: pngs.get(key) }));
    },
  };
  const drawing = createDrawing();
  const [first, again, changed, gone, broken] = await drawing.draw(
    [
      illustrated(new Map([["logo", { file: "t/demo/images/0" }]])),
      illustrated(new Map([["logo", { file: "t/demo/images/0" }]])),
      illustrated(new Map([["logo", { file: "t/demo/images/1" }]])),
      illustrated(new Map([["logo", { file: "t/demo/images/2" }]])),
      illustrated(new Map([["logo", { fault: "it cannot be decoded: no PNG" }]])),
    ],
    loader,
  );
  t.deepEqual(asked, ["t/demo/images/0", "t/demo/images/1", "t/demo/images/2"]);
  t.is(first?.picture.sha256, again?.picture.sha256);
  t.not(first?.picture.sha256, changed?.picture.sha256);
  t.deepEqual([first?.errors, changed?.errors], [[], []]);
  t.deepEqual(gone?.errors.map(noticeText), ['the image "logo" does not exist']);
  t.deepEqual(broken?.errors.map(noticeText), ['the image "logo" cannot be used: it cannot be decoded: no PNG']);
});
