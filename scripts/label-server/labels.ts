import { createHash } from "node:crypto";
import { hold, refresh, throughAir } from "./air.ts";
import { createChanges } from "./changes.ts";
import {
  type EmulatedLabel,
  type Flash,
  forgetAccepted,
  type LabelChange,
  newLabel,
  type Order,
  type Page,
  type Received,
  type Report,
  type Transmission,
} from "./emulated-label.ts";
import { carryOut, flashAt, pageAt } from "./orders.ts";
import { reportOf, showsOf } from "./reports.ts";
import { createSwitches } from "./switches.ts";

const MAX_TRANSMISSIONS = 32;

/** Emulates labels that receive pictures over the air. `report` is called with their reports. */
export function createLabels(options: { airTimeMs: number; report(report: Report): void; now(): Date }) {
  const { report, now } = options;
  const labels = new Map<string, EmulatedLabel>();
  const totals = { pages: 0, received: 0, inTheAir: 0 };
  let checkIns = 0;
  const changes = createChanges(() => labels.values());
  const defaults = {
    ...{ offline: false, airTimeMs: options.airTimeMs, battery: "OK" as "OK" | "LOW" },
    temperature: null as number | null,
  };

  const send = (label: EmulatedLabel, kind: Report["kind"], more: Partial<Report> = {}) =>
    report(reportOf(label, kind, now().toISOString(), more));
  const sendCheckIn = (label: EmulatedLabel) => send(label, "check-in", { shows: showsOf(label) });

  function get(barcode: string): EmulatedLabel | undefined {
    return labels.get(barcode);
  }

  /** Returns the label with this barcode, and creates it if it is unknown. `transceiver` is the one named in a call. */
  function obtain(barcode: string, store: string, transceiver?: string): EmulatedLabel {
    const label: EmulatedLabel = labels.get(barcode) ?? { ...newLabel(barcode, store), ...defaults };
    if (label.store !== store) {
      // Numbers are counted in each store, so another store's numbers are not comparable.
      label.transmissions.clear();
      label.orders.clear();
      label.kept.clear();
      label.heldReports.length = 0;
      for (const page of label.pages.values()) delete page.number;
    }
    label.store = store;
    if (transceiver !== undefined) label.transceiver = transceiver;
    labels.set(barcode, label);
    return label;
  }

  function deliver(label: EmulatedLabel, transmission: Transmission): void {
    // The transmission was forgotten in a restart, or because the label moved to another store.
    if (label.transmissions.get(transmission.key)?.state !== "in the air") {
      totals.inTheAir -= 1;
      return;
    }
    if (label.offline) {
      for (const { key } of hold(label, transmission)) {
        totals.inTheAir -= 1;
        label.transmissions.delete(key);
      }
      return;
    }
    totals.inTheAir -= 1;
    if (label.failNext > 0) {
      label.failNext -= 1;
      fail(label, transmission, "lost in the air");
    } else if (transmission.switch === undefined) show(label, transmission);
    else keep(label, { ...transmission, switch: transmission.switch });
  }

  function fail(label: EmulatedLabel, { key, number, page }: Transmission, reason: string): void {
    label.transmissions.set(key, { page, number, state: "failed" });
    send(label, "failed", { transmission: number, page, reason });
  }

  function keep(label: EmulatedLabel, transmission: Transmission & { switch: string }): void {
    const { key, number, page } = transmission;
    if (switches.isOver(label.store, transmission.switch)) {
      fail(label, transmission, "its switch is over");
      return;
    }
    const keptAt = now().toISOString();
    label.transmissions.set(key, { page, number, state: { keptAt } });
    // A newer picture of the page arrived while this one was in the air.
    if (isSuperseded(label, transmission)) return;
    label.kept.set(page, transmission);
    send(label, "kept", { transmission: number, page, at: keptAt });
  }

  function show(label: EmulatedLabel, { key, number, page, png, text, isFull }: Transmission): void {
    refresh(label, isFull);
    const received = (label.pages.get(page)?.received ?? 0) + 1;
    const sha256 = sha256Of(text ?? png);
    totals.received += 1;
    if (received === 1) totals.pages += 1;
    const deliveredAt = now().toISOString();
    changes.set(label, page, {
      png,
      sha256,
      number,
      received,
      acknowledgedAt: deliveredAt,
      ...(text !== undefined && { text }),
    });
    label.transmissions.set(key, { page, number, state: { deliveredAt } });
    changes.noteShown(label, page);
    const acknowledge = () => send(label, "acknowledged", { transmission: number, page, at: deliveredAt });
    // A label that is asleep at the time of its switch shows its picture by its own clock, and reports it later.
    if (label.offline) label.heldReports.push(acknowledge);
    else acknowledge();
  }

  /** Reports the result of a transmission again. */
  function repeat(label: EmulatedLabel, { number, page, state }: Received): void {
    if (typeof state === "string") return;
    const [kind, at] =
      "keptAt" in state ? (["kept", state.keptAt] as const) : (["acknowledged", state.deliveredAt] as const);
    send(label, kind, { transmission: number, page, at });
  }

  const switches = createSwitches({ labels: () => labels.values(), show, now });

  /**
   * Accepts a transmission. A repeated key means the same transmission, which is sent through the air again only if it
   * failed. A delivered transmission is acknowledged again, with the time of its delivery, because a later picture may have
   * arrived since. A transmission that arrives after a newer one for its page is dropped, because it would hide the newer
   * picture.
   */
  function receive(label: EmulatedLabel, transmission: Transmission): void {
    const known = label.transmissions.get(transmission.key);
    if (known?.state === "in the air") return;
    if (known !== undefined && known.state !== "failed") {
      repeat(label, known);
      return;
    }
    if (known === undefined && isSuperseded(label, transmission)) return;
    // Any later transmission for a page makes the picture that was kept for it obsolete.
    if ((label.kept.get(transmission.page)?.number ?? 0) < transmission.number) label.kept.delete(transmission.page);
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

  /** Accepts an order, which is carried out now or never. An offline label misses it, and a repeated number is ignored. */
  function obey(label: EmulatedLabel, order: Order): void {
    if (order.number <= (label.orders.get(order.kind) ?? 0)) return;
    label.orders.set(order.kind, order.number);
    throughAir(label, () => {
      if (!label.offline) carryOut(label, order, now().getTime());
    });
  }

  /** Changes the behaviour of a label, or of every label including future ones (`*`). Returns the number of changed labels. */
  function set(barcode: string, change: LabelChange): number {
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
    for (const report of label.heldReports.splice(0)) report();
    for (const transmission of label.held.splice(0)) deliver(label, transmission);
  }

  /** Presses a button of a label. Returns the time. An offline label reports nothing. */
  function press(label: EmulatedLabel, button: number): string | undefined {
    if (label.offline) return undefined;
    const at = now().toISOString();
    send(label, "check-in", { at, press: { button, at } });
    return at;
  }

  /** Makes one share of the online labels check in, so that all of them do within the given number of calls. */
  function checkIn(calls: number): void {
    checkIns += 1;
    for (const [index, label] of [...labels.values()].entries())
      if (index % calls === checkIns % calls && !label.offline) sendCheckIn(label);
  }

  /** Adds a label that already shows a page. */
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
    changes.set(label, page, { ...shown, sha256: sha256Of(shown.text ?? shown.png) });
  }

  return {
    get,
    obtain,
    takeShown: changes.takeShown,
    glassBehind: changes.glassBehind,
    hang,
    receive,
    obey,
    /** Makes labels show what they keep for a switch at the ordered time, or ends the switch. */
    orderSwitch: switches.order,
    callOff: switches.callOff,
    /** Returns the label's current flash. */
    flashOf: (label: EmulatedLabel): Flash | null => flashAt(label, now().getTime()),
    /** Returns the page that the label currently shows. */
    shownPageOf: (label: EmulatedLabel): string => pageAt(label, now().getTime()),
    set,
    press,
    checkIn,
    /** Forgets what was accepted but not reported, as in a restart without memory. */
    forget(): void {
      for (const label of labels.values()) totals.inTheAir -= forgetAccepted(label);
    },
    all: () => labels.values(),
    totals: () => ({ labels: labels.size, ...totals }),
  };
}

const sha256Of = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
