import test from "ava";
import { freePort } from "../../scripts/start/ports.ts";
import { eventually } from "../harness/eventually.ts";
import { ownStack } from "../harness/own.ts";
import { startProcess } from "../harness/processes/own-process.ts";

const shelfwire = ownStack({ workers: [] });

test.serial(
  "WEB_CONCURRENCY processes serve one port; a process that ends is replaced, and SIGTERM ends them all",
  async (t) => {
    const port = await freePort();
    const environment = { ...shelfwire.environment, PORT: String(port), WEB_CONCURRENCY: "2", LOG_LEVEL: "info" };
    const web = startProcess(t, "api/process.ts", environment);
    const listening = () =>
      web
        .output()
        .split("\n")
        .filter((line) => line.includes("the API is listening"))
        .map((line) => (JSON.parse(line) as { pid: number }).pid);
    await eventually("two listen", async () => listening().length === 2);
    const [first = 0, second = 0] = listening();
    t.is(new Set([first, second, web.pid]).size, 3);
    t.true((await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
    process.kill(first, "SIGKILL");
    await eventually("another listens", async () => listening().length === 3);
    t.is((await web.terminate()).code, 0);
    for (const pid of listening()) t.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  },
);

test.serial("processes that cannot listen are not restarted forever", async (t) => {
  const port = new URL(shelfwire.origin).port;
  const web = startProcess(t, "api/process.ts", { ...shelfwire.environment, PORT: port, WEB_CONCURRENCY: "2" });
  t.is(await web.ended, 98);
  t.regex(web.output(), new RegExp(`Port ${port} is in use: set PORT to another`));
});
