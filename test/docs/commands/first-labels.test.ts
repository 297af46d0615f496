import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { freePort } from "../../../scripts/start/ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { blocksOf } from "./command-blocks.ts";
import { runBlocks } from "./run-blocks.ts";

const FILE = "docs/operations/first-labels.md";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LABELS = 10;
const LAST_TAG = "00000218D6C53B22";
const [simulate, ...commands] = blocksOf(FILE, readFileSync(`${ROOT}${FILE}`, "utf8")).map((block) => block.commands);

const shelfwire = ownStack({
  leavesStale: "the audit compares the labels of the emulated label server, and these are at an access point",
});

/** Starts the page's emulated access point on another port. */
async function startAccessPoint(command: string, environment: NodeJS.ProcessEnv, url: string): Promise<() => void> {
  const started = command.replace("npm run", "exec node --run").replace("8090", new URL(url).port);
  const child = spawn("sh", ["-eu", "-c", started], { cwd: ROOT, env: environment, stdio: "ignore", detached: true });
  await eventually(
    "the access point is up",
    async () => (await fetch(`${url}/emulator/totals`).catch(() => undefined))?.ok,
  );
  return () => void (child.pid !== undefined && process.kill(-child.pid));
}

/** The list of tags is a few seconds old, so the command that lists them is repeated until the last tag is listed. */
const onceListed = (command: string): string =>
  command.includes("unknown-tags") ? `until ${command.trim()} | grep ${LAST_TAG}; do sleep 1; done` : command;

test("the guide's commands lead from an access point to the prices of ten labels", async (t) => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const environment = {
    ...process.env,
    ...shelfwire.environment,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  t.teardown(await startAccessPoint(simulate ?? "", environment, url));
  const printed = await runBlocks(
    commands.map((one) =>
      onceListed(one.replace("http://127.0.0.1:8090", url)).replace("http://127.0.0.1:8080", shelfwire.origin),
    ),
    ROOT,
    environment,
  );
  t.true(
    printed.some((text) => text.includes(LAST_TAG)),
    "the tags are listed, to be added",
  );
  const states = async () => {
    const answer = await fetch(`${shelfwire.origin}/t/demo/s/corner/api/public/core/v1/labels?limit=100`, {
      headers: { authorization: `Bearer ${await shelfwire.token()}` },
    });
    return ((await answer.json()) as { barcode: string; plState: string }[]).filter(({ plState }) => plState === "OK");
  };
  await eventually("all ten labels show their prices", async () => (await states()).length >= LABELS);
  const { transfers, overlaps } = (await (await fetch(`${url}/emulator/totals`)).json()) as Record<string, number>;
  t.true((transfers ?? 0) >= LABELS);
  t.is(overlaps, 0);
});
