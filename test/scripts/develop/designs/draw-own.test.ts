import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import test from "ava";
import { labelTypes } from "../../../../scripts/demo/catalogue.ts";
import { drawOwn } from "../../../../scripts/develop/designs/draw-own.ts";
import { itemsWhere } from "../../../../scripts/develop/designs/items-where.ts";
import { readFonts, readImages } from "../../../../scripts/develop/designs/own-files.ts";
import { demoLabels, readLabels } from "../../../../scripts/develop/designs/own-labels.ts";
import { reportOf } from "../../../../scripts/develop/designs/report.ts";
import { boldSerif } from "../../../api/fonts/files.ts";
import { items } from "../../demo/items.ts";

const text = { kind: "text", x: 4, y: 4, width: 280, height: 20, font: "bold", size: 16, color: "black" };
const design = {
  name: "Mine",
  width: 296,
  height: 128,
  background: "white",
  elements: [{ ...text, text: "${item.itemName}" }],
};
const file = "mine.json";

test("a design is drawn on every label type of its size with each hard item, and each drawing lists its warnings", (t) => {
  const [sheet, ...more] = drawOwn([{ file, design }], items);
  t.deepEqual(more, []);
  t.is(sheet?.title, "mine.json: Mine");
  t.deepEqual(sheet?.messages, []);
  t.true((sheet?.rows.length ?? 0) > 1 && sheet?.rows.every(({ title }) => title.includes("296 x 128")));
  for (const { pictures } of sheet?.rows ?? []) {
    t.true(pictures.some(({ caption }) => caption.startsWith("nothing: ")));
    const long = pictures.find(({ caption }) => caption.startsWith("many words"));
    t.true(long?.warnings.some((message) => message.includes("is cut")));
  }
});

test("a design with faults is not drawn, and each fault is reported with its path", (t) => {
  const wrong = { ...design, elements: [{ ...text, text: "${item.}", minimumsize: 8 }] };
  const [sheet] = drawOwn([{ file, design: wrong }], items);
  t.deepEqual(sheet?.rows, []);
  t.true(
    sheet?.messages?.some((message) => message.includes("/elements/0/minimumsize") && message.includes("minimumSize")),
  );
  t.true(sheet?.messages?.some((message) => message.startsWith("/elements/0/text")));
});

test("with an installation's file, designs are drawn on its label types, in its store's locale", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-designs-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, "installation.json");
  const matrix = { height: 128, colors: ["white", "black"], display: "matrix", flash: true, pages: 1 };
  const store = { name: "Store", timeZone: "Europe/Paris", currency: "EUR", locale: "fr-FR", linkDepartments: [] };
  const yen = { ...store, currency: "JPY", locale: "ja-JP" };
  const mine = { labelTypes: { "77": { ...matrix, width: 310 } }, stores: { one: store, yen } };
  await writeFile(path, JSON.stringify({ tenants: { other: {}, mine } }));
  const own = { ...design, width: 310, elements: [{ ...text, text: "${price(1234.5)}" }] };
  const pictureIn = async (name?: string) => {
    const [sheet] = drawOwn([{ file, design: own }], items, {}, await readLabels(path, "mine", name));
    t.deepEqual(
      sheet?.rows.map(({ title }) => title),
      ["77: 310 x 128, white, black"],
    );
    return sheet?.rows[0]?.pictures[0]?.png;
  };
  t.notDeepEqual(await pictureIn(), await pictureIn("yen"));
  await t.throwsAsync(readLabels(path), { message: /has no store/ });
  await t.throwsAsync(readLabels(path, "nobody"), { message: /no tenant "nobody"; it has other, mine/ });
});

test("a design reports if no label type has its size", (t) => {
  const [sheet] = drawOwn([{ file, design: { ...design, width: 17 } }], items);
  t.deepEqual(sheet?.messages, ["no label type has the size of one of its layouts"]);
});

test("all items are drawn on request, and items that fail are shown first", (t) => {
  const price = { ...text, kind: "price", width: 30, y: 40, value: "${item.price}", visible: "item.price == '1.19'" };
  const narrow = {
    ...design,
    elements: [
      { ...text, width: 70, text: "${item.itemName}" },
      { ...price, minimumSize: 16 },
    ],
  };
  const [sheet] = drawOwn([{ file, design: narrow }], items, {}, demoLabels, { isAll: true });
  for (const { counts, pictures } of sheet?.rows ?? []) {
    t.is(counts?.items, items.length);
    t.is(counts?.failed, items.filter((item) => item.price === "1.19").length);
    t.true((counts?.failed ?? 0) > 0 && (counts?.warned ?? 0) > 0);
    t.regex(pictures[0]?.failures[0] ?? "", /DRAWING_FAILED: the price "1.19" does not fit 30 x 20/);
  }
});

test("a label with several items is drawn with one at each position, and overlapping positions are a failure", (t) => {
  const type = labelTypes.find(({ type: one }) => one === 1660);
  const own = { ...design, width: type?.width, height: type?.height, labelTypes: [1660] };
  const at = (x: string) => ({ ...text, width: 140, text: "${item.itemName}", visible: x });
  const second = { ...at("link.displayPosition == 1"), x: 148 };
  const [apart, over] = drawOwn(
    [
      { file, design: { ...own, elements: [at("link.displayPosition == 0"), second] } },
      { file, design: { ...own, elements: [at("true")] } },
    ],
    items,
  );
  t.deepEqual(apart?.rows[0]?.pictures[0]?.failures, []);
  t.deepEqual(over?.rows[0]?.pictures[0]?.failures, ["position 1: its design overlaps that of an earlier position"]);
});

test("a covered price is reported with its file, and with the element that covers it", (t) => {
  const price = { ...text, kind: "price", y: 40, value: "12.49", height: 40 };
  const cover = { kind: "box", x: 0, y: 50, width: 296, height: 10, fill: "white" };
  const { failures, hasFailed } = reportOf(drawOwn([{ file, design: { ...design, elements: [price, cover] } }], items));
  t.true(hasFailed);
  t.regex(
    failures[0] ?? "",
    /^mine\.json: Mine: \d+: 296 x 128.*: the price "12.49" is covered by a later element \(box at \/elements\/1\)$/,
  );
});

test("only items for which a condition holds are drawn", (t) => {
  const offers = itemsWhere(items, 'item.priceKind == "special"', demoLabels.store);
  t.true(offers.length > 0 && offers.length < items.length);
  t.deepEqual(itemsWhere(items, "item.nothing == '1'", demoLabels.store), []);
  t.throws(() => itemsWhere(items, "item.", demoLabels.store), { name: "ExpressionError" });
});

/** No settings, but with the code that earlier threads of test files have compiled. */
const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

test("npm run designs -- mine.json items.csv writes the page, and exits with 1 if the design has faults", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "designs-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const [page, list] = [join(folder, "page.html"), join(folder, "items.csv")];
  const products = await readFile(new URL("../../../../scripts/demo/products.csv", import.meta.url), "utf8");
  await writeFile(list, products.split("\n").slice(0, 4).join("\n"));
  const program = new URL("../../../../scripts/develop/designs.ts", import.meta.url).pathname;
  const run = async (content: unknown) => {
    await writeFile(join(folder, file), JSON.stringify(content));
    const order = [program, join(folder, file), list, "--output", page];
    return promisify(execFile)(process.execPath, order, { env });
  };
  t.is((await run(design)).stdout.trim(), page);
  t.regex(await readFile(page, "utf8"), /KEČAP BLAGI/);
  const failed = await t.throwsAsync<Error & { code: number; stderr: string }>(run({ ...design, backgroud: "red" }));
  t.is(failed.code, 1);
  t.regex(failed.stderr, /\/backgroud is not a field of this object; the nearest is `background`/);
});

test("with --watch each change to a design redraws it, however its editor saves the file", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "designs-"));
  const [own, list, output] = ["mine.json", "items.csv", "page.html"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(own, JSON.stringify(design));
  const products = await readFile(new URL("../../../../scripts/demo/products.csv", import.meta.url), "utf8");
  await writeFile(list, products.split("\n").slice(0, 4).join("\n"));
  const child = spawn(process.execPath, ["scripts/develop/designs.ts", own, list, "--output", output, "--watch"], {
    env,
  });
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  t.teardown(() => void child.kill());
  const told = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** Waits until the page has been written with a design of this name. */
  const isShown = async (name: string): Promise<boolean> => {
    for (let line = await told.next(); !line.done; line = await told.next())
      if ((await readFile(output, "utf8")).includes(`mine.json: ${name}<`)) return true;
    return false;
  };
  const saveAs: [name: string, save: (content: string) => Promise<void>][] = [
    ["Written", (content) => writeFile(own, content)],
    ...["Renamed", "Again"].map((name): (typeof saveAs)[number] => [
      name,
      async (content) => {
        await writeFile(`${own}.new`, content);
        await rename(`${own}.new`, own);
      },
    ]),
  ];
  t.true(await isShown("Mine"));
  for (const [name, save] of saveAs) {
    await save(JSON.stringify({ ...design, name }));
    t.true(await isShown(name), name);
  }
});

test("an image in a design's folder is found by its file name, and an undecodable image is reported", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "designs-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const [good, bad] = [join(folder, "logo.svg"), join(folder, "bad.png")];
  await writeFile(good, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>');
  await writeFile(bad, "no PNG");
  const image = { kind: "image", x: 200, y: 40, width: 40, height: 40 };
  const shown = (name: string) => ({ file, design: { ...design, elements: [{ ...image, image: name }] } });
  const images = await readImages([good, bad]);
  t.deepEqual([...images.keys()], ["logo", "bad"]);
  const told = drawOwn([shown("logo"), shown("bad")], items, { images }).map(
    ({ rows }) => rows[0]?.pictures[0]?.failures,
  );
  t.deepEqual(told[0], []);
  t.regex(told[1]?.[0] ?? "", /^the image "bad" cannot be used: it cannot be decoded/);
});

test("a font in a design's folder is found by its file name, and a refused font is reported", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "designs-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const [good, bad] = [join(folder, "brand.ttf"), join(folder, "bad.otf")];
  await writeFile(good, boldSerif);
  await writeFile(bad, boldSerif.subarray(0, 1000));
  const fonts = await readFonts([good, bad]);
  const text = { kind: "text", x: 0, y: 0, width: 200, height: 40, size: 20, color: "black", text: "Kruh" };
  const shown = (font: string) => ({ file, design: { ...design, elements: [{ ...text, font }] } });
  const told = drawOwn([shown("brand"), shown("bad")], items, { fonts }).map(
    ({ rows }) => rows[0]?.pictures[0]?.failures,
  );
  t.deepEqual(told[0], []);
  t.regex(told[1]?.[0] ?? "", /^the font "bad" cannot be used: it is truncated/);
});
