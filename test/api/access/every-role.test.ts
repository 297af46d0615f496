import test, { type ExecutionContext } from "ava";
import { otherAddresses, pageRows } from "../../../scripts/develop/roles/addresses.ts";
import {
  addressOf,
  columns,
  describedRoutes,
  operationRows,
  type RoleRow,
} from "../../../scripts/develop/roles/role-table.ts";
import { storedRoles, writeRoles } from "../../../scripts/develop/roles/roles.ts";
import { eventually } from "../../harness/eventually.ts";
import { platformToken, sessionOf } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { servedAddresses } from "./served-addresses.ts";

/** Operations of the document that the table of roles lists under "other addresses". */
const EXTRA = ["getAsyncApi", "getHealth", "getOpenApi", "getProofKeys", "getReadiness", "login", "reportLabels"];
/** Mail programs send this call without a session (RFC 8058): the signature in the mail's link authorizes it. */
const STOP = "POST /notifications/stop";
const METRICS_TOKEN = "a-token-for-metrics-of-this-test";
const PASSWORD = "a password of every role";
const shelfwire = servedStack({
  workers: [],
  settings: { METRICS_TOKEN, MAIL_FROM: "labels@shop.example", PUBLIC_URL: "https://labels.example" },
  leavesStale: "no worker applies what the walk requests",
});

/** A caller in this test: the operator, or a user with a role in all stores or in one. */
interface Walker {
  name: string;
  column: number;
  hasAllStores: boolean;
  bearer: string;
  cookie: string;
}
const walkers: Walker[] = [];

const call = (method: string, path: string, headers: Record<string, string>) =>
  fetch(`${shelfwire.origin}${path}`, { method, headers, redirect: "manual" });
/** Returns only the status; the rest of a response, which may never end, is not read. */
async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  // On a busy machine a call may wait too long for the database and return 503, which says nothing about permissions.
  return eventually(`${method} ${path} gets a response`, async () => {
    const answer = await call(method, path, headers);
    await answer.body?.cancel();
    return answer.status !== 503 && answer.status;
  });
}

test.serial.before(async () => {
  const operator = await platformToken();
  const isOperator = { name: "operator", column: columns.indexOf("operator"), hasAllStores: true };
  walkers.push({ ...isOperator, bearer: operator, cookie: await sessionOf(shelfwire.origin, operator) });
  for (const [column, role] of columns.entries())
    for (const stores of role === "operator" ? [] : (["*", ["main"]] as const)) {
      const name = `${role}-${stores === "*" ? "all" : "one"}`;
      await fetch(`${shelfwire.origin}/t/demo/api/management/v1/users/${name}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${operator}`, "content-type": "application/json" },
        body: JSON.stringify({ stores, role, password: PASSWORD }),
      });
      const login = await call("GET", "/api/public/auth/v1/login", {
        authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}`,
      });
      const form = await fetch(`${shelfwire.origin}/login`, {
        method: "POST",
        redirect: "manual",
        headers: { origin: shelfwire.origin },
        body: new URLSearchParams({ name, password: PASSWORD }),
      });
      const { token } = (await login.json()) as { token: string };
      const cookie = form.headers.get("set-cookie")?.split(";")[0] ?? "";
      walkers.push({ name, column, hasAllStores: stores === "*", bearer: token, cookie });
    }
});

const isAllowed = ({ cells }: RoleRow, { column, hasAllStores }: Walker): boolean =>
  cells[column] === "×" || (cells[column] === "all" && hasAllStores);

/**
 * Fills in an address with the demo's tenant and store, and with ids that do not exist, so that an allowed call changes nothing.
 */
const concrete = (address: string): string =>
  address
    .replace("/t/{tenantId}/s/{storeId}/", "/t/demo/s/main/")
    .replace("/t/{tenantId}/", "/t/demo/")
    .replace(/\{\w+\}|:\w+|\*\w+/g, "1");

/** Compares each caller's response to a row's call with the cell for the caller's role. */
async function compare(
  t: ExecutionContext,
  rows: readonly RoleRow[],
  statusFor: (row: RoleRow, walker: Walker) => Promise<number>,
) {
  for (const row of rows) {
    const statuses = await Promise.all(walkers.map((walker) => statusFor(row, walker)));
    for (const [index, walker] of walkers.entries()) {
      const status = statuses[index] ?? 0;
      t.is(status === 403 || status === 401, !isAllowed(row, walker), `${row.what} by ${walker.name}: ${status}`);
      t.true(status < 500, `${row.what} by ${walker.name}: ${status}`);
    }
  }
}

test("docs/operations/roles.md matches the code (npm run roles)", async (t) => {
  const stored = await storedRoles();
  t.is(stored, writeRoles(stored));
});

test("every served address is an operation, a page, or in the list of other addresses", async (t) => {
  const served = (await servedAddresses()).flatMap(({ path, methods }) =>
    // The dashboard passes every method to its own list of actions.
    (path.startsWith("/dashboard") ? ["GET", ...(path === "/dashboard" ? [] : ["PUT"])] : methods).map(
      (method) => `${method} ${path}`,
    ),
  );
  const listed = [
    ...describedRoutes().map((route) => `${route.method} ${addressOf(route).replace(/\{(\w+)\}/g, ":$1")}`),
    ...pageRows().map(({ what }) => what),
    ...Object.keys(otherAddresses),
  ];
  t.deepEqual([...new Set(served)].sort(), listed.sort());
});

test("the served OpenAPI document has the operations of the table", async (t) => {
  const { paths } = (await (await call("GET", "/api/openapi.json", {})).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const served = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
  );
  for (const { operationId } of describedRoutes()) t.true(served.delete(operationId), operationId);
  t.deepEqual([...served].sort(), EXTRA);
});

for (const way of ["token", "session"] as const)
  test.serial(`a ${way} of each role may call exactly the operations that the table lists`, async (t) => {
    t.is(walkers.length, 2 * (columns.length - 1) + 1);
    await compare(t, operationRows(), ({ what }, { bearer, cookie }) => {
      const [method = "", address = ""] = what.split(" ");
      const headers: Record<string, string> =
        way === "token" ? { authorization: `Bearer ${bearer}` } : { cookie, origin: shelfwire.origin };
      return statusOf(method, concrete(address), { ...headers, "content-type": "application/json" });
    });
  });

test.serial("a session of each role opens exactly the pages that the table lists; a token opens none", async (t) => {
  const pathOf = ({ what }: RoleRow) => `${concrete(what.split(" ")[1] ?? "")}?store=main&tenant=demo`;
  await compare(t, pageRows(), (row, { cookie }) => statusOf("GET", pathOf(row), { cookie, accept: "text/html" }));
  const [{ bearer } = { bearer: "" }] = walkers;
  for (const row of pageRows())
    t.is(await statusOf("GET", pathOf(row), { authorization: `Bearer ${bearer}`, accept: "text/html" }), 401, row.what);
});

test.serial(
  "a call without credentials reaches no operation, no page, and only those other addresses that are open to everyone",
  async (t) => {
    for (const { what } of operationRows()) {
      const [method = "", address = ""] = what.split(" ");
      t.is(await statusOf(method, concrete(address), {}), 401, what);
    }
    for (const [what, caller] of Object.entries(otherAddresses)) {
      const [method = "", path = ""] = what.split(" ");
      const status = await statusOf(method, concrete(path).replace("{1}", "1"), { accept: "application/json" });
      // 410: the target of the link has expired, or never existed.
      t.is([401, 403, 410].includes(status), caller !== "everyone", `${what}: ${status}`);
    }
  },
);

test.serial("a change by a session is refused unless a page of this origin sent the call", async (t) => {
  const foreign: Record<string, string>[] = [
    {},
    { origin: "null" },
    { origin: "https://elsewhere.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: shelfwire.origin },
    { "sec-fetch-site": "none" },
  ];
  const forms = Object.entries(otherAddresses).flatMap(([what, caller]) =>
    !what.startsWith("GET ") && caller !== "labelServer" && what !== STOP ? [what] : [],
  );
  t.is(forms.length, 8);
  const changes = operationRows()
    .map(({ what }) => what)
    .filter((what) => !what.startsWith("GET "));
  const { cookie = "" } = walkers.find(({ name }) => name === "operator") ?? {};
  const office = walkers.find(({ name }) => name === "head-office-all")?.cookie ?? "";
  for (const what of [...forms, ...changes])
    for (const headers of foreign) {
      const [method = "", path = ""] = what.split(" ");
      const as = path.startsWith("/dashboard") ? cookie : office;
      const status = await statusOf(method, concrete(path).replace("{1}", "1"), { ...headers, cookie: as });
      // An HTTPS page ignores a cookie for plain HTTP, so the call has no session.
      t.true(status === 403 || status === 401, `${what} ${JSON.stringify(headers)}: ${status}`);
    }
});
