import { createHash } from "node:crypto";
import test from "ava";
import { type FontAnswer, fontLimits, type ListedFont } from "../../../../schemas/asset.ts";
import { tenantLimits } from "../../../../schemas/tenant-limits.ts";
import { ownStack } from "../../../harness/own.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { bodyOf, refused } from "../../calls.ts";
import { boldSerif, otf, serif } from "../../fonts/files.ts";
import { manage } from "../calls.ts";
import { putFont } from "../image-calls.ts";

const shelfwire = ownStack({ workers: [] }, thisThread);
const call = (method: string, name: string, headers = {}) =>
  manage(shelfwire, method, `/fonts${name && `/${name}`}`, undefined, headers);
const put = (name: string, file: Uint8Array, headers = {}) => putFont(shelfwire, name, file, headers);

test("a font is returned as it was sent, with its own media type", async (t) => {
  t.deepEqual(await bodyOf<FontAnswer>(await put("brand", boldSerif)), {
    name: "brand",
    mediaType: "font/ttf",
    bytes: boldSerif.length,
    glyphs: 3506,
    embedding: "installable",
    sha256: createHash("sha256").update(boldSerif).digest("hex"),
  });
  const answer = await call("GET", "brand");
  t.is(answer.headers.get("content-type"), "font/ttf");
  t.true(Buffer.from(await answer.arrayBuffer()).equals(boldSerif));
  t.like(await bodyOf<FontAnswer>(await put("slim.otf", otf)), { mediaType: "font/otf" });
});

test("the list shows every font but no image, and which fonts are not read yet", async (t) => {
  await put("listed", otf);
  const listed = await bodyOf<ListedFont[]>(await call("GET", ""));
  t.like(
    listed.find(({ name }) => name === "listed"),
    { isReady: false, fault: null, readableFrom: null },
  );
  t.deepEqual(await bodyOf<unknown[]>(await manage(shelfwire, "GET", "/images")), []);
});

test("replacing a font requires its current tag, and a deleted font is gone", async (t) => {
  const tag = (await put("tagged", serif, { "if-none-match": "*" })).headers.get("etag") ?? "";
  await refused(t, await put("tagged", boldSerif, { "if-none-match": "*" }), 412);
  t.is((await call("GET", "tagged", { "if-none-match": tag })).status, 304);
  t.is((await put("tagged", boldSerif, { "if-match": tag })).status, 200);
  await refused(t, await call("DELETE", "tagged", { "if-match": tag }), 412);
  t.is((await call("DELETE", "tagged")).status, 204);
  await refused(t, await call("GET", "tagged"), 404);
  await refused(t, await call("DELETE", "tagged"), 404);
});

const bad: [what: string, name: string, file: Uint8Array, status: number][] = [
  ["a text file", "bad", Buffer.from("hello"), 400],
  ["a WOFF2", "bad", Buffer.concat([Buffer.from("wOF2"), boldSerif.subarray(4)]), 400],
  ["a truncated font", "bad", boldSerif.subarray(0, 100_000), 400],
  ["a font that is too large", "bad", Buffer.concat([boldSerif, Buffer.alloc(fontLimits.maxBytes)]), 413],
  ["a font with a built-in typeface's name", "condensed-bold", boldSerif, 400],
  ["a name with a space", "a%20b", boldSerif, 400],
];
for (const [what, name, file, status] of bad)
  test(`${what} is refused with ${status}`, async (t) => void (await refused(t, await put(name, file), status)));

test("a token without design:write cannot put or delete a font, and another tenant's token sees none", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ scope: "design:read" })}`;
  await put("guarded", otf);
  t.is((await call("GET", "guarded", { authorization })).status, 200);
  await refused(t, await put("guarded", otf, { authorization }), 403);
  await refused(t, await call("DELETE", "guarded", { authorization }), 403);
  const foreign = await shelfwire.token();
  const address = `${shelfwire.origin}/t/other/api/management/v1/fonts/guarded`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${foreign}` } });
  t.true([401, 403, 404].includes(answer.status), `${answer.status}`);
});

test.serial("a font beyond the limit returns 409, and an existing one can be changed", async (t) => {
  const before = tenantLimits.fonts;
  t.teardown(() => Object.assign(tenantLimits, { fonts: before }));
  await put("first", otf);
  tenantLimits.fonts = (await bodyOf<unknown[]>(await call("GET", ""))).length;
  await refused(t, await put("one-more", otf), 409);
  t.is((await put("first", serif)).status, 200);
});
