import { createHash } from "node:crypto";
import test from "ava";
import type { ImageAnswer, ListedImage } from "../../../../schemas/asset.ts";
import { imageLimits } from "../../../../schemas/asset.ts";
import { tenantLimits } from "../../../../schemas/tenant-limits.ts";
import { ownStack } from "../../../harness/own.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { bodyOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";
import { pngOf, putImage } from "../image-calls.ts";

const shelfwire = ownStack({ workers: [] }, thisThread);
const call = (method: string, name: string, headers = {}) =>
  manage(shelfwire, method, `/images${name && `/${name}`}`, undefined, headers);
const put = (name: string, file: Uint8Array, headers = {}) => putImage(shelfwire, name, file, headers);

const RED = await pngOf(0xff0000ff);
const BLUE = await pngOf(0x0000ffff);
const sha256 = (file: Uint8Array) => createHash("sha256").update(file).digest("hex");
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="9" height="9"/></svg>',
);

test("an image is returned as it was sent, with its own media type", async (t) => {
  const saved = await bodyOf<ImageAnswer>(await put("logo", RED));
  t.deepEqual(saved, {
    name: "logo",
    mediaType: "image/png",
    bytes: RED.length,
    width: 40,
    height: 20,
    sha256: sha256(RED),
  });
  const answer = await call("GET", "logo");
  t.is(answer.headers.get("content-type"), "image/png");
  t.true(Buffer.from(await answer.arrayBuffer()).equals(RED));
  const head = await call("HEAD", "logo");
  t.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, String(RED.length), ""]);
});

test("an SVG is served so that nothing in it runs in a browser", async (t) => {
  t.like(await bodyOf<ImageAnswer>(await put("leaf.svg", svg)), { mediaType: "image/svg+xml", width: 30, height: 10 });
  const answer = await call("GET", "leaf.svg");
  t.is(answer.headers.get("content-type"), "image/svg+xml");
  t.regex(answer.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
  t.is(answer.headers.get("x-content-type-options"), "nosniff");
});

test("the list shows every image, and which images are not decoded yet", async (t) => {
  await put("listed", RED);
  const listed = (await bodyOf<ListedImage[]>(await call("GET", ""))).find(({ name }) => name === "listed");
  t.like(listed, { mediaType: "image/png", isReady: false, fault: null });
});

test("replacing an image requires its current tag, and creating an image requires that none exists", async (t) => {
  const made = await put("tagged", RED, { "if-none-match": "*" });
  const tag = made.headers.get("etag") ?? "";
  t.is((await call("GET", "tagged")).headers.get("etag"), tag);
  t.is((await call("GET", "tagged", { "if-none-match": tag })).status, 304);
  await refused(t, await put("tagged", BLUE, { "if-none-match": "*" }), 412);
  const changed = await put("tagged", BLUE, { "if-match": tag });
  t.is(changed.status, 200);
  await refused(t, await put("tagged", RED, { "if-match": tag }), 412);
  await refused(t, await call("DELETE", "tagged", { "if-match": tag }), 412);
  t.is((await call("DELETE", "tagged", { "if-match": changed.headers.get("etag") ?? "" })).status, 204);
  await refused(t, await call("GET", "tagged"), 404);
  await refused(t, await call("DELETE", "tagged"), 404);
  t.is((await put("tagged", RED, { "if-none-match": "*" })).status, 200);
});

const bad: [what: string, name: string, file: () => Uint8Array | Promise<Uint8Array>, status: number][] = [
  ["a text file", "bad", () => Buffer.from("hello"), 400],
  ["a GIF", "bad", () => Buffer.from("GIF89a"), 400],
  ["a truncated PNG", "bad", () => RED.subarray(0, 60), 400],
  ["a PNG with too many pixels", "bad", () => pngOf(0xffffffff, imageLimits.maxSide + 1, 1), 400],
  ["an SVG with a script", "bad", () => Buffer.from("<svg viewBox='0 0 1 1'><script/></svg>"), 400],
  ["an SVG that is too long", "bad", () => Buffer.concat([svg, Buffer.alloc(imageLimits.maxSvgBytes, " ")]), 400],
  ["a file that is too large", "bad", () => Buffer.alloc(imageLimits.maxBytes + 1), 413],
  ["a name with a space", "a%20b", () => RED, 400],
  ["a name as long as a SHA-256", "a".repeat(64), () => RED, 400],
];
for (const [what, name, file, status] of bad)
  test(`${what} is refused with ${status}`, async (t) =>
    void (await refused(t, await put(name, await file()), status)));

test("a token without design:write cannot put or delete an image", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ scope: "design:read" })}`;
  await put("guarded", RED);
  t.is((await call("GET", "guarded", { authorization })).status, 200);
  await refused(t, await put("guarded", RED, { authorization }), 403);
  await refused(t, await call("DELETE", "guarded", { authorization }), 403);
});

test.serial("an image beyond the limit returns 409, and an existing one can be changed", async (t) => {
  const before = tenantLimits.images;
  t.teardown(() => Object.assign(tenantLimits, { images: before }));
  await put("first", RED);
  tenantLimits.images = (await bodyOf<unknown[]>(await call("GET", ""))).length;
  await refused(t, await put("one-more", RED), 409);
  t.is((await put("first", BLUE)).status, 200);
});
