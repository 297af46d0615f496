import test from "ava";
import fc from "fast-check";
import { createPictureLinks, type LinkedPicture } from "../../../../api/labels/picture-links/picture-links.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { JWT_SECRET } from "../../../harness/served.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { refused } from "../../calls.ts";

const served = servedStack();
const barcode = labelFor("linked");
const signer = createPictureLinks(JWT_SECRET, undefined, "");

/** Makes calls without a token. */
const read = (path: string, headers = {}) => fetch(`${served.origin}${path}`, { headers });
const linkOf = async (query = "") => {
  const answer = await served.call("GET", `/labels/${barcode}/image-link${query}`);
  return (await answer.json()) as { path: string; expiresAt: string };
};

test.serial.before(async () => {
  await served.call("PATCH", "/items", [{ itemId: "linked", itemName: "Linked", price: "1.99" }]);
  await eventually("the label has its picture", async () => {
    const link = await served.call("POST", "/labels/link-single?timeout=30000", { barcode, itemId: "linked" });
    return ((await link.json()) as { status: string }).status === "LINKED";
  });
});

test("a link shows the label's picture without a token until it expires", async (t) => {
  const began = Math.floor(Date.now() / 1000);
  const { path, expiresAt } = await linkOf("?expiresIn=3600&of=shown");
  const answer = await read(path);
  t.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
  t.deepEqual(await answer.bytes(), await (await served.call("GET", `/labels/${barcode}/image?of=shown`)).bytes());
  t.is((await read(path, { "if-none-match": answer.headers.get("etag") ?? "" })).status, 304);
  t.is(answer.headers.get("cross-origin-resource-policy"), "cross-origin");
  t.true(Date.parse(expiresAt) / 1000 >= began + 3600);
  t.is(new URL(path, served.origin).searchParams.get("expires"), String(Date.parse(expiresAt) / 1000));
  const expired = signer.pathOf({ store: "t/demo/s/main", barcode, of: "newest", expires: began - 1 });
  const refusal = await read(expired);
  t.is(refusal.status, 403);
  t.regex(((await refusal.json()) as { detail: string }).detail, /has expired/);
});

test("a link that was changed anywhere, or was signed with another secret, shows nothing", async (t) => {
  const { path } = await linkOf();
  const address = new URL(path, served.origin);
  const changes: ((url: URL) => void)[] = [
    (url) => url.searchParams.set("expires", "9999999999"),
    (url) => url.searchParams.set("of", "shown"),
    (url) => url.searchParams.set("of", "other"),
    (url) => url.searchParams.append("expires", "9999999999"),
    (url) => url.searchParams.delete("signature"),
    (url) => url.searchParams.set("signature", ""),
    (url) => (url.pathname = url.pathname.replace(barcode, labelFor("other"))),
    (url) => (url.pathname = url.pathname.replace("/s/main/", "/s/other/")),
  ];
  for (const change of changes) {
    const url = new URL(address);
    change(url);
    await refused(t, await read(`${url.pathname}${url.search}`), 403);
  }
  const foreign = createPictureLinks("another secret of the length that is required", undefined, "");
  const expires = Math.floor(Date.now() / 1000) + 60;
  await refused(t, await read(foreign.pathOf({ store: "t/demo/s/main", barcode, of: "newest", expires })), 403);
});

test("a link requires the permission to read labels, an existing label, and a time within its limits", async (t) => {
  const path = `${served.base}/labels/${barcode}/image-link`;
  const authorization = `Bearer ${await served.token({ scope: "items:read" })}`;
  await refused(t, await fetch(path, { headers: { authorization } }), 403);
  await refused(t, await served.call("GET", `/labels/${labelFor("nowhere")}/image-link`), 404);
  for (const seconds of [60, 604_800])
    t.is((await served.call("GET", `/labels/${barcode}/image-link?expiresIn=${seconds}`)).status, 200);
  for (const seconds of [59, 604_801])
    await refused(t, await served.call("GET", `/labels/${barcode}/image-link?expiresIn=${seconds}`), 400);
});

test("a link that was signed with the former secret is valid while that secret is still configured, and no longer", (t) => {
  const picture: fc.Arbitrary<LinkedPicture> = fc.record({
    store: fc.constantFrom("t/demo/s/main", "t/a/s/b"),
    barcode: fc.string({ minLength: 1 }),
    of: fc.constantFrom("newest", "shown", "next"),
    expires: fc.nat(),
  });
  const [former, next] = ["the former secret", "the next secret"];
  fc.assert(
    fc.property(picture, (one) => {
      const path = createPictureLinks(former, undefined, "/esl").pathOf(one);
      t.true(path.startsWith(`/esl/${one.store}/api/label-pictures/`));
      const signature = new URL(path, "http://a").searchParams.get("signature") ?? "";
      t.true(createPictureLinks(next, former, "").isSigned(one, signature));
      t.false(createPictureLinks(next, undefined, "").isSigned(one, signature));
    }),
  );
});
