/** A label type with its designs, or a design with its label types, with one row of pictures for each. */
export interface Sheet {
  title: string;
  /** The faults of the whole sheet. */
  messages?: readonly string[];
  rows: Row[];
}

/** Pictures of one design on one label type. */
export interface Row {
  title: string;
  pictures: Picture[];
  /** Set if all items were drawn, and only some of their pictures are shown. */
  counts?: { items: number; failed: number; warned: number };
}

export interface Picture {
  png: Buffer;
  width: number;
  height: number;
  caption: string;
  /** The item's faults and errors. */
  failures: readonly string[];
  warnings: readonly string[];
}

const STYLE = `
  body { font: 15px/1.4 system-ui, sans-serif; margin: 0; padding: 20px; background: #e9e6e1; color: #222 }
  h1 { font-size: 20px } h2 { font-size: 17px; margin: 28px 0 6px } h3 { font-size: 13px; margin: 12px 0 6px; color: #555 }
  div { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-end }
  figure { margin: 0; background: #fff; padding: 8px; border-radius: 6px; box-shadow: 0 1px 3px #0004 }
  img { display: block; image-rendering: pixelated }
  figure span { display: inline-block; position: relative; border: 1px solid #999 }
  body:has(#large:checked) figure span { zoom: 2 }
  body:has(#grid:checked) figure span::after { content: ""; position: absolute; inset: 0; background:
    repeating-linear-gradient(#0af 0 1px, #0000 1px 50px), repeating-linear-gradient(90deg, #0af 0 1px, #0000 1px 50px),
    repeating-linear-gradient(#0af6 0 1px, #0000 1px 10px), repeating-linear-gradient(90deg, #0af6 0 1px, #0000 1px 10px) }
  figcaption { font-size: 12px; color: #555; margin-top: 6px; max-width: 400px }
  em, i { display: block; font-style: normal } em { color: #a00; font-weight: 600 } i { color: #850 }
`;

const WATCH = `
  new EventSource("changes").onmessage = async () => {
    const page = new DOMParser().parseFromString(await (await fetch("")).text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  };
`;

/**
 * Returns a page that shows all pictures in one file, without loading anything. A grid of 10 and 50 pixels can be laid over
 * them. A watched page replaces its pictures when they change, and keeps its place and its settings.
 */
export const contactSheet = (sheets: readonly Sheet[], { isWatched = false } = {}): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Designs</title>${isWatched ? `\n<script type="module">${WATCH}</script>` : ""}
<style>${STYLE}</style>
<h1>Designs</h1>
<label><input type="checkbox" id="grid"> grid of 10 and 50 pixels</label>
<label><input type="checkbox" id="large"> twice as large</label>
<main>
${sheets.map(sheetOf).join("\n")}
</main>
</html>
`;

const sheetOf = ({ title, messages = [], rows }: Sheet): string =>
  [`<h2>${inHtml(title)}</h2>`, ...messages.map(messageOf), ...rows.map(rowOf)].join("\n");

const messageOf = (message: string): string => `<em>${inHtml(message)}</em>`;

const rowOf = ({ title, pictures, counts }: Row): string =>
  `<h3>${inHtml(title)}${counts ? `: ${countsText(counts)}` : ""}</h3>\n<div>${pictures.map(figureOf).join("")}</div>`;

/** Says how many items were drawn, and how many failed or have warnings. */
export const countsText = ({ items, failed, warned }: NonNullable<Row["counts"]>): string =>
  `${items} items drawn, ${failed} failed, ${warned} with warnings`;

function figureOf({ png, width, height, caption, failures, warnings }: Picture): string {
  const image = `<img src="data:image/png;base64,${png.toString("base64")}" width="${width}" height="${height}" alt="">`;
  const messages = [...failures.map(messageOf), ...warnings.map((text) => `<i>${inHtml(text)}</i>`)].join("");
  return `<figure><span>${image}</span><figcaption>${inHtml(caption)}${messages}</figcaption></figure>`;
}

const inHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
