import { randomUUID } from "node:crypto";
import type { RetrySettings } from "../../../domain/labels/retry-waits.ts";
import { createSteps } from "../../../queues/tracing/steps.ts";
import type { DoneStep } from "../../../queues/tracing/tracing.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { EslImage } from "../../../schemas/image.ts";
import { idOf, labelKey } from "../../../schemas/keys.ts";
import type { Label } from "../../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { createCareOfTypes } from "../../../workers/transmitter/care-of-types.ts";
import type {
  Answer,
  LabelServer,
  OrderToSend,
  PageToSend,
} from "../../../workers/transmitter/drivers/label-server.ts";
import { createBegunStates } from "../../../workers/transmitter/sending/begun-states.ts";
import { createQuietStores } from "../../../workers/transmitter/sending/quiet-stores.ts";
import { createTransmit } from "../../../workers/transmitter/sending/transmit.ts";
import { type LabelServers, oneLabelServer } from "../../../workers/transmitter/servers/label-servers.ts";
import type { ASystem } from "../../harness/system.ts";
import { png } from "./serve.ts";
import { at, settings } from "./states.ts";

export const STORE = "t/demo/s/main";

/** A label server in memory. The test decides its responses and when it sends them. */
function labelServerInMemory() {
  const set = {
    isAway: false,
    backSince: undefined as number | undefined,
    restartedAt: undefined as number | undefined,
    answer: { kind: "accepted" } as Answer,
    /** While this promise is set, calls wait for it. */
    held: undefined as Promise<void> | undefined,
  };
  const pages: PageToSend[] = [];
  const orders: OrderToSend[] = [];
  const answered = async <Call>(calls: Call[], call: Call): Promise<Answer> => {
    calls.push(call);
    await set.held;
    return set.answer;
  };
  const server: LabelServer = {
    sendPage: (page) => answered(pages, page),
    sendOrder: (order) => answered(orders, order),
    isAway: () => set.isAway,
    failingSince: () => undefined,
    deniedSince: () => undefined,
    backSince: () => set.backSince,
    restartedAt: () => set.restartedAt,
    lastCalls: () => ({}),
    close: async () => {},
  };
  return { set, pages, orders, server, servers: oneLabelServer(server) };
}

interface Options {
  servers?: Partial<LabelServers>;
  concurrency?: number;
  retry?: RetrySettings;
}

/** Each system's last label server. */
const lastOf = new WeakMap<object, ReturnType<typeof labelServerInMemory>>();

/**
 * Transmissions on real records to a label server in memory, with a clock that the test sets. All scenes of a system
 * share its records. A late call of the previous scene must not send what is due in this one, so the previous scene's label
 * server stops answering.
 */
export function transmitScene({ system }: ASystem, { servers, concurrency = 4, retry = settings }: Options = {}) {
  const { commit, records, db } = system;
  const labelServer = labelServerInMemory();
  const former = lastOf.get(system);
  if (former) former.set.isAway = true;
  lastOf.set(system, labelServer);
  const clock = { now: at(0) };
  const counted: [name: string, labels: object, amount: number | undefined][] = [];
  const errors: unknown[] = [];
  const steps: DoneStep[] = [];
  const imageFiles = openImageFiles(db, () => clock.now);
  const metrics = { count: (...one: (typeof counted)[number]) => void counted.push(one) };
  const begunStates = createBegunStates();
  const transmissions = createTransmit({
    begunStates,
    careOfTypes: createCareOfTypes(records, () => clock.now.getTime()),
    quietStores: createQuietStores({ records, clock: () => clock.now.getTime(), now: () => clock.now }),
    ...{ db, records, commit, imageFiles, concurrency, retry, partitions: system.partitions },
    step: createSteps({
      tracing: { record: (done: DoneStep) => void steps.push(done) },
      log: { isLevelEnabled: () => false, debug: () => {} },
      now: () => clock.now,
    }).step,
    labelServers: { ...labelServer.servers, ...servers },
    metrics,
    now: () => clock.now,
    clock: () => clock.now.getTime(),
    reasonOf: ({ message }) => message,
    log: { warn: () => {}, error: (fields: unknown) => void errors.push(fields) },
  });
  const read = async (key: string): Promise<LabelState> =>
    (await records.read(labelStates, [key])).get(key) ?? newLabelState();

  return {
    ...{ labelServer, clock, counted, errors, steps, imageFiles, metrics, begunStates, read },
    ...transmissions,

    /** A new label with the given record and state. */
    async hang(state: Partial<LabelState> = {}, label: Partial<Label> = {}, store = STORE): Promise<string> {
      const key = labelKey(store, `L${randomUUID()}`);
      const body = { barcode: idOf(key), type: 1328, modelName: "Single", stamps: {}, ...label };
      await commit.change(labels, [key], () => body as Label, "bulk");
      await commit.change(labelStates, [key], () => ({ ...newLabelState(), ...state }), "bulk");
      return key;
    },

    /** The picture that a label should show, as the merger writes it. */
    show: (key: string, image: EslImage) => commit.change(eslImages, [key], () => image, "bulk"),

    /** Stores a store's departments with their transceivers. */
    departments: (store: string, departments: Record<string, string[]>) =>
      commit.change(
        stores,
        [store],
        () => ({
          ...demoStore,
          linkDepartments: Object.entries(departments).map(([id, transceivers]) => ({ id, alias: id, transceivers })),
        }),
        "bulk",
      ),

    /** Stores a picture and returns its name. */
    async storePicture(name: string): Promise<string> {
      await imageFiles.put("t/demo", [{ sha256: name, png, width: 2, height: 1 }]);
      return name;
    },
  };
}

/** A label that should show a picture immediately. */
export const wanting = (image: string, text?: string): Partial<LabelState> => ({
  wanted: [{ page: 0, image, ...(text !== undefined && { text }) }],
  sendDue: at(0),
});
