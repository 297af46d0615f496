import { posix } from "node:path";
import { Marked } from "marked";
import { pageOf } from "./page.ts";

/** The start page. Everything on the site can be reached from it. */
const START = "README.md";

/**
 * Returns the files of a site that shows the repository's documents: a page for each document that can be reached from README,
 * and the other files to which they link, unchanged.
 * @param read reads a file by its path from the repository's folder, and throws if there is none
 * @returns the files by their paths on the site
 */
export async function makeSite(read: (path: string) => Promise<Buffer>): Promise<Map<string, string | Buffer>> {
  const made = new Map<string, string | Buffer>();
  const reached = new Set([START]);
  // The set grows during the loop.
  for (const path of reached) {
    const content = await read(path);
    if (!path.endsWith(".md")) {
      made.set(placeOf(path), content);
      continue;
    }
    const { title, html } = drawnDocument(content.toString());
    const body = html.replaceAll(/ (href|src)="([^"#:]+)(#[^"]*)?"/g, (_, name, link, anchor = "") => {
      const target = posix.join(posix.dirname(path), decodeURI(link));
      reached.add(target);
      return ` ${name}="${fromTo(path, target)}${anchor}"`;
    });
    made.set(placeOf(path), pageOf({ title, body, home: fromTo(path, START) }));
  }
  return made;
}

/** Returns the path on the site of a file in the repository. `docs/` is the site's root, and a folder's README its first page. */
export function placeOf(path: string): string {
  const below = path.replace(/^docs\//, "").replace(/^\./, "");
  return below.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
}

const fromTo = (from: string, to: string): string =>
  encodeURI(posix.relative(posix.dirname(placeOf(from)), placeOf(to)));

/** Returns a document as HTML, with headings' anchors like GitHub's, and its first heading. */
function drawnDocument(document: string): { title: string; html: string } {
  let title: string | undefined;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        title ??= plain;
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const html = marked.parse(document, { async: false });
  return { title: title ?? "", html };
}

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/&\w+;/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
