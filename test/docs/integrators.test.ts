import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { Jimp } from "jimp";
import { Webhook } from "standardwebhooks";
import { observedTopics } from "../../schemas/events.ts";
import { which } from "../../scripts/prepare/programs.mjs";
import { readItem, readLabel, untilTaken, writeItems, writeLabels } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { type Collection, requestsOf } from "./collection-requests.ts";
import { codeBlock, documentFiles } from "./commands/command-blocks.ts";
import { writeExampleFiles } from "./commands/example-files.ts";

const run = promisify(execFile);
const BARCODE = "D42FLOFYMKP013280";
const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");
const pages = documentFiles().filter((file) => file.startsWith("docs/integrators/"));
const guide = (await Promise.all(pages.map(read))).join("\n");
const guides = [await read("docs/coming-from-another-system.md"), guide];

const shelfwire = ownStack();

/** Every command in the guides that can run against a store, in order. */
const commands = guides.flatMap((text) =>
  [...text.matchAll(/^```sh\n(curl .*?)^```$/gms)].map(([, command = ""]) => command),
);

/** Creates the prerequisites of the examples: the demo item that the guides name, and a label that shows it. */
async function hangDemoLabel(): Promise<string> {
  const barcode = labelFor("demo");
  await writeItems(shelfwire, [{ itemId: "90704273", itemName: "KEČAP BLAGI 500g K PLUS", price: "1.19" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "90704273" }] }]);
  return barcode;
}

// In reverse order, so that no example depends on an earlier one.
test.serial("every curl command in the guides returns the documented response, in any order", async (t) => {
  t.true(commands.length > 5);
  const { base, origin, token } = shelfwire;
  const LABEL = await hangDemoLabel();
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-guide-"));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeExampleFiles(folder);
  const env = { ...process.env, STORE: base, ORIGIN: origin, TOKEN: await token(), PASSWORD: "none", LABEL };
  for (const command of commands.toReversed()) {
    const quiet = command.replace(/^curl /, 'curl -s -o answer -w "%{http_code}" ');
    const send = async () => (await run("sh", ["-c", quiet], { cwd: folder, env, timeout: 300_000 })).stdout;
    // A busy machine may not check an upload in time.
    const status = await eventually("the call is accepted", () => send().then((code) => code !== "503" && code));
    // The example's user does not exist; every other call succeeds unchanged.
    const expected = command.includes("/login") ? /^401$/ : /^20[012]$/;
    t.regex(status, expected, `${command}\n${await readFile(join(folder, "answer"), "utf8")}`);
  }
});

test.serial(
  "every request in the collection is well formed, and those that a fresh demo supports succeed",
  async (t) => {
    const collection: Collection = JSON.parse(await read("docs/postman-collection.json"));
    const { origin, token } = shelfwire;
    const { paths } = (await (await fetch(`${origin}/api/openapi-public.json`)).json()) as { paths: object };
    await writeItems(shelfwire, [
      { itemId: "4711", itemName: "Apple juice 1 l", price: "1.99", sics: ["3850000000017"] },
    ]);
    await writeLabels(shelfwire, [{ barcode: BARCODE, links: [{ itemId: "4711" }] }]);
    const picture = new Blob([await new Jimp({ width: 20, height: 10 }).getBuffer("image/png")]);
    const values = { origin, token: await token(), user: "nobody", password: "none" };
    const requests = requestsOf(collection, values, picture);
    t.is(requests.length, Object.values(paths).flatMap((methods) => Object.keys(methods)).length);
    // Deleting calls are last, because the others need the deleted resources.
    for (const { name, url, ...request } of requests.toSorted((one, other) => rank(one.method) - rank(other.method))) {
      const answer = await untilTaken(() => fetch(url, request as RequestInit));
      // This user, link department and request do not exist here.
      const isElsewhere = /login|result|flash-with-department/.test(url);
      const isEndless = url.endsWith("/tail");
      const text = isEndless ? "" : await answer.text();
      if (isEndless) await answer.body?.cancel();
      t.true(
        answer.ok || [404, 409].includes(answer.status) || (isElsewhere && answer.status < 500),
        `${name} ${answer.status} ${text}`,
      );
    }
  },
);

const rank = (method: string): number => (method === "DELETE" ? 1 : 0);

/** Runs a client of the guide as a program, with environment variables; returns what the last command prints. */
async function runClient(
  t: ExecutionContext,
  language: string,
  file: string,
  ...commands: readonly string[][]
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-client-"));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, file), codeBlock(guide, language));
  const { base, token } = shelfwire;
  const env = { ...process.env, STORE: base, TOKEN: await token() };
  let printed = "";
  for (const [program = "", ...args] of commands)
    ({ stdout: printed } = await run(program, args, { cwd: folder, env, timeout: 300_000 }));
  return printed;
}

async function assertDone(t: ExecutionContext, output: string): Promise<void> {
  t.regex(output, /SUCCESS/);
  t.regex(output, /LINKED|PENDING/);
  t.regex(output, /OK/);
  t.is((await readItem(shelfwire, "4711")).price, "1.79");
  t.is((await readLabel(shelfwire, "D4GUIDELABEL13284")).links[0]?.itemId, "4711");
}

test.serial("the TypeScript client does what the guide says", async (t) => {
  await assertDone(t, await runClient(t, "ts", "client.ts", [process.execPath, "client.ts"]));
});

test.serial("the Python client does the same", async (t) => {
  await assertDone(t, await runClient(t, "python", "client.py", ["python3", "client.py"]));
});

// Only with a JDK, such as the one that MongoDB's stand-in uses.
if (which("java"))
  test.serial("the Java client does the same", async (t) => {
    await assertDone(t, await runClient(t, "java", "Client.java", ["java", "Client.java"]));
  });

// Only with Mono, whose compiler supports less than .NET's.
if (which("mcs") && which("mono"))
  test.serial("the C# client does the same", async (t) => {
    const compile = ["mcs", "-reference:System.Net.Http", "Program.cs"];
    await assertDone(t, await runClient(t, "cs", "Program.cs", compile, ["mono", "Program.exe"]));
  });

test("the clients in all languages send the same calls", (t) => {
  const callsOf = (language: string) =>
    ["PATCH", "/items", "/items/4711", "/labels/link-single?timeout=10000", "-result/", "/flash"].filter((call) =>
      codeBlock(guide, language).includes(call),
    ).length;
  for (const language of ["ts", "python", "java", "cs"]) t.is(callsOf(language), 6, language);
});

for (const [language, lines] of [
  ["ts", 40],
  ["python", 40],
  ["java", 50],
  ["cs", 55],
] as const) {
  test(`the client in ${language} has at most ${lines} lines`, (t) => {
    t.true(codeBlock(guide, language).trimEnd().split("\n").length <= lines);
  });
}

test("no example in the guide moves the demo's label away from the item by which the other examples find it", (t) => {
  const lines = guide.split("\n").filter((line) => line.includes(BARCODE) && line.includes("itemId"));
  // Rows with a status are responses, which write nothing.
  const links = lines.filter((line) => !line.includes('"status"'));
  t.true(links.length > 1);
  for (const link of links) t.regex(link, /"itemId": "90704273"/);
});

test("the guide's signature check accepts signed bodies and nothing else", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-check-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, "check.mjs");
  await writeFile(file, codeBlock(guide, "js"));
  const { isGenuine } = await import(file);
  const secret = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
  const at = new Date("2026-03-01T08:00:00Z");
  const headersOf = (text: string) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": new Webhook(secret).sign("msg_1", at, text),
  });
  t.true(isGenuine(secret, headersOf("{}"), "{}", at.getTime()));
  t.false(isGenuine(secret, headersOf("{}"), "{ }", at.getTime()));
  t.false(isGenuine(`whsec_${"A".repeat(32)}`, headersOf("{}"), "{}", at.getTime()));
  t.false(isGenuine(secret, headersOf("{}"), "{}", at.getTime() + 301_000));
  t.false(isGenuine(secret, {}, "{}", at.getTime()));
});

test("the guide's receiver refuses unsigned calls, and processes each event once, unless a later event of its record came first", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-receiver-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, codeBlock(guide, "js") + codeBlock(guide, "mjs"));
  const { receive } = await import(file);
  const secret = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
  const worked: string[] = [];
  const server: Server = receive(secret, 0, ({ id }: { id: string }) => {
    worked.push(id);
    if (id === "milk#2") throw new Error("processing this event fails on purpose");
  });
  t.teardown(() => void server.close());
  await once(server, "listening");
  const send = async (body: unknown, key = secret): Promise<number> => {
    const [text, now] = [JSON.stringify(body), new Date()];
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(key).sign("msg_1", now, text),
    };
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text })).status;
  };
  const broken = connect((server.address() as AddressInfo).port, "127.0.0.1");
  broken.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab", () => broken.destroy());
  await once(broken, "close");
  const event = (rev: number, type = "link.v2") => ({ id: `milk#${rev}`, type, subject: "milk", data: { rev } });
  t.is(await send(event(1), `whsec_${"A".repeat(32)}`), 401);
  t.is(await send([event(3), event(1)]), 204);
  t.is(await send(event(3)), 204);
  t.is(await send(event(2)), 204);
  // A link has the same subject in every topic, but revs are compared only within a topic.
  t.is(await send(event(2, "studiolink.v1")), 204);
  t.is(await send({ id: "test", subject: "shelfwire", data: { message: "a test" } }), 204);
  await eventually("the last event was processed", async () => worked.includes("test"));
  t.deepEqual(worked, ["milk#3", "milk#2", "test"]);
});

test("the guide's ways to parse lastUpdated return the stated time", async (t) => {
  const lastUpdated = "2026-03-01T09:00:00+01:00[Europe/Zagreb]";
  const [javascript, python] = ["javascript", "py"].map((language) => codeBlock(guide, language, "Dates").trim());
  const parsed: Date = new Function("item", `return ${javascript}`)({ lastUpdated });
  t.is(parsed.toISOString(), "2026-03-01T08:00:00.000Z");
  const program = `from datetime import datetime; item = {"lastUpdated": "${lastUpdated}"}; print((${python}).timestamp())`;
  t.is(Number((await run("python3", ["-c", program])).stdout), parsed.getTime() / 1000);
});

test("the guide's table of topics lists every topic that can be subscribed to", (t) => {
  const [, table = ""] = guide.split("| topic | reports |\n|---|---|\n");
  const rows = (table.split("\n\n")[0] ?? "").split("\n").flatMap((row) => {
    const [, names = ""] = row.split("|");
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  });
  t.deepEqual(rows.toSorted(), [...observedTopics].sort());
});

test("the guide's store has a transceiver, so that its labels can be linked", (t) => {
  const [, departments = "[]"] = /"linkDepartments": (\[\{.*?\}\])/.exec(guide) ?? [];
  t.true(JSON.parse(departments).some(({ transceivers }: { transceivers: string[] }) => transceivers.length > 0));
});
