import test from "ava";
import { signToken } from "../../../api/access/sign-token.ts";
import { freePort } from "../../../scripts/start/ports.ts";
import { writeItems, writeLabels } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import { commandBlocks } from "../commands/command-blocks.ts";

/** These processes run with the settings in the runbook's lines (docs/operations/replace-secrets.md). */
const shelfwire = ownStack({ workers: ["item", "link", "evaluator", "renderer", "merger"], withFront: true });

const secrets = { FORMER: "former-".repeat(6), NEXT: "next-".repeat(8) };

/** Returns the settings in each line of the block that begins with this setting. */
function stepsOf(setting: string): Record<string, string>[] {
  const block = commandBlocks().find(({ commands }) => commands.startsWith(`${setting}=`));
  return (block?.commands ?? "")
    .trim()
    .split("\n")
    .map((line) =>
      Object.fromEntries(
        [...line.matchAll(/(\w+)=\$(FORMER|NEXT)/g)].map(([, name = "", which]) => [
          name,
          secrets[which as keyof typeof secrets],
        ]),
      ),
    );
}

/** Runs `work` with the address of a web process that has these settings. */
async function withWeb(
  t: Parameters<typeof startProcess>[0],
  settings: Record<string, string>,
  work: (origin: string) => Promise<void>,
) {
  const port = await freePort();
  const environment = { ...shelfwire.environment, ...settings, PORT: String(port) };
  const web = startProcess(t, "test/harness/processes/patient-api.ts", environment);
  const origin = `http://127.0.0.1:${port}`;
  await eventually("it is ready", async () => (await fetch(`${origin}/readyz`)).ok);
  await work(origin);
  await web.terminate();
}

const statusWith = async (url: string, bearer: string, body?: object): Promise<number> => {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  return (await fetch(url, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) })).status;
};

test.serial("when token secrets are rotated, every step accepts all tokens that any process signs", async (t) => {
  const steps = stepsOf("JWT_SECRET");
  t.is(steps.length, 3);
  const names = { issuer: "shelfwire", audience: "shelfwire", lifetime: "1h", tenant: "demo" };
  const tokenOf = (secret: string) => signToken({ ...names, secret, stores: "*", scope: "labels:read" });
  const tokens = { former: await tokenOf(secrets.FORMER), next: await tokenOf(secrets.NEXT) };
  const taken: boolean[][] = [];
  for (const settings of steps)
    await withWeb(t, settings, async (origin) => {
      const labels = `${origin}/t/demo/s/main/api/public/core/v1/labels`;
      const statuses = [await statusWith(labels, tokens.former), await statusWith(labels, tokens.next)];
      taken.push(statuses.map((status) => status === 200));
    });
  t.deepEqual(taken, [
    [true, true],
    [true, true],
    [false, true],
  ]);
});

test.serial("when a label server's secret is rotated, no report is refused and no picture waits", async (t) => {
  const steps = stepsOf("LABEL_SERVER_SECRET");
  t.is(steps.length, 2);
  const report = {
    store: "t/demo/s/main",
    barcode: labelFor("rotated"),
    kind: "check-in",
    at: new Date().toISOString(),
  };
  const reported: number[][] = [];
  for (const settings of steps)
    await withWeb(t, settings, async (origin) => {
      const reports = `${origin}/label-server/v1/reports`;
      const statusOf = (secret: string) => statusWith(reports, secret, { reports: [report] });
      reported.push([await statusOf(secrets.FORMER), await statusOf(secrets.NEXT)]);
    });
  t.deepEqual(reported, [
    [204, 204],
    [401, 204],
  ]);

  // The secret that the label server accepts; it is replaced when the label server receives the next one.
  let takes = secrets.FORMER;
  const isTaken = (headers: { authorization?: string }) => headers.authorization === `Bearer ${takes}`;
  shelfwire.front?.answer(({ headers }) => ({ status: isTaken(headers) ? 202 : 401 }));
  const sent = async (item: string) => {
    const barcode = labelFor(item);
    await writeItems(shelfwire, [{ itemId: item, itemName: item, price: "1.00" }]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: item }] }]);
    await eventually(`the picture of ${item} is accepted`, async () =>
      shelfwire.front?.calls.some(({ path, headers }) => path.includes(barcode) && isTaken(headers)),
    );
  };
  const [first, second] = steps;
  Object.assign(shelfwire.environment, first);
  const both = await shelfwire.openWorker("transmitter");
  await sent("before");
  takes = secrets.NEXT;
  await sent("after");
  await both.close();
  delete shelfwire.environment.LABEL_SERVER_SECRET_OTHER;
  Object.assign(shelfwire.environment, second);
  await shelfwire.openWorker("transmitter");
  await sent("alone");
  t.pass();
});
