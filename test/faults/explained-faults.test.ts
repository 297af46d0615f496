import test from "ava";
import { Jimp } from "jimp";
import { type ProcessName, processNames } from "../../queues/topology.ts";
import type { LabelExplanation } from "../../schemas/explanation.ts";
import type { IntegrityReport } from "../../schemas/integrity.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import type { LabelServerHealth } from "../../schemas/label-server-health.ts";
import { wantedOf } from "../../scripts/develop/chaos/wanted-pictures.ts";
import { refusal } from "../../scripts/develop/proxy/wire-protocol.ts";
import { restored } from "../../scripts/operate/admin/after-restore.ts";
import { startRedis } from "../../scripts/start/servers.ts";
import { bodyOf, numberOf, sendPageImage, writeItems, writeLabels } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { restoreBackup, takeBackup } from "../harness/backup.ts";
import { eventually } from "../harness/eventually.ts";
import { itemOutcomes, labelFor } from "../harness/glass.ts";
import { leaveToMerger } from "../harness/leave-to-merger.ts";
import { ownStack } from "../harness/own.ts";
import { startProcess } from "../harness/own-process.ts";

/** Each fault of `npm run chaos` while a price is on its way: what is reported about it, and that everything is right afterwards. */
const shelfwire = ownStack({ workers: [], withProxy: true, withFront: true });
const barcode = labelFor("bread");
const bread: ItemPatch = { itemId: "bread", itemName: "Bread", price: "3.00" };
const running = new Map<ProcessName, { close(): Promise<void> }>();
const start = async (name: ProcessName) => void running.set(name, await shelfwire.openWorker(name));
const end = async (name: ProcessName) => {
  const one = running.get(name);
  running.delete(name);
  await one?.close();
};
let isRedisAway = false;
const killRedis = async () => {
  isRedisAway = true;
  await shelfwire.databases.redis.kill();
};
const startRedisAgain = async () => {
  shelfwire.databases.redis = await startRedis(Number(new URL(shelfwire.databases.redis.url).port));
  isRedisAway = false;
};
let cents = 0;

const explain = async () => bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain`));
const integrity = async () => bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));

/** A time in the store's zone, as in responses. */
const localText = (date: Date): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Zagreb", dateStyle: "short", timeStyle: "medium" }).format(date);

/** Waits until this is the label's cause and reason, by its explanation. */
const untilTold = (cause: LabelExplanation["cause"], reason: RegExp) =>
  eventually(`the cause is ${cause}, ${reason}`, async () => {
    const { waits, sentences } = await explain();
    const [first] = waits;
    if (first?.cause !== cause || !reason.test(first.reason)) throw new Error(sentences.join(" "));
    return first;
  });

/** A further price, and for every second one another design. */
async function changePrice(): Promise<ItemPatch> {
  cents += 1;
  const priceKind = cents % 2 === 1 ? "special" : "regular";
  const row = { ...bread, price: `3.${String(cents).padStart(2, "0")}`, properties: { priceKind } };
  await shelfwire.client.patchItems([row]);
  return row;
}

/** Waits until the glass shows this row; then the explanation and the report must say that all is right. */
async function allIsRight(row: ItemPatch): Promise<void> {
  const [wanted] = wantedOf([row], 1328);
  await eventually(`the glass shows ${row.price}`, async () => {
    const shown = shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.sha256;
    if (shown !== wanted?.sha256) throw new Error((await explain()).sentences.join(" "));
    return true;
  });
  await untilTold("UP_TO_DATE", /this is the newest picture/);
  const { behind, labels, upToDate } = await integrity();
  if (behind?.length !== 0 || labels !== 1 || upToDate !== 1) throw new Error(JSON.stringify(behind));
}

test.serial.before(async () => {
  await Promise.all(processNames.map(start));
  await writeItems(shelfwire, [bread]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "bread" }] }]);
  await allIsRight(bread);
});

// A test that fails leaves its fault; the next one, and the end of the file, would wait for what cannot come.
test.serial.afterEach.always(async (t) => {
  if (t.passed) return;
  shelfwire.proxy?.answerNothing();
  shelfwire.proxy?.restore();
  shelfwire.front?.answer(() => undefined);
  shelfwire.labelServer.labels.set(barcode, { offline: false });
  if (isRedisAway) await startRedisAgain();
  await Promise.all(processNames.filter((name) => !running.has(name)).map(start));
});

/** The report about a worker without a running process when a price waits for it. */
const killed: Partial<Record<ProcessName, RegExp>> = {
  item: /^request \d+ \(patch-items\), .* no process of the item worker is running$/,
  evaluator: /^the evaluator worker has not processed .* no process of the evaluator worker is running$/,
  link: /^the link worker has not processed the change to the .* no process of the link worker is running$/,
  renderer: /^the renderer worker has not processed the change to .* no process of the renderer worker is running$/,
  merger:
    /^the merger worker has not processed the change to the picture .* no process of the merger worker is running$/,
  transmitter:
    /^the transmitter worker has not processed the latest change .* no process of the transmitter worker is running$/,
};

for (const [name, reason] of Object.entries(killed) as [ProcessName, RegExp][])
  test.serial(`a killed ${name} is named once it has a change to process`, async (t) => {
    if (name === "merger") await leaveToMerger(shelfwire.system, ["bread"]);
    await end(name);
    const row = await changePrice();
    const told = await untilTold("PROCESS_MISSING", reason);
    t.truthy(told.since);
    // A report compares pictures with what is stored; a request that is not applied is reported by the explanation alone.
    if (name !== "item") {
      const { behind } = await integrity();
      // Its `since` may be later if the picture was drawn again meanwhile.
      t.like(behind?.[0], { barcode, cause: "PROCESS_MISSING" });
      t.truthy(behind?.[0]?.since);
      t.regex(behind?.[0]?.reason ?? "", reason);
    }
    await start(name);
    await t.notThrowsAsync(allIsRight(row));
  });

test.serial("a transmitter killed during a transmission is named", async (t) => {
  shelfwire.labelServer.labels.set(barcode, { offline: true });
  const row = await changePrice();
  await untilTold("ON_ITS_WAY", /was sent once and is not acknowledged yet/);
  await end("transmitter");
  await untilTold(
    "PROCESS_MISSING",
    /was sent, but no report about it can be processed: no process of the transmitter worker/,
  );
  t.is((await integrity()).behind?.[0]?.cause, "PROCESS_MISSING");
  shelfwire.labelServer.labels.set(barcode, { offline: false });
  await start("transmitter");
  await t.notThrowsAsync(allIsRight(row));
});

test.serial("a killed pages worker is named if an image of the label's page waits for it", async (t) => {
  await end("pages");
  const image = await new Jimp({ width: 296, height: 128, color: 0xff0000ff }).getBuffer("image/png");
  const upload = await numberOf(await sendPageImage(shelfwire, "bread", 1, image));
  await untilTold(
    "PROCESS_MISSING",
    new RegExp(`^request ${upload} \\(draw-pages\\), .* no process of the pages worker is running$`),
  );
  const row = await changePrice();
  const [wanted] = wantedOf([row], 1328);
  const shownNow = () => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.sha256;
  await eventually("the price waits for no image", async () => shownNow() === wanted?.sha256);
  await start("pages");
  const [outcome] = await itemOutcomes(shelfwire, upload);
  t.deepEqual(outcome?.errors, ["no label type that shows the item has a page 1"]);
  await t.notThrowsAsync(allIsRight(row));
});

test.serial("no worker is reported as missing while Redis repeatedly loses its data", async (t) => {
  const told: LabelExplanation[] = [];
  let row = bread;
  for (let round = 0; round < 2; round += 1) {
    row = await changePrice();
    await shelfwire.system.redis.flushall();
    told.push(await explain());
  }
  await t.notThrowsAsync(allIsRight(row));
  const possible = ["REQUEST_WAITS", "STAGE_WAITS", "ON_ITS_WAY", "UP_TO_DATE"];
  for (const { cause, sentences } of told) t.true(possible.includes(cause), sentences.join(" "));
});

test.serial("work that Redis lost continues by itself, and afterwards all labels are correct", async (t) => {
  await end("renderer");
  const row = await changePrice();
  await untilTold("PROCESS_MISSING", /the renderer worker/);
  await shelfwire.system.redis.flushall();
  await start("renderer");
  await t.notThrowsAsync(allIsRight(row));
});

test.serial("a Redis outage is named, together with the waiting work", async (t) => {
  await killRedis();
  const row = await changePrice();
  await untilTold("REDIS_AWAY", /^request \d+ \(patch-items\), .*: Redis cannot be reached$/);
  await startRedisAgain();
  await t.notThrowsAsync(allIsRight(row));
});

test.serial("an unreachable label server is named", async (t) => {
  shelfwire.front?.answer(() => "hangs up");
  const row = await changePrice();
  await untilTold("LABEL_SERVER_AWAY", /the label server does not respond, so the picture cannot be sent/);
  t.is((await integrity()).behind?.[0]?.cause, "LABEL_SERVER_AWAY");
  const health = async () =>
    (await bodyOf<LabelServerHealth[]>(await manage(shelfwire, "GET", "/label-server-health")))[0];
  const away = await eventually("the failure is recorded", async () => {
    const found = await health();
    return found?.lastFailure ? found : undefined;
  });
  t.like(away, { labelServerId: null, stores: ["main"], state: "AWAY" });
  t.regex(away.lastFailure?.reason ?? "", /^the label server did not answer: /);
  t.true((away.answeredAt ?? "9") <= (away.awaySince ?? ""), "it answered before");
  shelfwire.front?.answer(() => undefined);
  await t.notThrowsAsync(allIsRight(row));
  const back = await eventually("it answers again", async () => {
    const found = await health();
    return found?.state === "ANSWERS" && (found.answeredAt ?? "") > (away.answeredAt ?? "") && found;
  });
  t.is(back.awaySince, null);
});

test.serial(
  "a label server that responds 401 is named, and receives its pictures as soon as it accepts them",
  async (t) => {
    shelfwire.front?.answer(() => ({ status: 401 }));
    const row = await changePrice();
    await untilTold("LABEL_SERVER_DENIES", /rejects Shelfwire's secret .* so the picture cannot be sent/);
    t.is((await integrity()).behind?.[0]?.cause, "LABEL_SERVER_DENIES");
    const [health] = await bodyOf<LabelServerHealth[]>(await manage(shelfwire, "GET", "/label-server-health"));
    t.like(health, { labelServerId: null, state: "DENIES", awaySince: null });
    shelfwire.front?.answer(() => undefined);
    await t.notThrowsAsync(allIsRight(row));
    const history = await bodyOf<object[]>(await shelfwire.call("GET", `/labels/${barcode}/history`));
    t.notRegex(JSON.stringify(history), /given up/);
  },
);

test.serial("a label server that accepts a call and never responds is named", async (t) => {
  shelfwire.front?.answer(() => "held");
  const row = await changePrice();
  await untilTold("LABEL_SERVER_AWAY", /the label server does not respond, so the picture cannot be sent/);
  t.is((await integrity()).behind?.[0]?.cause, "LABEL_SERVER_AWAY");
  shelfwire.front?.release();
  shelfwire.front?.answer(() => undefined);
  await t.notThrowsAsync(allIsRight(row));
});

test.serial("the true reason is named even if process clocks differ by 10 s", async (t) => {
  const apart = (name: ProcessName, milliseconds: number) => {
    const { href } = new URL(
      `../../scripts/develop/chaos/shift-clock.ts?milliseconds=${milliseconds}`,
      import.meta.url,
    );
    return startProcess(t, `workers/${name}/process.ts`, {
      ...shelfwire.environment,
      NODE_OPTIONS: `--import ${href}`,
    });
  };
  const names = ["renderer", "transmitter"] as const;
  await Promise.all(names.map(end));
  const [behind, ahead] = [apart("renderer", -5_000), apart("transmitter", 5_000)];
  await t.notThrowsAsync(allIsRight(await changePrice()));

  const isTold = async (cause: LabelExplanation["cause"], reason: RegExp) => {
    const { since } = await untilTold(cause, reason);
    const row = (await integrity()).behind?.[0];
    t.is(row?.cause, cause);
    for (const time of [since, row?.since]) t.true((time ?? "9") <= localText(new Date()), `${cause} since ${time}`);
  };
  shelfwire.front?.answer(() => "hangs up");
  const unsent = await changePrice();
  await isTold("LABEL_SERVER_AWAY", /the label server does not respond/);
  shelfwire.front?.answer(() => undefined);
  await t.notThrowsAsync(allIsRight(unsent));

  await behind.terminate();
  const undrawn = await changePrice();
  await isTold("PROCESS_MISSING", /the renderer worker has not processed the change to .* no process of the renderer/);
  await start("renderer");
  await t.notThrowsAsync(allIsRight(undrawn));

  shelfwire.labelServer.labels.set(barcode, { offline: true });
  const unseen = await changePrice();
  await isTold("ON_ITS_WAY", /was sent once and is not acknowledged yet/);
  await ahead.terminate();
  await isTold("PROCESS_MISSING", /no report about it can be processed: no process of the transmitter worker/);
  shelfwire.labelServer.labels.set(barcode, { offline: false });
  await start("transmitter");
  await t.notThrowsAsync(allIsRight(unseen));
});

test.serial("after a restore the label waits for the transmitter and then shows the restored price", async (t) => {
  const kept = await changePrice();
  await allIsRight(kept);
  const backup = await takeBackup(shelfwire.system.db);
  await allIsRight(await changePrice());
  await Promise.all(processNames.map(end));
  await restoreBackup(shelfwire.system.db, backup);
  await restored(shelfwire.system, {
    step: 1000,
    perSecond: 1000,
    noticeMs: 0,
    progress: () => () => {},
    isDryRun: false,
  });
  await untilTold("PROCESS_MISSING", /no process of the transmitter worker is running/);
  t.is((await integrity()).behind?.[0]?.cause, "PROCESS_MISSING");
  await Promise.all(processNames.map(start));
  await t.notThrowsAsync(allIsRight(kept));
});

test.serial("both views name a MongoDB that refuses or stalls, since nothing else is known then", async (t) => {
  const row = await changePrice();
  const both = () =>
    Promise.all([
      shelfwire.call("GET", `/labels/${barcode}/explain`),
      manage(shelfwire, "GET", "/stores/main/integrity"),
    ]);
  const areNamed = async () => {
    for (const answer of await both()) {
      t.is(answer.status, 503);
      t.regex(JSON.stringify(await answer.json()), /database|MongoDB/);
    }
  };
  shelfwire.proxy?.answer({
    matches: ({ collection }) => collection !== "",
    document: refusal(91),
    times: Number.POSITIVE_INFINITY,
  });
  await areNamed();
  shelfwire.proxy?.answerNothing();
  shelfwire.proxy?.hold();
  await areNamed();
  shelfwire.proxy?.restore();
  await t.notThrowsAsync(allIsRight(row));
});
