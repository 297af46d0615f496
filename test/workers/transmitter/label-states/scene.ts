import { openChoices } from "../../../../queues/publish/choices.ts";
import { openGlassLog } from "../../../../records/glass-log.ts";
import { idOf } from "../../../../schemas/keys.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import { createCareOfTypes } from "../../../../workers/transmitter/care-of-types.ts";
import { createLabelStates } from "../../../../workers/transmitter/label-states.ts";
import { createObtainLabels } from "../../../../workers/transmitter/new-labels.ts";
import { createAnnounceBatteries } from "../../../../workers/transmitter/reports/announce-batteries.ts";
import { createAnnounceSignals } from "../../../../workers/transmitter/reports/announce-signals.ts";
import type { ASystem } from "../../../harness/system.ts";
import { STORE, transmitScene } from "../scene.ts";
import { at, report } from "../states.ts";

/** Labels whose reports and pictures a test applies, with all announcements about them. */
export function statesScene(own: ASystem) {
  const scene = transmitScene(own);
  const { records, commit, db } = own.system;
  const choices = openChoices(own.system.redis, own.system.onError("choices"));
  const observed: [name: string, labels: object, value: number][] = [];
  const boots: [store: string, bootId: string][] = [];
  const pressed: string[] = [];
  const announceSignals = createAnnounceSignals(records, commit);
  const steps: { name: string; causes: readonly object[]; attributes: object }[] = [];
  const obtainLabels = createObtainLabels(
    records,
    commit,
    async () => (barcode) => ({ N: 9, M: 8 })[barcode.slice(0, 1)],
  );
  const states = createLabelStates(records, obtainLabels, scene.transmit, {
    metrics: { ...scene.metrics, observe: (...one: (typeof observed)[number]) => void observed.push(one) },
    glassLog: openGlassLog(db),
    choices,
    begunStates: scene.begunStates,
    noteBoot: ({ store }, bootId) => void boots.push([store, bootId]),
    careOfTypes: createCareOfTypes(records, () => 0),
    takeSignals: async (byLabel) => void pressed.push(...(await announceSignals(byLabel))),
    announceBatteries: createAnnounceBatteries(commit),
    noteStep: (step) => void steps.push(step),
    now: () => scene.clock.now,
  });
  const of = (key: string, kind: LabelReport["kind"], seconds: number, more: Partial<LabelReport> = {}) =>
    report(kind, seconds, { store: STORE, barcode: idOf(key), ...more });
  return { ...scene, ...states, obtainLabels, choices, observed, boots, steps, pressed, of };
}

/** A link that shows milk. */
export const shows = [{ link: "l", linkRev: 1, item: `${STORE}/items/milk`, itemRev: at(-3).getTime(), price: "1.99" }];
