import test from "ava";
import { instantText } from "../../../../api/pages/layout/time-text.ts";
import { scopes } from "../../../../schemas/token.ts";
import { labelFor } from "../../../harness/glass.ts";
import { platformToken, sessionOf } from "../../../harness/served.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { manage } from "../../management/calls.ts";

const shelfwire = servedStack({ workers: [] });
const paths = [
  "/",
  "/?checks=1",
  "/?store=other",
  "/shelf",
  "/shelf?store=other",
  "/shelf?store=main",
  "/aisle",
  "/aisle?store=other",
  `/labels/${labelFor("apple")}`,
  `/labels/${labelFor("apple")}?store=other`,
  "/items",
  "/items?store=other",
  "/items/apple",
  "/items/apple?store=other",
  "/activity",
  "/activity?all=1",
  "/import",
  "/import?store=other",
  `/labels/${labelFor("apple")}/proof?at=2026-03-03+10:00:00`,
  "/shelf/then?at=2026-03-03T10:00:00",
  "/shelf/then?store=other",
  "/work",
  "/work?store=other",
  "/campaigns",
  "/campaigns/new",
  "/held",
  "/held?store=other",
  "/held/1",
  "/designer",
  "/designer/canvases",
  "/designer/canvases/none",
  "/designer/rules?pack=shelf-prices",
  "/stores",
  "/stores?tenant=elsewhere",
  "/stores/other",
  "/new/store",
  "/new/user",
  "/users/till-7",
  "/new/label-server",
  "/label-servers/cellar",
  "/new/subscription",
  "/subscriptions/none",
];

const open = (path: string, cookie: string, headers: Record<string, string> = {}) =>
  fetch(`${shelfwire.origin}${path}`, { headers: { cookie, accept: "text/html", ...headers }, redirect: "manual" });

test.serial.before(async () => {
  const store = {
    name: "The other store",
    timeZone: "Europe/Zagreb",
    currency: "EUR",
    locale: "hr-HR",
    linkDepartments: [],
  };
  await manage(shelfwire, "PUT", "/stores/other", store);
});

test("without a session every page shows only the login", async (t) => {
  for (const path of paths) {
    const answer = await open(path, "");
    const text = await answer.text();
    t.is(answer.status, 401, path);
    t.true(text.includes('name="password"'), path);
    t.false(
      /\/t\/demo|main/.test(
        text
          .replace(/<main/g, "")
          .replace(/<\/main/g, "")
          .replace(/value="[^"]*"/g, ""),
      ),
      path,
    );
  }
});

test("a session's pages show no more than the API returns for a token with the same scope", async (t) => {
  for (const stores of ["*", ["main"]] as const) {
    for (const scope of [...scopes, "labels:read ops"]) {
      const token = await shelfwire.token({ scope, stores: stores === "*" ? "*" : [...stores] });
      const cookie = await sessionOf(shelfwire.origin, token);
      const has = (wanted: string) => scope.split(" ").includes(wanted);
      for (const path of paths) {
        const about = `${scope} ${stores} ${path}`;
        const answer = await open(path, cookie);
        const text = await answer.text();
        t.true(answer.status < 500, about);
        // A label's or a store's contents require their permission; another tenant's store is never named.
        if (!has("labels:read")) t.false(/class="figure"|id="glass"/.test(text), about);
        if (stores !== "*") t.false(text.includes("The other store"), about);
        if (stores !== "*" || !has("ops")) t.false(/class="checked"|\/label-tail/.test(text), about);
        if (!has("labels:read")) t.false(/core\/v1\/labels\/tail/.test(text), about);
        t.false(
          /list-card" aria-labelledby="(?:users|tenants)-title|href="[^"]*label-server/.test(text),
          `${about}: for the operator only`,
        );
        if (/^.(?:new.(?:user|label)|users|label-servers)/.test(path)) t.is(answer.status, 403, about);
        const isDesk = path.startsWith("/designer");
        if (stores !== "*" || !has("design:read")) t.false(/id="rules"/.test(text), about);
        if (stores !== "*" || !has("design:write")) t.false(/id="(?:add|save|publish)"/.test(text), about);
        if (stores !== "*" || !has(isDesk ? "design:read" : "ops"))
          t.false(/id="(?:order|subscription)"|list-card/.test(text), about);
        if (stores !== "*" || !has("ops:write")) t.false(/id="remove"|class="primary"[^>]*>Save/.test(text), about);
        if (!has("labels:write")) t.false(/data-act=/.test(text), about);
        if (!has("activity:read")) t.false(/entries activity|href="[^"]*\/activity/.test(text), about);
        if (!has("items:read")) t.false(/id="items?"/.test(text), about);
        if (!has("items:write")) t.false(/price-form|id="(?:import|delete|add-property)"/.test(text), about);
        if (stores !== "*" && /^.(?:labels|items|import).*other/.test(path)) t.is(answer.status, 403, about);
      }
    }
  }
});

test("staff of one store see its name, and staff of all stores see the list, without the management interface", async (t) => {
  const scope = "items:read labels:read";
  const [one, all] = await Promise.all(
    [["other"], "*" as const].map(async (stores) =>
      sessionOf(shelfwire.origin, await shelfwire.token({ scope, stores })),
    ),
  );
  t.regex(await (await open("/shelf", one ?? "")).text(), /<span>The other store<\/span>/);
  t.regex(await (await open("/", all ?? "")).text(), /href="\/shelf\?store=other"|href="\/\?store=other"/);
  t.regex(await (await open("/items", one ?? "")).text(), /data-currency="EUR"/);
});

test("an account's times are in the store's zone; without a store, they are in UTC until the browser converts them", async (t) => {
  const inStore = await sessionOf(shelfwire.origin, await shelfwire.token({ scope: "items:read", stores: ["other"] }));
  const [, iso = "", shown] =
    /<time datetime="([^"]+)">([^<]+)</.exec(await (await open("/account", inStore)).text()) ?? [];
  t.is(shown, instantText(iso, "en", "Europe/Zagreb"));
  const above = await (await open("/account", await sessionOf(shelfwire.origin, await platformToken()))).text();
  t.regex(above, /<time datetime="[^"]+" data-utc>[^<]+UTC</);
  t.regex(above, /src="[^"]+session\/local-times.ts"/);
});

test("a session's API calls have its token's permissions, and calls without a session have none", async (t) => {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token({ scope: "labels:read", stores: ["main"] }));
  const status = async (path: string, more: RequestInit = {}) =>
    (
      await fetch(`${shelfwire.origin}${path}`, {
        ...more,
        headers: { cookie, origin: shelfwire.origin, ...more.headers },
      })
    ).status;
  const store = (id: string) => `/t/demo/s/${id}/api/public/core/v1`;
  t.is(await status(`${store("main")}/labels`), 200);
  t.is(await status(`${store("main")}/items`), 403);
  t.is(await status(`${store("other")}/labels`), 403);
  t.is(await status("/t/demo/api/management/v1/stores"), 403);
  t.is(await status("/api/platform/v1/tenants"), 403);
  t.is(await status(`${store("main")}/labels/D4/refresh`, { method: "POST" }), 403);
  t.is(await status(`${store("main")}/labels`, { headers: { cookie: `shelfwire-session=${"x".repeat(43)}` } }), 401);
  t.is(
    await status(`${store("main")}/labels`, { headers: { authorization: "Bearer nonsense" } }),
    401,
    "a session does not make an invalid token valid",
  );
});

test("a forged request from another site changes nothing, whatever it sends", async (t) => {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token());
  const item = `${shelfwire.base}/items/forged`;
  const forged: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { origin: "http://elsewhere.example" },
    {},
  ];
  for (const headers of forged) {
    for (const type of ["application/json", "text/plain"]) {
      const answer = await fetch(item, {
        method: "PATCH",
        headers: { cookie, "content-type": type, ...headers },
        body: `{"price":"0.01"}`,
      });
      t.is(answer.status, 403, JSON.stringify(headers));
    }
    const store = await fetch(`${shelfwire.origin}/t/demo/api/management/v1/stores/main`, {
      method: "DELETE",
      headers: { cookie, ...headers },
    });
    t.is(store.status, 403);
    const preferences = await fetch(`${shelfwire.origin}/preferences`, {
      method: "POST",
      headers: { cookie, ...headers },
      body: new URLSearchParams({ language: "de" }),
    });
    t.is(preferences.status, 403);
  }
  t.is((await shelfwire.call("GET", "/items/forged")).status, 404);
  const own = { cookie, origin: shelfwire.origin, "content-type": "application/json" };
  t.is(
    (await fetch(item, { method: "PATCH", headers: own, body: `{"price":"1.99"}` })).status,
    202,
    "the session's own page may",
  );
});

test("the operator's session has no store and is redirected", async (t) => {
  const cookie = await sessionOf(shelfwire.origin, await platformToken());
  t.true((await (await open("/", cookie)).text()).includes("/dashboard"));
  t.is((await open("/shelf?store=main", cookie)).status, 200);
  t.is((await fetch(`${shelfwire.base}/labels`, { headers: { cookie } })).status, 403);
  t.is((await open("/labels/D4?store=main", cookie)).status, 403);
});

test("a page has its reader's chosen language and theme, and keeps to its own origin", async (t) => {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token());
  const page = await open("/", cookie, { "accept-language": "hr,en;q=0.5" });
  t.regex(await page.text(), /<html lang="hr">/);
  t.regex(
    page.headers.get("content-security-policy") ?? "",
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  const chosen = await fetch(`${shelfwire.origin}/preferences`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: shelfwire.origin },
    body: new URLSearchParams({ language: "de", next: "//elsewhere.example" }),
  });
  t.is(chosen.headers.get("location"), "/");
  const language = chosen.headers.get("set-cookie")?.split(";")[0] ?? "";
  t.regex(
    await (await open("/shelf", `${cookie}; ${language}; shelfwire-theme=dark`)).text(),
    /<html lang="de" data-theme="dark">/,
  );
});
