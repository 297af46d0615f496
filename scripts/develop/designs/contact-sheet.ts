/** A label type with its designs, one row of pictures for each. */
export interface Sheet {
  title: string;
  rows: { title: string; pictures: Picture[] }[];
}

interface Picture {
  png: Buffer;
  width: number;
  height: number;
  caption: string;
  /** Its faults, errors and warnings. */
  messages: readonly string[];
}

const STYLE = `
  body { font: 15px/1.4 system-ui, sans-serif; margin: 0; padding: 20px; background: #e9e6e1; color: #222 }
  h1 { font-size: 20px } h2 { font-size: 17px; margin: 28px 0 6px } h3 { font-size: 13px; margin: 12px 0 6px; color: #555 }
  div { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-end }
  figure { margin: 0; background: #fff; padding: 8px; border-radius: 6px; box-shadow: 0 1px 3px #0004 }
  img { display: block; image-rendering: pixelated; border: 1px solid #999 }
  figcaption { font-size: 12px; color: #555; margin-top: 6px; max-width: 400px }
  em { display: block; color: #a00; font-style: normal }
`;

/** A page that shows all pictures in one file, without loading anything. */
export const contactSheet = (sheets: readonly Sheet[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Designs</title>
<style>${STYLE}</style>
<h1>Designs</h1>
${sheets.map(({ title, rows }) => `<h2>${inHtml(title)}</h2>\n${rows.map(rowOf).join("\n")}`).join("\n")}
</html>
`;

const rowOf = ({ title, pictures }: Sheet["rows"][number]): string =>
  `<h3>${inHtml(title)}</h3>\n<div>${pictures.map(figureOf).join("")}</div>`;

function figureOf({ png, width, height, caption, messages }: Picture): string {
  const image = `<img src="data:image/png;base64,${png.toString("base64")}" width="${width}" height="${height}" alt="">`;
  const warnings = messages.map((message) => `<em>${inHtml(message)}</em>`).join("");
  return `<figure>${image}<figcaption>${inHtml(caption)}${warnings}</figcaption></figure>`;
}

const inHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
