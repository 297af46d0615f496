import test from "ava";
import { localPath } from "../../../api/session/next-page.ts";
import { isOfSecurePage, isSameOrigin } from "../../../api/session/same-origin.ts";

const host = "labels.example:8080";

test("if a request has Sec-Fetch-Site, that header decides", (t) => {
  t.true(isSameOrigin({ host, "sec-fetch-site": "same-origin" }));
  for (const site of ["same-site", "cross-site", "none", ""])
    t.false(isSameOrigin({ host, origin: `https://${host}`, "sec-fetch-site": site }), site);
});

test("without Sec-Fetch-Site, the Origin header must match the requested host", (t) => {
  t.true(isSameOrigin({ host, origin: `http://${host}` }));
  t.true(isSameOrigin({ host, origin: `https://${host}` }));
  for (const origin of ["http://labels.example", `http://${host}.elsewhere.example`, "null", ""])
    t.false(isSameOrigin({ host, origin }), origin);
});

test("a request without Sec-Fetch-Site and Origin does not come from a page", (t) => t.false(isSameOrigin({ host })));

test("only a page served over HTTPS has a Secure cookie", (t) => {
  t.true(isOfSecurePage({ origin: "https://labels.example" }));
  t.false(isOfSecurePage({ origin: "http://labels.example" }));
  t.false(isOfSecurePage({}));
  t.true(isOfSecurePage({ host, "sec-fetch-site": "none" }), "opening a page sends no origin");
  for (const local of ["localhost:8080", "shop.localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"])
    t.false(isOfSecurePage({ host: local, "sec-fetch-site": "none" }), local);
  t.true(isOfSecurePage({ host: "localhost", origin: "https://localhost", "sec-fetch-site": "same-origin" }));
  t.true(isOfSecurePage({ host: "127.0.0.1.example", "sec-fetch-site": "none" }));
});

test("a login redirects only to a page of this origin", (t) => {
  t.is(localPath("/dashboard/queue/item?status=failed"), "/dashboard/queue/item?status=failed");
  for (const text of [
    "//elsewhere.example/",
    "/\\elsewhere.example",
    "https://elsewhere.example/",
    "/a\r\nb",
    "",
    // Too long for the cookie of a login in progress.
    `/items?search=${"a".repeat(3_000)}`,
    undefined,
  ])
    t.is(localPath(text), "/", String(text));
});
