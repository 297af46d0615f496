import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import test from "ava";
import { makeSite, placeOf } from "../../../../scripts/develop/site/pages.ts";
import { documentFiles } from "../../../docs/commands/command-blocks.ts";

const root = new URL("../../../../", import.meta.url);
const site = await makeSite((path) => readFile(new URL(path, root)));

test("the site has a page for every document, which names that document", (t) => {
  for (const file of documentFiles()) {
    const page = String(site.get(placeOf(file)) ?? "");
    t.regex(page, /<title>[^<]+ - Shelfwire<\/title>|<title>Shelfwire<\/title>/, file);
    t.notRegex(page, /<script|(src|href)="https?:[^"]*\.(js|css)"/, file);
  }
});

test("every link on the site leads to a file, and to a heading on its page", (t) => {
  let links = 0;
  for (const [place, content] of site) {
    if (!place.endsWith(".html") || typeof content !== "string") continue;
    for (const [, link = "", anchor] of content.matchAll(/ (?:href|src)="([^"#:]*)(?:#([^"]*))?"/g)) {
      const target = link === "" ? place : posix.join(posix.dirname(place), decodeURI(link));
      const page = site.get(target);
      t.truthy(page, `${place} leads to ${target}`);
      if (anchor !== undefined)
        t.true(String(page).includes(` id="${decodeURI(anchor)}"`), `${place}: ${target}#${anchor}`);
      links += 1;
    }
  }
  t.true(links > 1000);
});

test("pages and pictures keep their names, and a folder's README is its first page", (t) => {
  t.is(placeOf("README.md"), "index.html");
  t.is(placeOf("docs/operations/README.md"), "operations/index.html");
  t.is(placeOf("docs/rules.md"), "rules.html");
  t.is(placeOf("docs/pictures/shelf.png"), "pictures/shelf.png");
  t.is(placeOf(".github/SECURITY.md"), "github/SECURITY.html");
});
