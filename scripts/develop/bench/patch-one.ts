import { fork } from "node:child_process";
import autocannon from "autocannon";
import { freePort } from "../../start/ports.ts";
import { printRow } from "./report.ts";

const CLIENTS = 50;
const WARM_UP_SECONDS = 3;
const SECONDS = 8;

/** Measures PATCH of one item by 50 clients, against a bare server that validates and adds one job. */
export async function benchPatchOne(target: { base: string; token: string; redisUrl: string }) {
  const port = await freePort();
  const bare = fork(new URL("./bare-server.ts", import.meta.url), [String(port), target.redisUrl]);
  await new Promise((resolve) => bare.once("message", resolve));
  const ours = await load(`${target.base}/items`, target.token);
  const baseline = await load(`http://127.0.0.1:${port}/items`, target.token);
  bare.disconnect();
  printRow({
    what: `PATCH of one item, ${CLIENTS} clients, accepted`,
    against: "Koa + router + ajv + one BullMQ add",
    rate: ours,
    baseline,
    unit: "requests",
    minRatio: 0.4,
  });
}

async function load(url: string, token: string): Promise<number> {
  const run = (duration: number) => {
    let clients = 0;
    return autocannon({
      url,
      method: "PATCH",
      connections: CLIENTS,
      duration,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      setupClient(client) {
        clients += 1;
        client.setBody(JSON.stringify([{ itemId: `bench-${clients}`, itemName: "Bench", price: "1.99" }]));
      },
    });
  };
  await run(WARM_UP_SECONDS);
  const { requests, non2xx } = await run(SECONDS);
  if (non2xx > 0) throw new Error(`${non2xx} calls of ${url} were refused`);
  return requests.average;
}
