import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import test from "ava";
import { counterCollection } from "../../../../records/requests/numbers.ts";
import { DEMO_STORE } from "../../../harness/glass.ts";
import { type OwnApi, openOwnApi } from "../../../harness/processes/own-api.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { refused } from "../../calls.ts";

let shelfwire: Shelfwire;
let api: OwnApi;
let token: string;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] }, thisThread);
  token = await shelfwire.token();
  api = await openOwnApi(shelfwire);
});
test.after.always(async () => {
  await api.close();
  await shelfwire.close();
});

/** The number of requests that the store has accepted: unchanged if nothing was written. */
const requests = async () => (await counterCollection(shelfwire.system.db).findOne({ _id: DEMO_STORE }))?.number ?? 0;

const send = (method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${api.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: body }),
  });

/** Sends a malformed request as bytes; returns the whole response. */
async function sendRaw(head: string): Promise<string> {
  const { hostname, port } = new URL(api.base);
  const socket = connect(Number(port), hostname);
  socket.write(`${head}\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

const MEGABYTE = 2 ** 20;
const bodies: [string, string, number, () => string | Buffer, Record<string, string>?][] = [
  ["a string of 10 MB", "/items", 400, () => JSON.stringify([{ itemId: "a", itemName: "x".repeat(10 * MEGABYTE) }])],
  ["an id of 10 MB", "/labels", 400, () => JSON.stringify([{ barcode: "x".repeat(10 * MEGABYTE) }])],
  ["100,000 nested lists", "/items", 400, () => "[".repeat(100_000) + "]".repeat(100_000)],
  ["a million empty rows", "/items", 400, () => `[${"{},".repeat(1_000_000)}{}]`],
  ["40 MB", "/items", 413, () => "x".repeat(40 * MEGABYTE)],
  [
    "1 GB compressed to 1 MB",
    "/items",
    413,
    () => Buffer.concat(Array(1024).fill(gzipSync(Buffer.alloc(MEGABYTE, " ")))),
    { "content-encoding": "gzip" },
  ],
  ["an operator as ID", "/items", 400, () => '[{"itemId": {"$gt": ""}}]'],
  ["an operator as barcode", "/labels", 400, () => '[{"barcode": {"$ne": null}}]'],
  ["an operator as linked item", "/labels", 400, () => '[{"barcode": "A", "links": [{"itemId": {"$gt": ""}}]}]'],
  ["a list as row", "/items", 400, () => "[[]]"],
  ["text in Latin-1", "/items", 400, () => Buffer.from('[{"itemId": "\xe9"}]', "latin1")],
  ["half of a surrogate pair in an ID", "/items", 400, () => '[{"itemId": "\\ud800"}]'],
];
for (const [what, path, status, body, headers] of bodies) {
  test.serial(`${what} returns ${status} and changes nothing`, async (t) => {
    const before = await requests();
    await refused(t, await send("PATCH", path, body(), headers), status);
    t.is(await requests(), before);
  });
}

const paths: [string, string, number][] = [
  ["a line break", "/items/a%0d%0aX-Injected:%201", 400],
  ["NUL", "/items/a%00b", 400],
  ["a broken percent-encoding", "/items/%zz", 400],
  ["an overlong encoding of a slash", "/items/%c0%af", 400],
  ["a path that climbs", "/items/..%2f..%2f..%2fother%2fapi", 404],
  ["an operator", "/items/%7B%22$gt%22:%22%22%7D", 404],
];
for (const [what, path, status] of paths) {
  test.serial(`a path with ${what} returns ${status} and adds nothing to the headers`, async (t) => {
    const answer = await send("GET", path);
    t.is(answer.headers.get("x-injected"), null);
    await refused(t, answer, status);
  });
}

test.serial("a path that climbs out of its store never reaches another store", async (t) => {
  const { pathname } = new URL(api.base);
  const answer = await sendRaw(`GET ${pathname}/../../../../../s/other/api/public/core/v1/items HTTP/1.1`);
  t.regex(answer, /^HTTP\/1\.1 404 /);
});

test.serial("a header with a line break is refused before anything is read", async (t) => {
  const answer = await sendRaw(`GET ${new URL(api.base).pathname}/items HTTP/1.1\r\nX-Request-Id: a\rX-Injected: 1`);
  t.regex(answer, /^HTTP\/1\.1 400 /);
  t.notRegex(answer, /^x-injected/im);
});

test.serial("after all these calls and thirty more, the process has grown by less than 100 MB", async (t) => {
  const hostile = bodies.slice(0, 4).map(([, path, , body]) => ({ path, body: body() }));
  const round = async () => {
    for (const { path, body } of hostile) await (await send("PATCH", path, body)).arrayBuffer();
  };
  for (let count = 0; count < 2; count += 1) await round();
  const before = api.memory().resident;
  for (let count = 0; count < 6; count += 1) await round();
  const grown = api.memory().resident - before;
  t.log(`${before.toFixed(0)} MB, and ${grown.toFixed(0)} MB more`);
  t.true(grown < 100);
  t.is((await send("GET", "/items?limit=1")).status, 200);
});
