import test from "ava";
import { openProvider, SignOnError } from "../../../../api/session/provider/provider.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { aBrowser } from "./a-browser.ts";
import { CLIENT, openIdProvider, PUBLIC_URL } from "./an-id-provider.ts";

const provider = await openIdProvider();
test.after.always(() => provider.close());
const settingsOfProvider = {
  PUBLIC_URL,
  BASE_PATH: undefined,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_SCOPE: "openid profile",
  OIDC_NAME: "Staff login",
  OIDC_USER_CLAIM: "sub",
  OIDC_TENANT: "demo",
  OIDC_TENANT_CLAIM: undefined,
  OIDC_STORES_CLAIM: "stores",
  OIDC_ROLES_CLAIM: "groups",
  OIDC_ROLES: "esl-shop=shop,esl-head=head-office,esl-admin=operator",
};
const shelfwire = servedStack({
  workers: [],
  settings: Object.fromEntries(
    Object.entries(settingsOfProvider).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ),
});
const browser = () => aBrowser(shelfwire.origin);
// The cookies' names over HTTPS, since PUBLIC_URL is https. Like some browsers, this one does not say so in its calls.
const SESSION = "__Host-shelfwire-session";
const LOGIN = "__Host-shelfwire-login";

test("without a session, the requested page opens after the login page, the login at the provider and the return", async (t) => {
  const { get, toProvider, cookie } = browser();
  const asked = await get("/items?store=main");
  t.is(asked.status, 401);
  t.regex(asked.text, /href="\/login\/provider\?next=%2Fitems%3Fstore%3Dmain">Log in with Staff login/);
  const back = await get(await toProvider("ana", "/items?store=main"));
  t.is(back.status, 200);
  t.is(back.to, `${PUBLIC_URL}/items?store=main`);
  t.deepEqual([cookie(SESSION)?.length, cookie(LOGIN)], [43, undefined]);
  const page = await get(back.to);
  t.is(page.status, 200);
  t.regex(page.text, /<p class="who">ana<\/p>/);
});

for (const [who, allowed, refused] of [
  [
    "ana",
    ["/", "/shelf?store=main", "/items?store=main"],
    ["/stores", "/designer", "/items?store=other", "/dashboard"],
  ],
  ["boss", ["/", "/stores", "/designer", "/activity?all=1", "/dashboard"], ["/new/user"]],
  ["root", ["/stores", "/stores?tenant=demo", "/new/user?tenant=demo", "/dashboard"], ["/items?store=main"]],
] as const)
  test(`${who} opens the pages of the role that the provider's groups stand for, and the dashboard if it may`, async (t) => {
    const { get, toProvider } = browser();
    await get(await toProvider(who));
    for (const path of allowed) t.is((await get(path)).status, 200, path);
    for (const path of refused) t.true([403, 404].includes((await get(path)).status), path);
  });

for (const who of ["stranger", "homeless"])
  test(`a person without a role or stores cannot log in: ${who}`, async (t) => {
    const { get, toProvider, cookie } = browser();
    const back = await get(await toProvider(who));
    t.is(back.status, 403);
    t.regex(back.text, /You have no access to Shelfwire yet/);
    t.is(cookie(SESSION), undefined);
  });

/** Returns the cookie of an unfinished login with some parts replaced. */
const changed = (value: string, parts: object): string =>
  Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(value, "base64url").toString()), ...parts })).toString(
    "base64url",
  );
const other = "another-value-of-the-right-length-0123456789";
type Browser = ReturnType<typeof aBrowser>;
const keep =
  (parts: object) =>
  (address: string, { cookie, setCookie }: Browser) => {
    setCookie(LOGIN, changed(cookie(LOGIN) ?? "", parts));
    return address;
  };
const forget = (address: string, { setCookie }: Browser) => {
  setCookie(LOGIN, "e30");
  return address;
};
const ask = (name: string, value: string) => (address: string) => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};
for (const [fault, tamper] of [
  ["another state in the address", ask("state", other)],
  ["another state in the browser", keep({ state: other })],
  ["another nonce", keep({ nonce: other })],
  ["another PKCE verifier", keep({ verifier: other })],
  ["a code that was never issued", ask("code", other)],
  ["another issuer", ask("iss", "https://evil.example")],
  ["a browser that did not start a login", forget],
  ["an error of the provider", ask("error", "access_denied")],
] as const)
  test(`a return from the provider is refused: ${fault}`, async (t) => {
    const ours = browser();
    const address = tamper(await ours.toProvider("ana"), ours);
    const back = await ours.get(address);
    t.is(back.status, 401);
    t.regex(back.text, /The login did not succeed\. Try again\./);
    t.deepEqual([ours.cookie(SESSION), ours.cookie(LOGIN)], [undefined, undefined]);
  });

test("a return works only once: neither its browser nor another one can repeat it", async (t) => {
  const ours = browser();
  const address = await ours.toProvider("ana");
  const begun = ours.cookie(LOGIN) ?? "";
  t.is((await ours.get(address)).status, 200);
  t.is((await ours.get(address)).status, 401, "the browser no longer has an unfinished login");
  const thief = browser();
  await thief.get("/login");
  thief.setCookie(LOGIN, begun);
  t.is((await thief.get(address)).status, 401, "the provider refuses the code");
  t.is(thief.cookie(SESSION), undefined);
});

test("a provider that claims to be another issuer is not used", async (t) => {
  const elsewhere = { ...settingsOfProvider, OIDC_ISSUER: provider.issuer.replace("127.0.0.1", "localhost") };
  const error = await t.throwsAsync(async () => openProvider(elsewhere, Date.now)?.begin(), {
    instanceOf: SignOnError,
  });
  t.is(error?.fault, "unreachable");
});

test("each login that waits for an unreachable provider ends with that reason, and the next login calls the provider again", async (t) => {
  const settings = { ...settingsOfProvider, OIDC_ISSUER: "http://127.0.0.1:1" };
  const opened = openProvider(settings, Date.now);
  for (const round of [1, 2])
    for (const login of await Promise.allSettled([opened?.begin(), opened?.begin()]))
      t.true(login.status === "rejected" && login.reason instanceof SignOnError, `round ${round}`);
});

test("a login never redirects to another site", async (t) => {
  const { get, toProvider } = browser();
  t.is((await get(await toProvider("ana", "//evil.example"))).to, `${PUBLIC_URL}/work`);
});

test("a login replaces the browser's previous session, which ends", async (t) => {
  const [ours, copy] = [browser(), browser()];
  const token = await shelfwire.token({ subject: "shared-device" });
  await ours.post("/login", { token });
  const former = ours.cookie("shelfwire-session") ?? "";
  await copy.get("/login");
  copy.setCookie("shelfwire-session", former);
  t.is((await copy.get("/account")).status, 200);
  await ours.post("/login", { token });
  t.is((await copy.get("/account")).status, 401);
  t.is((await ours.get("/account")).status, 200);
});

test("a logout also ends the session at the provider", async (t) => {
  const { get, post, toProvider, cookie } = browser();
  await get(await toProvider("ana"));
  const left = await post("/logout", {});
  t.is(cookie(SESSION), undefined);
  t.true(left.to.startsWith(`${provider.issuer}/session/end?`), left.to);
  const asked = await get(left.to);
  const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(asked.text) ?? [];
  const ended = await post(`${provider.issuer}/session/end/confirm`, { xsrf, logout: "yes" });
  t.is(ended.to.split("?")[0], `${PUBLIC_URL}/login`);
});

test("a user sees where they are logged in, and can end one of these sessions or all of them", async (t) => {
  const [phone, desk] = [browser(), browser()];
  for (const one of [phone, desk]) await one.get(await one.toProvider("leaver"));
  const account = await desk.get("/account");
  t.is(account.status, 200);
  const [, name = ""] = /name="end" value="([\w-]{43})"/.exec(account.text) ?? [];
  t.is((await desk.post("/account", { end: name })).status, 303);
  const everywhere = browser();
  await everywhere.get(await everywhere.toProvider("leaver"));
  await everywhere.post("/account", { end: "all" });
  for (const one of [phone, desk, everywhere]) t.is((await one.get("/")).status, 401);
});
