import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { idOf, labelKey, storeKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import { httpLabelServer } from "../../../workers/transmitter/drivers/http.ts";
import type { LabelServer } from "../../../workers/transmitter/drivers/label-server.ts";
import { createTransmit } from "../../../workers/transmitter/sending/transmit.ts";
import { oneLabelServer } from "../../../workers/transmitter/servers/label-servers.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { eventually, STUCK_AFTER_MS } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { KEEP_ALIVE_MS } from "../../harness/patience.ts";
import { picture, settings } from "./states.ts";

const own = ownSystem();
const STORE = storeKey("demo", "main");
const keys = Array.from({ length: 60 }, (_, index) => labelKey(STORE, `label${index}`));
const [hanging = ""] = keys;
/** No call times out during a test, even if the test's thread is blocked. */
const patient = { pages: { timeoutMs: STUCK_AFTER_MS, totalMs: STUCK_AFTER_MS, retryAfterMs: 3_000 } };

test.serial("a label whose call hangs delays neither its batch nor the next write", async (t) => {
  const { system } = own;
  const { db, now } = system;
  const taken = new Set<string>();
  const open = new Set<string>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const barcode = request.url?.split("/")[2] ?? "";
    request.resume();
    if (barcode === idOf(hanging)) {
      open.add(barcode);
      request.socket.once("close", () => open.delete(barcode));
      return;
    }
    taken.add(barcode);
    response.writeHead(202).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const labelServer = httpLabelServer(`http://127.0.0.1:${port}`, ["a secret"], 4, system.clock, undefined, patient);
  const imageFiles = openImageFiles(db, now);
  await imageFiles.put("t/demo", [{ sha256: "a", png: Buffer.from("a"), width: 1, height: 1 }]);
  const { transmit, close } = createTransmit({
    careOfTypes: async () => new Map(),
    quietStores: async () => () => undefined,
    ...system,
    // Every call is as fast as the fastest, so the hanging call is the only reason to wait.
    clock: () => 0,
    imageFiles,
    labelServers: oneLabelServer(labelServer),
    retry: settings,
    concurrency: 4,
  });
  const wantPicture = (_: string, state: LabelState = newLabelState()) => wantImage(state, picture("a"), now());

  await transmit(keys, "bulk", wantPicture);
  await eventually("the other pictures are sent", async () => taken.size === keys.length - 1);
  await transmit(keys.slice(1), "bulk", (_, state) => state && { ...state, battery: "LOW" });
  t.deepEqual([...open], [idOf(hanging)], "the call is still open");
  const states = await system.records.read(labelStates, keys);
  t.is(states.get(keys[1] ?? "")?.battery, "LOW");
  t.like(states.get(hanging), { sending: { image: "a" }, tries: 1 });
  server.closeAllConnections();
  await close();
  const note = async () => (await system.records.read(labelStates, [hanging])).get(hanging)?.tries === 0;
  t.true(
    await eventually("the late answer is recorded", note),
    "the late answer arrived, so the attempt does not count",
  );
  await labelServer.close();
  server.close();
});

test.serial(
  "when a process closes, transmissions that it began but did not send are due immediately, without counting an attempt",
  async (t) => {
    const { system } = own;
    const { db, now } = system;
    const asked: (() => void)[] = [];
    const labelServer = {
      isAway: () => false,
      sendPage: () => new Promise<{ kind: "accepted" }>((resolve) => asked.push(() => resolve({ kind: "accepted" }))),
    } as unknown as LabelServer;
    const imageFiles = openImageFiles(db, now);
    await imageFiles.put("t/closing", [{ sha256: "a", png: Buffer.from("a"), width: 1, height: 1 }]);
    const waiting = ["one", "two"].map((name) => labelKey(storeKey("closing", "main"), name));
    const retry = { ...settings, firstWaitMs: 3_600_000 };
    const { transmit, close } = createTransmit({
      careOfTypes: async () => new Map(),
      quietStores: async () => () => undefined,
      ...system,
      imageFiles,
      labelServers: oneLabelServer(labelServer),
      retry,
      concurrency: 1,
    });
    const wantPicture = (_: string, state: LabelState = newLabelState()) => wantImage(state, picture("a"), now());
    await transmit(waiting, "bulk", wantPicture);
    const closed = close();
    const unsent = await eventually("the waiting transmission is due", async () => {
      const states = [...(await system.records.read(labelStates, waiting)).values()];
      return states.find(({ sendDue }) => sendDue !== undefined && sendDue <= now());
    });
    t.like(unsent, { tries: 0, sending: { image: "a" } });
    for (const accept of asked) accept();
    await closed;
    t.is(asked.length, 1, "the process sent no other");
  },
);

test.serial(
  "a killed process's first attempts are sent again immediately by the next process, and retries wait until they are due",
  async (t) => {
    const { system } = own;
    const { db, now } = system;
    const taken: string[] = [];
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      taken.push(request.url?.split("/")[2] ?? "");
      request.resume();
      response.writeHead(202).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const labelServer = httpLabelServer(`http://127.0.0.1:${port}`, ["a secret"], 4, system.clock, undefined, patient);
    const imageFiles = openImageFiles(db, now);
    await imageFiles.put("t/resumed", [{ sha256: "a", png: Buffer.from("a"), width: 1, height: 1 }]);
    const [begun = "", retried = ""] = ["begun", "retried"].map((name) => labelKey(storeKey("resumed", "main"), name));
    const sending = { page: 0, image: "a", number: 1 };
    // The next process's clock stands still, since it resumes only transmissions whose retries are not due yet.
    const at = now();
    const soon = new Date(at.getTime() + settings.firstWaitMs / 2);
    const state = (tries: number): LabelState => ({
      ...wantImage(newLabelState(), picture("a"), now()),
      sending,
      tries,
      sendDue: soon,
      transmissions: 1,
    });
    await system.commit.change(labelStates, [begun], () => state(1), "bulk");
    await system.commit.change(labelStates, [retried], () => state(2), "bulk");

    const next = createTransmit({
      careOfTypes: async () => new Map(),
      quietStores: async () => () => undefined,
      ...system,
      now: () => at,
      imageFiles,
      labelServers: oneLabelServer(labelServer),
      retry: { ...settings, firstWaitMs: 60_000, lastWaitMs: 60_000 },
      concurrency: 4,
    });
    // Labels of other tests would be served first.
    await db.collection<Stored<LabelState>>(labelStates.name).deleteMany({ _id: { $nin: [begun, retried] } });
    await next.resume();
    await eventually("it is sent", async () => taken.includes("begun"));
    t.deepEqual(
      taken.filter((barcode) => ["begun", "retried"].includes(barcode)),
      ["begun"],
    );
    t.like((await system.records.read(labelStates, [begun])).get(begun), { tries: 1, sending: { number: 1 } });
    await next.close();
    await labelServer.close();
    server.closeAllConnections();
    server.close();
  },
);
