import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import test from "ava";
import { processNames } from "../../queues/topology.ts";
import { obtainPromtool } from "../../scripts/develop/monitoring/obtain-promtool.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, labelFor, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { seriesOf } from "../queues/metrics/series.ts";
import { refused } from "./calls.ts";
import { manage } from "./management/calls.ts";

const METRICS_TOKEN = "a-token-for-metrics";
// Before anything is opened, because obtaining promtool blocks this thread for longer than a connection is kept open.
test.serial.before(() => void obtainPromtool());
const shelfwire = ownStack({ settings: { METRICS_TOKEN }, areSeparate: true });

const get = (path: string, token = METRICS_TOKEN) =>
  fetch(`${shelfwire.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
const page = async (path: string) => (await get(path)).text();

test.serial("/metrics requires its own token: a tenant's token never reads other tenants' metrics", async (t) => {
  await refused(t, await fetch(`${shelfwire.origin}/metrics`), 401);
  await refused(t, await get("/metrics", await shelfwire.token({ scope: "*" })), 401);
  const answer = await get("/metrics");
  t.is(answer.status, 200);
  t.is(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
});

test.serial("each stage of a price is counted by the process that runs it", async (t) => {
  const barcode = labelFor("counted");
  await shelfwire.client.patchItems([{ itemId: "counted", price: "1.99" }]);
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: "counted" }] }]));
  await glassOf(shelfwire, barcode);
  const stages = {
    shelfwire_http_answers_total: "web",
    shelfwire_rows_accepted_total: "web",
    shelfwire_rows_applied_total: "item",
    shelfwire_changes_published_total: "evaluator",
    shelfwire_cache_lookups_total: "evaluator",
    shelfwire_pictures_drawn_total: "renderer",
    shelfwire_jobs_completed_total: "renderer",
    shelfwire_pictures_transmitted_total: "transmitter",
    shelfwire_pictures_acknowledged_total: "transmitter",
    shelfwire_label_server_answers_total: "transmitter",
    shelfwire_label_server_call_seconds_count: "transmitter",
    shelfwire_http_answer_seconds_count: "web",
    shelfwire_call_to_glass_seconds_count: "transmitter",
    shelfwire_mongodb_command_seconds_count: "item",
    shelfwire_redis_command_seconds_count: "item",
  };
  const lacking = await eventually("each process has reported", async () => {
    const series = seriesOf(await page("/metrics?all"));
    const isThere = ([metric, process]: string[]) =>
      series.some(({ name, labels, value }) => name === metric && labels.process === process && value > 0);
    return Object.entries(stages).every(isThere) && [];
  });
  t.deepEqual(lacking, []);
});

test.serial("a failed expression or job is counted by the process in which it fails", async (t) => {
  const pack = {
    name: "Failing",
    scenarios: [{ name: "Text", cel_expression: "int(item.itemName) > 1", design_ids: [] }],
  };
  t.is((await manage(shelfwire, "PUT", "/communication-packs/failing", pack)).status, 200);
  t.true((await manage(shelfwire, "POST", "/communication-packs/failing/activate")).ok);
  await shelfwire.client.patchItems([{ itemId: "counted", itemName: "no number" }]);
  await shelfwire.system.publisher.queue("merger").add("renderedimage.v1", { changes: "none" }, { attempts: 1 });
  const failures = { shelfwire_expression_faults_total: "evaluator", shelfwire_jobs_failed_total: "merger" };
  for (const [metric, process] of Object.entries(failures))
    await eventually(metric, async () =>
      seriesOf(await page("/metrics?all")).some(
        ({ name, labels, value }) => name === metric && labels.process === process && value > 0,
      ),
    );
});

test.serial("?all returns every process's metrics and the shared ones, /metrics only this process's", async (t) => {
  const processesOf = async (path: string) =>
    [...new Set(seriesOf(await page(path)).map(({ labels }) => labels.process ?? "none"))].sort();
  const all = ["none", ...processNames, "web"].sort();
  // On a busy machine, a process's report may expire before its next one.
  await eventually("every process has reported", async () => isDeepStrictEqual(await processesOf("/metrics?all"), all));
  t.deepEqual(await processesOf("/metrics"), ["web"]);
});

test.serial("promtool accepts the served metrics", async (t) => {
  for (const path of ["/metrics", "/metrics?all"]) {
    const { status, stderr, stdout, error } = spawnSync(obtainPromtool(), ["check", "metrics"], {
      input: await page(path),
      encoding: "utf8",
    });
    t.is(status, 0, `${error ?? ""}${stdout}${stderr}`);
  }
});
