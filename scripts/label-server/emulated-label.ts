/** A page of an emulated label, as the label shows it. */
export interface Page {
  png: Buffer;
  /** Set for a segment label: the text that it shows instead of a picture. */
  text?: string;
  sha256: string;
  /** Number of its last transmission; absent if it hangs since an earlier release stored it. */
  number?: number;
  /** Number of transmissions received for it. */
  received: number;
  acknowledgedAt: string | null;
}

export interface Flash {
  duration: number;
  color: string;
  flashType: number;
  priority: string;
}

/** An order for a label, which is no picture. */
export interface Order {
  kind: "flash" | "display-page" | "fingerprint";
  /** A label ignores an order whose number is not larger than that of its last order of the same kind. */
  number: number;
  priority: string;
  body: { duration?: number; color?: string; flashType?: number; action?: string; page?: string };
}

/** An emulated label. */
export interface EmulatedLabel {
  barcode: string;
  /** The store named by the last call for the label. */
  store: string;
  /** The transceiver that reaches it: the first that the last call named. */
  transceiver?: string;
  pages: Map<number, Page>;
  /** The position of its last picture change among those of all labels. */
  change: number;
  /** Its flash, and the end of it in epoch milliseconds. */
  flash: (Flash & { until: number }) | null;
  /** The page that it shows temporarily, and until when in epoch milliseconds. */
  temporaryPage: { page: string; until: number } | null;
  /** How often it redrew every pixel. */
  fullRefreshes: number;
  /** Number of measurements of its signal. */
  fingerprints: number;
  /** Number of the latest order of each kind. */
  orders: Map<Order["kind"], number>;
  battery: "OK" | "LOW";
  /** Voltage of the battery; absent if the label does not measure it. */
  batteryMillivolts?: number;
  /** By how many millivolts a refresh drains the battery. */
  drain?: number;
  /** What its sensor measures, in °C; null for a label without one. */
  temperature: number | null;
  offline: boolean;
  /** Number of coming transmissions that fail. */
  failNext: number;
  airTimeMs: number;
  /** Transmissions by idempotency key: a delivered one that is repeated is acknowledged again, not sent again. */
  transmissions: Map<string, Received>;
  /** Transmissions that wait until the label is online: of a page the newest, and what it does not make void. */
  held: Transmission[];
  /** Reports that wait until the label is online. */
  heldReports: (() => void)[];
  /** By page, the picture that the label keeps for a switch. */
  kept: Map<number, Kept>;
}

/** What tests and developers change of a label. */
export type LabelChange = Partial<
  Pick<EmulatedLabel, "offline" | "battery" | "batteryMillivolts" | "drain" | "temperature" | "failNext" | "airTimeMs">
>;

/** The outcome of a transmission. */
export interface Received {
  page: number;
  number: number;
  state: "in the air" | "failed" | { keptAt: string } | { deliveredAt: string };
}

export interface Transmission {
  key: string;
  number: number;
  page: number;
  png: Buffer;
  text?: string;
  /** Every pixel is redrawn. */
  isFull?: boolean;
  /** The switch for which the label keeps the picture; absent, it shows the picture at once. */
  switch?: string;
}

/** A picture that a label keeps for a switch. */
interface Kept extends Transmission {
  switch: string;
  /** Set once the label has the order to show it. */
  ordered?: true;
}

export interface Report {
  store: string;
  barcode: string;
  kind: "acknowledged" | "kept" | "failed" | "check-in";
  at: string;
  transmission?: number;
  page?: number;
  reason?: string;
  battery: "OK" | "LOW";
  batteryMillivolts?: number;
  transceiver?: string;
  hardwareRevision: string;
  /** With check-in: what the label shows. */
  shows?: { page: number; transmission: number }[];
  /** Of the label server's run; the first report of a call has it. */
  bootId?: string;
  press?: { button: number; at: string };
  sensors?: { temperature: number };
}

/** A label that has received nothing. */
export const newLabel = (barcode: string, store: string) => ({
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
  held: [],
  heldReports: [],
  kept: new Map(),
});

/**
 * Has a label server forget what it accepted for a label and has not reported; returns how many transmissions waited for the
 * label. The label keeps its pictures, also those for a switch.
 */
export function forgetAccepted(label: EmulatedLabel): number {
  label.transmissions.clear();
  label.orders.clear();
  label.heldReports.length = 0;
  return label.held.splice(0).length;
}
