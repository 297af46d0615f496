import { createHash } from "node:crypto";
import type { EmulatedLabel, Flash, Order, Page, Report, Transmission } from "./emulated-label.ts";

/** The hardware that every emulated label reports. */
const HARDWARE_REVISION = "emulated-1";
const MAX_TRANSMISSIONS = 32;
const LOW_MILLIVOLTS = 2_400;

/** Emulates labels that receive pictures over the air. `report` is called with their reports. */
export function createLabels(options: { airTimeMs: number; report(report: Report): void; now(): Date }) {
  const { report, now } = options;
  const labels = new Map<string, EmulatedLabel>();
  const totals = { pages: 0, received: 0, inTheAir: 0 };
  let changes = 0;
  let checkIns = 0;
  const shownSince = new Map<string, { label: EmulatedLabel; page: number }>();
  const defaults = {
    ...{ offline: false, airTimeMs: options.airTimeMs, battery: "OK" as "OK" | "LOW" },
    temperature: null as number | null,
  };

  const send = (label: EmulatedLabel, kind: Report["kind"], more: Partial<Report> = {}) =>
    report({
      store: label.store,
      barcode: label.barcode,
      kind,
      at: now().toISOString(),
      battery: label.battery,
      ...(label.batteryMillivolts !== undefined && { batteryMillivolts: label.batteryMillivolts }),
      ...(label.transceiver !== undefined && { transceiver: label.transceiver }),
      hardwareRevision: HARDWARE_REVISION,
      ...(label.temperature !== null && { sensors: { temperature: label.temperature } }),
      ...more,
    });

  function sendCheckIn(label: EmulatedLabel): void {
    const shows = [...label.pages].flatMap(([page, { number }]) =>
      number === undefined ? [] : [{ page, transmission: number }],
    );
    send(label, "check-in", { shows });
  }

  function get(barcode: string): EmulatedLabel | undefined {
    return labels.get(barcode);
  }

  /** Returns the label of this barcode; creates it if it is unknown. `transceiver` is the one named in a call. */
  function obtain(barcode: string, store: string, transceiver?: string): EmulatedLabel {
    const label: EmulatedLabel = labels.get(barcode) ?? { ...newLabel(barcode, store), ...defaults };
    if (label.store !== store) {
      // Numbers are counted in each store, so those of another store are not comparable.
      label.transmissions.clear();
      label.orders.clear();
      for (const page of label.pages.values()) delete page.number;
    }
    label.store = store;
    if (transceiver !== undefined) label.transceiver = transceiver;
    labels.set(barcode, label);
    return label;
  }

  function setPage(label: EmulatedLabel, page: number, shown: Page): void {
    changes += 1;
    label.change = changes;
    label.pages.set(page, shown);
  }

  /** A label server waits for an offline label, and then sends it only the newest picture of each page. */
  function hold(label: EmulatedLabel, transmission: Transmission): void {
    const before = label.held.get(transmission.page);
    const [older, newest] =
      before && before.number > transmission.number ? [transmission, before] : [before, transmission];
    label.held.set(transmission.page, newest);
    if (older === undefined) return;
    totals.inTheAir -= 1;
    label.transmissions.delete(older.key);
  }

  function deliver(label: EmulatedLabel, transmission: Transmission): void {
    if (label.offline) {
      hold(label, transmission);
      return;
    }
    const { key, number, page, png, text } = transmission;
    totals.inTheAir -= 1;
    if (label.failNext > 0) {
      label.failNext -= 1;
      label.transmissions.set(key, { page, number, state: "failed" });
      send(label, "failed", { transmission: number, page, reason: "lost in the air" });
      return;
    }
    drainBattery(label);
    if (transmission.isFull) label.fullRefreshes += 1;
    const received = (label.pages.get(page)?.received ?? 0) + 1;
    const sha256 = sha256Of(text ?? png);
    totals.received += 1;
    if (received === 1) totals.pages += 1;
    const deliveredAt = now().toISOString();
    setPage(label, page, {
      png,
      sha256,
      number,
      received,
      acknowledgedAt: deliveredAt,
      ...(text !== undefined && { text }),
    });
    label.transmissions.set(key, { page, number, state: { deliveredAt } });
    shownSince.set(`${label.barcode} ${page}`, { label, page });
    send(label, "acknowledged", { transmission: number, page, at: deliveredAt });
  }

  /**
   * Accepts a transmission. A repeated key is the same transmission: it is sent through the air again only if it
   * failed. One that was delivered is acknowledged again, with the time of its delivery: a later picture may have landed
   * since. One that arrives after a newer one of its page is dropped: it would hide the newer picture.
   */
  function receive(label: EmulatedLabel, transmission: Transmission): void {
    const known = label.transmissions.get(transmission.key);
    if (known?.state === "in the air") return;
    if (known !== undefined && known.state !== "failed") {
      send(label, "acknowledged", { transmission: known.number, page: known.page, at: known.state.deliveredAt });
      return;
    }
    if (known === undefined && isSuperseded(label, transmission)) return;
    totals.inTheAir += 1;
    label.transmissions.set(transmission.key, {
      page: transmission.page,
      number: transmission.number,
      state: "in the air",
    });
    const oldest = label.transmissions.keys().next().value;
    if (label.transmissions.size > MAX_TRANSMISSIONS && oldest !== undefined) label.transmissions.delete(oldest);
    throughAir(label, () => deliver(label, transmission));
  }

  const isSuperseded = ({ transmissions }: EmulatedLabel, { page, number }: Transmission): boolean =>
    [...transmissions.values()].some((other) => other.page === page && other.number > number);

  /**
   * Accepts an order, which is carried out now or never. An offline label misses it, and a repeated number is ignored.
   */
  function obey(label: EmulatedLabel, order: Order): void {
    if (order.number <= (label.orders.get(order.kind) ?? 0)) return;
    label.orders.set(order.kind, order.number);
    throughAir(label, () => {
      if (!label.offline) carryOut(label, order, now().getTime());
    });
  }

  /**
   * Changes the behaviour of a label, or of every label and all future ones (`*`). Returns the number of changed
   * labels.
   */
  function set(
    barcode: string,
    change: Partial<
      Pick<
        EmulatedLabel,
        "offline" | "battery" | "batteryMillivolts" | "drain" | "temperature" | "failNext" | "airTimeMs"
      >
    >,
  ): number {
    if (barcode === "*") Object.assign(defaults, change);
    const changed =
      barcode === "*" ? [...labels.values()] : [labels.get(barcode)].filter((label) => label !== undefined);
    for (const label of changed) {
      Object.assign(label, change);
      const { battery, batteryMillivolts, temperature } = change;
      if ([battery, batteryMillivolts, temperature].some((value) => value !== undefined)) sendCheckIn(label);
      if (!label.offline) deliverHeld(label);
    }
    return changed.length;
  }

  function deliverHeld(label: EmulatedLabel): void {
    const held = [...label.held.values()];
    label.held.clear();
    for (const transmission of held) deliver(label, transmission);
  }

  /** Presses a button of a label; returns when. An offline label reports nothing. */
  function press(label: EmulatedLabel, button: number): string | undefined {
    if (label.offline) return undefined;
    const at = now().toISOString();
    send(label, "check-in", { at, press: { button, at } });
    return at;
  }

  /** Has its share of the online labels check in: all of them within the given number of calls. */
  function checkIn(calls: number): void {
    checkIns += 1;
    for (const [index, label] of [...labels.values()].entries())
      if (index % calls === checkIns % calls && !label.offline) sendCheckIn(label);
  }

  /** Adds a label that shows a page already. */
  function hang(
    barcode: string,
    store: string,
    battery: EmulatedLabel["battery"],
    page: number,
    shown: Omit<Page, "sha256">,
  ): void {
    const label = obtain(barcode, store);
    label.battery = battery;
    if (!label.pages.has(page)) totals.pages += 1;
    setPage(label, page, { ...shown, sha256: sha256Of(shown.text ?? shown.png) });
  }

  /**
   * SHA-256 of first pages by barcode, of the labels that changed after the given number of changes, and the number of
   * changes so far.
   */
  function glassBehind(known: number): { changes: number; glass: Record<string, string | undefined> } {
    const changed = [...labels.values()].filter(({ change }) => change > known);
    return { changes, glass: Object.fromEntries(changed.map(({ barcode, pages }) => [barcode, pages.get(0)?.sha256])) };
  }

  /** The pages that were delivered since the last call. */
  function takeShown(): { label: EmulatedLabel; page: number }[] {
    const taken = [...shownSince.values()];
    shownSince.clear();
    return taken;
  }

  return {
    get,
    obtain,
    takeShown,
    glassBehind,
    hang,
    receive,
    obey,
    /** The label's present flash. */
    flashOf: (label: EmulatedLabel): Flash | null => flashAt(label, now().getTime()),
    /** The page that the label shows now. */
    shownPageOf: (label: EmulatedLabel): string => pageAt(label, now().getTime()),
    set,
    press,
    checkIn,
    all: () => labels.values(),
    totals: () => ({ labels: labels.size, ...totals }),
  };
}

const newLabel = (barcode: string, store: string) => ({
  barcode,
  store,
  pages: new Map(),
  change: 0,
  flash: null,
  temporaryPage: null,
  fullRefreshes: 0,
  fingerprints: 0,
  orders: new Map(),
  failNext: 0,
  transmissions: new Map(),
  held: new Map(),
});

/** A refresh takes its share; below 2.4 V the label reports LOW. */
function drainBattery(label: EmulatedLabel): void {
  if (label.batteryMillivolts === undefined) return;
  label.batteryMillivolts = Math.max(0, label.batteryMillivolts - (label.drain ?? 0));
  if (label.batteryMillivolts < LOW_MILLIVOLTS) label.battery = "LOW";
}

function throughAir({ airTimeMs }: EmulatedLabel, arrive: () => void): void {
  if (airTimeMs === 0) setImmediate(arrive);
  // What is in the air keeps no process alive whose server has ended.
  else setTimeout(arrive, airTimeMs).unref();
}

function carryOut(label: EmulatedLabel, { kind, priority, body }: Order, at: number): void {
  const { duration = 0, color = "", flashType = 0, action, page = "" } = body;
  const until = at + duration * 1000;
  if (kind === "flash") label.flash = { duration, color, flashType, priority, until };
  else if (kind === "fingerprint") label.fingerprints += 1;
  else label.temporaryPage = action === "restore-page" ? null : { page, until };
}

function flashAt({ flash }: EmulatedLabel, at: number): Flash | null {
  if (flash === null || flash.until <= at) return null;
  const { duration, color, flashType, priority } = flash;
  return { duration, color, flashType, priority };
}

/** The first page of a label, unless it shows another one temporarily. */
const pageAt = ({ temporaryPage }: EmulatedLabel, at: number): string =>
  temporaryPage !== null && temporaryPage.until > at ? temporaryPage.page : "0";

const sha256Of = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
