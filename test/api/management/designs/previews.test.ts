import test from "ava";
import { compileCanvas } from "../../../../drawing/canvas/compile-canvas.ts";
import { pixelPainter } from "../../../../drawing/canvas/painter.ts";
import { renderLink } from "../../../../drawing/links/render-link.ts";
import { encodePng } from "../../../../drawing/pixels/png.ts";
import { readPicture } from "../../../../drawing/pixels/read-picture.ts";
import { demoStore, labelTypes, TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { ownStack } from "../../../harness/own.ts";
import { storedItem } from "../../../scripts/demo/items.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { manage, operate } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });

const area = { x: 5, width: 280, font: "bold", color: "black" } as const;
const canvas = {
  name: "preview",
  width: 296,
  height: 128,
  background: "white" as const,
  elements: [
    { kind: "text" as const, ...area, y: 5, height: 30, size: 20, text: "${item.itemName}" },
    { kind: "price" as const, ...area, y: 40, height: 60, size: 50, value: "${item.price}" },
    { kind: "text" as const, ...area, y: 105, height: 16, size: 12, text: "${link.location} ${item.brand}" },
  ],
};
const item = { itemId: "7", itemName: "Kruh", price: "1.99" };
const order = { canvas, item, storeId: "main", labelType: 1328, location: "A1" };
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Preview {
  png: string;
  width: number;
  height: number;
  fault: string | null;
  errors: string[];
  warnings: string[];
  notices: { level: string; code: string; values: Record<string, string>; text: string; element?: string }[];
  elements: {
    element: string;
    name?: string;
    box: Box;
    drawn?: Box;
    size?: number;
    lines?: number;
    digitHeight?: number;
    isCut: boolean;
  }[];
}
const preview = (change: object = {}) => manage(shelfwire, "POST", "/designs/preview", { ...order, ...change });

test("a preview is the renderer's picture with its fault, errors and warnings", async (t) => {
  const { png, notices: _, elements: __, ...rest } = await bodyOf<Preview>(await preview());
  const labelType = labelTypes.find(({ type }) => type === 1328);
  if (!labelType) return t.fail();
  const { picture } = renderLink(pixelPainter, {
    designerLink: { linkRev: 0, status: "ACTIVE", design_id: "preview", itemId: "7", location: "A1" },
    displayPosition: 0,
    item: storedItem(item),
    labelType,
    store: demoStore,
    canvas: compileCanvas(canvas),
    images: new Map(),
  });
  t.true(Buffer.from(png, "base64").equals(encodePng(picture)));
  t.deepEqual(rest, {
    width: 296,
    height: 128,
    text: null,
    fault: null,
    errors: [],
    warnings: ["${item.brand} has no value"],
  });
});

test("a preview reports each element's place, how its letters fit, and its notices", async (t) => {
  const [name, price, place] = canvas.elements;
  const named = {
    ...name,
    name: "Item name",
    text: "${item.itemName} of the house with all of its seeds",
    minimumSize: 20,
  };
  const { notices, elements } = await bodyOf<Preview>(
    await preview({ canvas: { ...canvas, elements: [named, price, place] } }),
  );
  t.deepEqual(
    notices.map(({ level, code, element, values }) => ({ level, code, element, values })),
    [
      {
        level: "warning",
        code: "TEXT_CUT",
        element: "/elements/0",
        values: { text: named.text.replace("${item.itemName}", "Kruh"), size: "20" },
      },
      { level: "warning", code: "NO_VALUE", element: "/elements/2", values: { expression: "item.brand" } },
    ],
  );
  t.like(elements, [
    {
      element: "/elements/0",
      name: "Item name",
      box: { x: 5, y: 5, width: 280, height: 30 },
      size: 20,
      lines: 1,
      isCut: true,
    },
    { element: "/elements/1", box: { x: 5, y: 40, width: 280, height: 60 }, size: 50, lines: 1, isCut: false },
    { element: "/elements/2", size: 12, isCut: false },
  ]);
  const [, shown] = elements;
  t.true((shown?.digitHeight ?? 0) > 30 && (shown?.digitHeight ?? 99) <= (shown?.drawn?.height ?? 0));
  t.true((shown?.drawn?.x ?? 0) >= 5 && (shown?.drawn?.width ?? 999) < 280, "only the pixels that the element changed");
});

test("elements in a group have places on the canvas, one for each copy", async (t) => {
  const box = { kind: "box", x: 2, y: 3, width: 10, height: 10, fill: "black" };
  const group = { kind: "group", x: 20, y: 10, width: 50, height: 50, repeat: { count: 2, x: 100 }, elements: [box] };
  const { elements } = await bodyOf<Preview>(await preview({ canvas: { ...canvas, elements: [group] } }));
  t.deepEqual(
    elements.map(({ element, box, drawn }) => [element, box.x, box.y, drawn]),
    [
      ["/elements/0/elements/0", 22, 13, { x: 22, y: 13, width: 10, height: 10 }],
      ["/elements/0/elements/0", 122, 13, { x: 122, y: 13, width: 10, height: 10 }],
    ],
  );
});

const narrow = { ...canvas, elements: canvas.elements.map((one, at) => (at === 1 ? { ...one, width: 10 } : one)) };
const inks = (png: string) => readPicture(Buffer.from(png, "base64")).pixels.filter((pixel) => pixel !== 0).length;

test("if an element has a fault, a draft shows all other elements and names the faulty one", async (t) => {
  const label = await bodyOf<Preview>(await preview({ canvas: narrow }));
  const draft = await bodyOf<Preview>(await preview({ canvas: narrow, draft: true }));
  for (const { notices, fault } of [label, draft]) {
    t.like(notices[0], { level: "fault", code: "PRICE_NO_ROOM", element: "/elements/1" });
    t.regex(fault ?? "", /^DRAWING_FAILED: the price "1.99" does not fit/);
  }
  t.is(inks(label.png), 0, "the label is blank");
  t.true(inks(draft.png) > 100, "the name and the place are drawn");
});

test("a draft leaves out an element whose expression does not compile", async (t) => {
  const [name, ...others] = canvas.elements;
  const draft = await bodyOf<Preview>(
    await preview({ canvas: { ...canvas, elements: [{ ...name, text: "${item.}" }, ...others] }, draft: true }),
  );
  t.like(draft.notices[0], { level: "fault", code: "DESIGN_INVALID", element: "/elements/0" });
  t.regex(draft.fault ?? "", /^DRAWING_FAILED: /);
  t.true(inks(draft.png) > 100);
});

test("a preview has the colours of the label's file, or on request the colours that e-paper shows", async (t) => {
  const paletteOf = ({ png }: Preview) => {
    const bytes = Buffer.from(png, "base64");
    return [...bytes.subarray(bytes.indexOf("PLTE") + 4).subarray(0, 6)];
  };
  t.deepEqual(paletteOf(await bodyOf(await preview())), [255, 255, 255, 0, 0, 0]);
  t.deepEqual(paletteOf(await bodyOf(await preview({ colors: "measured" }))), [232, 232, 232, 25, 30, 33]);
});

test("an enlarged preview turns each pixel into a square", async (t) => {
  const small = readPicture(Buffer.from((await bodyOf<Preview>(await preview())).png, "base64"));
  const large = await bodyOf<Preview>(await preview({ scale: 3 }));
  const picture = readPicture(Buffer.from(large.png, "base64"));
  t.deepEqual([large.width, large.height, picture.width, picture.height], [888, 384, 888, 384]);
  for (const [x, y] of [
    [0, 0],
    [100, 60],
    [295, 127],
    [20, 15],
  ] as const)
    for (const offset of [0, 1, 2])
      t.is(picture.pixels[(y * 3 + offset) * 888 + x * 3 + offset], small.pixels[y * 296 + x]);
});

test("millimetres in a design become pixels at the label type's dpi", async (t) => {
  const { type, ...order } = labelTypes.find((one) => one.type === 1344) ?? t.fail();
  const path = `/t/${TENANT_ID}/api/management/v1/label-types/${type}`;
  const name = canvas.elements[0];
  const drawn = async (size: unknown) => {
    const { png, fault } = await bodyOf<Preview>(
      await preview({ canvas: { ...canvas, elements: [{ ...name, size, height: 60 }] }, labelType: type }),
    );
    t.is(fault, null);
    return png;
  };
  t.is(await drawn("4mm"), await drawn(18));
  t.is((await operate(shelfwire, "PUT", path, { ...order, dpi: 224 })).status, 200);
  t.is(await drawn("4mm"), await drawn(35));
  t.is((await operate(shelfwire, "PUT", path, order)).status, 200);
  t.is(await drawn("4mm"), await drawn(18));
});

test("a preview beyond 32 million pixels is refused before it is drawn", async (t) => {
  const { type: _, ...matrix } = labelTypes.find((one) => one.type === 1344) ?? t.fail();
  const path = `/t/${TENANT_ID}/api/management/v1/label-types/1999`;
  t.is((await operate(shelfwire, "PUT", path, { ...matrix, width: 2048, height: 2048 })).status, 200);
  const { detail = "" } = await refused(t, await preview({ labelType: 1999, scale: 3 }), 400);
  t.regex(
    detail,
    /\/scale the picture would have 37748736 pixels, more than the maximum of 33554432: use a smaller scale/,
  );
});

test("a price that does not fit is a fault, and the picture shows only the background", async (t) => {
  const { fault } = await bodyOf<Preview>(await preview({ canvas: narrow }));
  t.regex(fault ?? "", /^DRAWING_FAILED: .*does not fit/);
});

test("a segment label's preview shows its text", async (t) => {
  const line = {
    kind: "price",
    x: 0,
    y: 0,
    width: 96,
    height: 32,
    font: "regular",
    size: 32,
    color: "black",
    value: "${item.price}",
  };
  const segments = { name: "s", width: 96, height: 32, background: "white", elements: [line] };
  t.like(await bodyOf(await preview({ canvas: segments, labelType: 1210 })), { text: "1,99", fault: null });
});

const faults: [rule: string, change: object, pointers: string[]][] = [
  [
    "an expression that does not compile",
    { canvas: { ...canvas, elements: [{ ...canvas.elements[0], text: "${item.}" }] } },
    ["/canvas/elements/0/text"],
  ],
  ["an unknown field", { canvas: { ...canvas, backgroud: "red" } }, ["/canvas/backgroud"]],
  ["an unknown store", { storeId: "none" }, ["/storeId"]],
  ["an unknown item", { item: undefined, itemId: "none" }, ["/itemId"]],
  ["an unknown label type", { labelType: 7 }, ["/labelType"]],
  ["a scale that is too large", { scale: 9 }, ["/scale"]],
];

for (const [rule, change, pointers] of faults) {
  test(`a preview with ${rule} is refused, and the error names the place of the fault`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await preview(change), 400)), pointers);
  });
}
