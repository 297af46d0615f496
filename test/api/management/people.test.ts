import test from "ava";
import type { Person, PersonSession } from "../../../schemas/person.ts";
import { eventually } from "../../harness/eventually.ts";
import { sessionOf } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, openStore, pointersOf, refused } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });
test.serial.before(async () => void (await openStore(shelfwire, "branch")));

/** Returns the calls of a person with these stores and scopes. */
const as =
  (stores: "*" | string[], scope = "*") =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    operate(shelfwire, method, `/t/demo/api/management/v1/people${path}`, body, {
      authorization: `Bearer ${await shelfwire.token({ stores, scope, subject: "office" })}`,
      ...headers,
    });
const office = as("*");
const regional = as(["branch"]);
const names = async (answer: Response) => (await bodyOf<Person[]>(answer)).map(({ userName }) => userName);

const page = (path: string, init: RequestInit = {}) =>
  fetch(`${shelfwire.origin}${path}`, {
    redirect: "manual",
    ...init,
    headers: { accept: "text/html", origin: shelfwire.origin, ...(init.headers as object) },
  });
const join = (path: string, password: string) =>
  page("/join", { method: "POST", body: new URLSearchParams({ code: path.split("=")[1] ?? "", password }) });
async function invited(call: typeof office, name: string, order: object): Promise<string> {
  const answer = await call("POST", `/${name}/invitation`, order);
  return (await bodyOf<{ path: string }>(answer, 201)).path;
}
const cookieIn = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";

test.serial(
  "an invited person chooses a password, is logged in with its role, and the invitation is used up",
  async (t) => {
    const path = await invited(office, "ana", { stores: ["main"], role: "shop" });
    const asked = await page(path);
    t.is(asked.status, 200);
    t.regex(await asked.text(), /Your user name is ana/);
    t.is((await join(path, "too short")).status, 400);
    const joined = await join(path, "a password of ana's own");
    t.is(joined.status, 303);
    const shelf = await page("/shelf?store=main", { headers: { cookie: cookieIn(joined) } });
    t.is(shelf.status, 200);
    for (const again of [await page(path), await join(path, "a password of another")]) t.is(again.status, 410);
    await eventually("the page shows when ana was last active", async () => {
      const [ana] = await bodyOf<Person[]>(await office("GET", ""));
      return ana?.lastSeen !== null;
    });
    t.like((await bodyOf<Person[]>(await office("GET", "")))[0], {
      userName: "ana",
      role: "shop",
      hasPassword: true,
      invitedUntil: null,
    });
  },
);

test.serial(
  "an invitation's link is shown only once: a repeated call omits it, and a later invitation replaces it",
  async (t) => {
    const order = { stores: ["main"], role: "linker" };
    const key = { "idempotency-key": "one-invitation" };
    const first = await bodyOf<{ path: string }>(await office("POST", "/eva/invitation", order, key), 201);
    t.deepEqual(Object.keys(await bodyOf<object>(await office("POST", "/eva/invitation", order, key), 201)), [
      "userName",
      "expires",
    ]);
    const second = await invited(office, "eva", order);
    t.deepEqual([(await page(first.path)).status, (await page(second)).status], [410, 200]);
  },
);

test.serial("nobody can give more permissions than they have, or change a person who has more", async (t) => {
  for (const order of [
    { stores: ["main"], role: "shop" },
    { stores: "*", role: "shop" },
  ])
    await refused(t, await regional("POST", "/new/invitation", order), 403);
  const clerk = as(["branch"], "users:write items:read labels:read labels:write links:read");
  await refused(t, await clerk("POST", "/new/invitation", { stores: ["branch"], role: "shop" }), 403);
  await invited(clerk, "linker", { stores: ["branch"], role: "linker" });
  await invited(office, "chief", { stores: "*", role: "head-office" });
  await refused(t, await regional("POST", "/chief/invitation", { stores: ["branch"], role: "linker" }), 403);
  t.deepEqual(await names(await regional("GET", "")), ["linker"]);
  for (const [method, path] of [
    ["DELETE", "/chief"],
    ["GET", "/chief/sessions"],
    ["DELETE", "/chief/sessions"],
    ["DELETE", `/chief/sessions/${"x".repeat(43)}`],
  ] as const)
    await refused(t, await regional(method, path), 404);
  await refused(t, await as("*", "ops ops:write")("GET", ""), 403);
  t.like(
    (await bodyOf<Person[]>(await office("GET", ""))).find(({ userName }) => userName === "chief"),
    { stores: "*" },
  );
});

test.serial("an invitation states either a role or scopes, and stores that exist", async (t) => {
  for (const [order, pointers] of [
    [{ stores: ["main"] }, ["/role"]],
    [{ stores: ["main"], role: "shop", scope: "items:read" }, ["/role"]],
    [{ stores: ["main"], role: "operator" }, ["/role"]],
    [{ stores: ["none"], role: "shop" }, ["/stores/0"]],
  ] as const)
    t.deepEqual(pointersOf(await refused(t, await office("POST", "/new/invitation", order), 400)), pointers);
});

test.serial(
  "head office sees where a person is logged in, ends one session or all, and removes the person",
  async (t) => {
    const path = await invited(office, "ivo", { stores: ["main"], role: "manager" });
    const cookies = [cookieIn(await join(path, "a password of ivo's own"))];
    for (let count = 0; count < 2; count += 1) {
      const body = new URLSearchParams({ name: "ivo", password: "a password of ivo's own" });
      cookies.push(
        cookieIn(await page("/login", { method: "POST", body, headers: { "user-agent": "Firefox/140 Linux" } })),
      );
    }
    const statuses = () =>
      Promise.all(cookies.map(async (cookie) => (await page("/account", { headers: { cookie } })).status));
    t.deepEqual(await statuses(), [200, 200, 200]);
    const sessions = await bodyOf<PersonSession[]>(await office("GET", "/ivo/sessions"));
    t.is(sessions.filter(({ device }) => device === "Firefox, Linux").length, 2);
    const last = sessions.find(({ device }) => device === "")?.sessionId;
    t.is((await office("DELETE", `/ivo/sessions/${last}`)).status, 204);
    await refused(t, await office("DELETE", `/ivo/sessions/${last}`), 404);
    t.deepEqual(await statuses(), [401, 200, 200]);
    t.is((await office("DELETE", "/ivo/sessions")).status, 204);
    t.deepEqual(await statuses(), [401, 401, 401]);
    t.is((await office("DELETE", "/ivo")).status, 204);
    t.is(
      (
        await page("/login", {
          method: "POST",
          body: new URLSearchParams({ name: "ivo", password: "a password of ivo's own" }),
        })
      ).status,
      401,
    );
  },
);

test.serial("only people who may invite others can open the people page", async (t) => {
  const open = async (scope: string) => {
    const cookie = await sessionOf(shelfwire.origin, await shelfwire.token({ scope, stores: ["branch"] }));
    return page("/people", { headers: { cookie } });
  };
  const [may, mayNot] = [await open("*"), await open("items:read labels:read")];
  t.deepEqual([may.status, mayNot.status], [200, 403]);
  const text = await may.text();
  t.regex(text, /<span class="name">linker<\/span>/);
  t.notRegex(text, /chief|name="allStores"/);
});
