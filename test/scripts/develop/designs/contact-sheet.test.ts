import test from "ava";
import { Jimp } from "jimp";
import { labelTypes } from "../../../../scripts/demo/catalogue.ts";
import { demoDesigns } from "../../../../scripts/demo/designs.ts";
import { contactSheet } from "../../../../scripts/develop/designs/contact-sheet.ts";
import { drawSheets } from "../../../../scripts/develop/designs/draw-sheets.ts";
import { items } from "../../demo/items.ts";

const sheets = drawSheets(items);
const page = contactSheet(sheets);

test("every label type is present, with every design for it", (t) => {
  t.deepEqual(
    sheets.map(({ title, rows }) => [title.split(":")[0], rows.map((row) => row.title)]),
    labelTypes.map(({ type }) => [
      String(type),
      demoDesigns.filter(({ design }) => design.compatible_esltype_ids.includes(type)).map(({ id }) => id),
    ]),
  );
  for (const { title, rows } of sheets) {
    t.true(page.includes(`<h2>${title}</h2>`));
    t.true(
      rows.every(({ pictures }) => pictures.length > 0),
      title,
    );
  }
});

test("the page contains all pictures and loads nothing", async (t) => {
  const sources = [...page.matchAll(/(?:src|href)="([^"]*)"|url\(/g)].map(([, source]) => source ?? "");
  t.is(sources.length, sheets.flatMap(({ rows }) => rows.flatMap(({ pictures }) => pictures)).length);
  const [first] = sheets;
  const pictures = first?.rows.flatMap((row) => row.pictures) ?? [];
  for (const [index, source] of sources.slice(0, pictures.length).entries()) {
    const { bitmap } = await Jimp.read(Buffer.from(source.replace("data:image/png;base64,", ""), "base64"));
    t.deepEqual([bitmap.width, bitmap.height], [pictures[index]?.width, pictures[index]?.height]);
  }
});

test("a row whose items were all drawn says how many failed", (t) => {
  const counts = { items: 12, failed: 1, warned: 2 };
  const html = contactSheet([{ title: "1", rows: [{ title: "design", pictures: [], counts }] }]);
  t.true(html.includes("<h3>design: 12 items drawn, 1 failed, 2 with warnings</h3>"));
});

test("only a watched page has a script, which preserves everything except the pictures", (t) => {
  t.false(page.includes("<script"));
  const watched = contactSheet(sheets, { isWatched: true });
  t.regex(watched, /new EventSource\("changes"\)/);
  t.true(watched.indexOf("<input") < watched.indexOf("<main>"), "the page's settings are not replaced");
});

test("faults and warnings appear below their picture, with escaped characters", (t) => {
  const picture = {
    png: Buffer.alloc(0),
    width: 1,
    height: 1,
    caption: "<b>",
    failures: ['"a" & <script>'],
    warnings: ["small"],
  };
  const html = contactSheet([{ title: "1", rows: [{ title: "design", pictures: [picture] }] }]);
  t.true(html.includes("&lt;b&gt;<em>&quot;a&quot; &amp; &lt;script&gt;</em><i>small</i>"));
});
