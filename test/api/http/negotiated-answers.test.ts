import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

const get = (path: string, accept: string) => shelfwire.call("GET", path, undefined, { accept });

for (const accept of [
  "application/json",
  "application/json; charset=utf-8",
  "application/*",
  "*/*",
  "text/html, application/json;q=0.1",
  "text/html, */*;q=0.1",
  "application/problem+json",
]) {
  test(`Accept: ${accept} admits a list`, async (t) => {
    t.is((await get("/items", accept)).status, 200);
  });
}

for (const accept of ["text/html", "text/*", "image/png", "application/xml", "application/json;q=0"]) {
  test(`Accept: ${accept} admits no list: 406`, async (t) => {
    t.is((await refused(t, await get("/items", accept), 406)).type, "/problems/not-acceptable");
  });
}

test("a picture is admitted by its own media type", async (t) => {
  const path = `/labels/${labelFor("nothing")}/image`;
  t.is((await get(path, "image/png")).status, 404);
  t.is((await get(path, "image/*")).status, 404);
  await refused(t, await get(path, "application/json"), 406);
});

test("a write whose response cannot be negotiated is not applied", async (t) => {
  await refused(t, await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }], { accept: "text/html" }), 406);
  const { requestId } = (await (await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }])).json()) as {
    requestId: number;
  };
  t.is(requestId, 1);
});
