import { setTimeout } from "node:timers/promises";
import { applyReport } from "../../domain/labels/apply-report.ts";
import { noteBatteryDue } from "../../domain/labels/care/battery-due.ts";
import { QUIET_HOURS } from "../../domain/labels/care/may-wait.ts";
import { decideWaitBy } from "../../domain/labels/next-transmission.ts";
import { startAnew } from "../../domain/labels/pages-to-send.ts";
import type { Metrics } from "../../queues/metrics/metrics.ts";
import type { Choices } from "../../queues/publish/choices.ts";
import type { Steps } from "../../queues/tracing/steps.ts";
import type { GlassLog } from "../../records/glass-log.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import type { Place } from "../../records/label-server-directory.ts";
import { placeOf, type ReadPlaces } from "../../records/labels/read-places.ts";
import { placesOf } from "../../records/linking/places.ts";
import type { Records } from "../../records/records.ts";
import { distinctCauses } from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";
import { CLOCKS_APART_MS } from "../../schemas/clocks.ts";
import type { GlassEntry } from "../../schemas/glass.ts";
import type { EslImage } from "../../schemas/image.ts";
import { labelKey, tenantOf } from "../../schemas/keys.ts";
import type { LabelReport, ReceivedReport } from "../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";
import type { CareOfTypes } from "./care-of-types.ts";
import { holdUntil, isDecided, type KnownChoices, mayBeHeld } from "./hold-picture.ts";
import type { ObtainLabels } from "./new-labels.ts";
import type { AnnounceBatteries } from "./reports/announce-batteries.ts";
import { glassEntries } from "./reports/glass-entries.ts";
import { timesFromCall } from "./reports/times-from-call.ts";
import type { Transmit } from "./sending/begin.ts";
import type { BegunStates } from "./sending/begun-states.ts";
import { QUIET_HOURS_TTL_MS } from "./sending/quiet-stores.ts";
import { takeImage, wantImage } from "./wanted-image.ts";
import type { TransmitterWorld } from "./world.ts";

/** Pauses before each reading of the rules' choices. Undecided pictures are held and checked again when they are due. */
const CHOICE_PAUSES_MS = [0, 20, 40, 80];

/** Writes label states: what labels should show, and what they have reported. Each write may start a transmission. */
export function createLabelStates(
  records: Records,
  obtainLabels: ObtainLabels,
  transmit: Transmit,
  {
    metrics,
    glassLog,
    choices,
    noteBoot,
    readPlaces = async () => placeOf,
    serverOf = () => undefined,
    careOfTypes,
    begunStates,
    takeSignals,
    announceBatteries,
    noteStep,
    now,
  }: Pick<Steps, "noteStep"> & {
    metrics: Pick<Metrics, "count" | "observe">;
    glassLog: Pick<GlassLog, "add">;
    choices: Pick<Choices, "read" | "readUnread">;
    /** Absent if no store is divided between label servers. */
    readPlaces?: ReadPlaces;
    /** Passes on the run id of a label's label server, which the label's report contains. */
    noteBoot(place: Place, bootId: string): void;
    /**
     * Returns the id of a label's label server, the only one that may report about the label; undefined for the installation's
     * label server.
     */
    serverOf?(place: Place): string | undefined;
    careOfTypes: CareOfTypes;
    /** The states that this process has written and still knows. */
    begunStates?: Pick<BegunStates, "take">;
    /** Processes the presses and sensor values in these reports, by label key. */
    takeSignals(byLabel: ReadonlyMap<string, readonly LabelReport[]>): Promise<void>;
    announceBatteries: AnnounceBatteries;
    now(): Date;
  },
) {
  /** Reads choices. The evaluator is nearly always ahead of the pictures; if not, this waits a moment for the evaluator. */
  async function readChoices(images: readonly EslImage[]): Promise<KnownChoices> {
    let known: KnownChoices = { choices: new Map(), unread: new Map() };
    const fresh = images.flatMap((image) => mayBeHeld(image, now()));
    const links = [...new Set(fresh.map(({ link }) => link))];
    const items = [...new Set(fresh.map(({ item }) => item))];
    for (const pauseMs of links.length > 0 ? CHOICE_PAUSES_MS : []) {
      if (pauseMs > 0) await setTimeout(pauseMs);
      const [found, unread] = await Promise.all([choices.read(links), choices.readUnread(items)]);
      known = { choices: found, unread };
      if (fresh.every((one) => isDecided(one, known, now()))) break;
    }
    return known;
  }

  const showImages: TransmitterWorld["showImages"] = async (labelKeys, urgency) => {
    let pending = [...labelKeys];
    while (pending.length > 0) {
      // The states are read before the pictures, so that the compare-and-set fails if another handler writes in between.
      const [states, images, ...places] = await records.readTogether([
        { kind: labelStates, keys: pending },
        { kind: eslImages, keys: pending },
        ...placesOf(pending),
      ]);
      const known = await readChoices([...images.values()]);
      const overtaken = new Set<string>();
      const want = (key: string, state: LabelState | undefined) => {
        const image = images.get(key);
        // The handler that wrote this state may have read a newer picture, and a process of the last release stores no rev.
        if (state !== states.get(key)) overtaken.add(key);
        else if (image) return takeImage(state ?? newLabelState(), image, now(), holdUntil(image, known, now()));
        return undefined;
      };
      await transmit([...images.keys()], urgency, want, { states, places });
      pending = [...overtaken];
    }
  };

  /**
   * Returns this process's states for acknowledged transmissions. An acknowledgement always changes the state, so a newer write
   * by another process is noticed.
   */
  function begunStatesOf(byLabel: ReadonlyMap<string, readonly LabelReport[]>): Map<string, Stored<LabelState>> {
    const acknowledged = [...byLabel].flatMap(([key, reports]) =>
      reports.flatMap(({ kind, transmission }) =>
        kind === "acknowledged" && transmission !== undefined ? (begunStates?.take(key, transmission) ?? []) : [],
      ),
    );
    return new Map(acknowledged.map((state) => [state._id, state]));
  }

  /** Stores what labels reported, and starts the transmissions that they need next. */
  const noteReports = async (reports: readonly ReceivedReport[]): Promise<void> => {
    const byLabel = Map.groupBy(reports, ({ store, barcode }) => labelKey(store, barcode));
    const placeIn = await readPlaces([...byLabel.keys()]);
    for (const { store, barcode, bootId } of reports)
      if (bootId !== undefined) noteBoot(placeIn(labelKey(store, barcode)), bootId);
    const landed = new Map<string, GlassEntry[]>();
    const times = new Map<string, ReturnType<typeof timesFromCall>>();
    const from = now();
    const causes = new Map<string, (Cause | undefined)[]>();
    const replaceSince = new Map<string, number>();
    const care = await careOfTypes([...byLabel.keys()].map(tenantOf));
    const begun = begunStatesOf(byLabel);
    const countsType = (key: string) => needCare(care.get(tenantOf(key)));
    const { known, states, types } = await obtainLabels([...byLabel.keys()], begun, countsType);
    const careOf = (key: string) => care.get(tenantOf(key))?.get(types.get(key) ?? 0) ?? {};
    const note = (key: string, current: LabelState | undefined) => {
      if (current === undefined && begun.has(key)) {
        // The label has since been removed with its tenant.
        for (const found of [causes, landed, times, replaceSince]) found.delete(key);
        return undefined;
      }
      causes.set(key, causesOfAcknowledged(byLabel.get(key) ?? [], current));
      const ordered = (byLabel.get(key) ?? []).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
      const entries = glassEntries(current, ordered, now(), serverOf(placeIn(key)));
      landed.set(key, entries);
      times.set(key, timesFromCall(entries, current, now()));
      const type = careOf(key);
      const take = (state: LabelState, report: ReceivedReport) => applyReport(state, report, now(), type);
      const next = noteBatteryDue(ordered.reduce(take, current ?? newLabelState()), type, now());
      replaceSince.delete(key);
      if (next.care?.replaceSince !== undefined) replaceSince.set(key, next.care.replaceSince);
      return next;
    };
    await transmit(known, "bulk", note, { states });
    // Reports are removed only after this step, so if a process is killed before it adds the entries, they are added when the
    // reports are applied again.
    await glassLog.add([...landed.values()].flat());
    await takeSignals(new Map(known.map((key) => [key, byLabel.get(key) ?? []])));
    await announceBatteries(replaceSince);
    noteStep({
      name: "acknowledge",
      causes: distinctCauses([...causes.values()].flat()),
      attributes: { reports: reports.length },
      from,
    });
    for (const { urgency, seconds } of [...times.values()].flat())
      metrics.observe("shelfwire_call_to_glass_seconds", { urgency }, seconds);
    const acknowledged = reports.filter(({ kind }) => kind === "acknowledged");
    for (const [tenant, { length }] of Map.groupBy(acknowledged, ({ store }) => tenantOf(store)))
      metrics.count("shelfwire_pictures_acknowledged_total", { tenant }, length);
  };

  /** Returns the labels whose state does not contain their newest eslimage yet. */
  async function findStale(labelKeys: readonly string[]): Promise<string[]> {
    const [states, images] = await Promise.all([
      records.readFields(labelStates, labelKeys, ["wanted", "fault", "shown", "refreshing", "sendDue"]),
      records.read(eslImages, labelKeys),
    ]);
    return [...images].flatMap(([key, image]) => {
      const state = { ...newLabelState(), ...states.get(key) };
      return wantImage(state, image, now()) === state ? [] : [key];
    });
  }

  const tryAnew: TransmitterWorld["tryAnew"] = async (store) => {
    for await (const batch of records.scanFields(labelStates, labelKey(store, ""), ["givenUp"])) {
      const keys = batch.filter(({ givenUp }) => givenUp !== undefined).map(({ _id }) => _id);
      if (keys.length > 0)
        await transmit(keys, "bulk", (_, current) =>
          current?.givenUp === undefined ? current : startAnew(current, now()),
        );
    }
  };

  const decideWaits: TransmitterWorld["decideWaits"] = async (store) => {
    const by = new Date(now().getTime() + QUIET_HOURS_TTL_MS + CLOCKS_APART_MS);
    for await (const batch of records.scanFields(labelStates, labelKey(store, ""), ["putOff"])) {
      const keys = batch.filter(({ putOff }) => putOff === QUIET_HOURS).map(({ _id }) => _id);
      if (keys.length > 0) await transmit(keys, "bulk", (_, current) => current && decideWaitBy(current, by));
    }
  };

  return { showImages, tryAnew, decideWaits, noteReports, findStale };
}

/** Whether any of these label types specifies anything about the care of its labels. */
const needCare = (types: ReadonlyMap<number, object> = new Map()): boolean =>
  [...types.values()].some((type) => Object.keys(type).length > 0);

/** Returns the causes of the pictures that these reports acknowledge. */
const causesOfAcknowledged = (reports: readonly LabelReport[], state: LabelState | undefined): (Cause | undefined)[] =>
  reports
    .filter(({ kind }) => kind === "acknowledged")
    .map(({ transmission }) => state?.sent.find(({ number }) => number === transmission)?.cause);
