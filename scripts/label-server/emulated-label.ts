/** A page of an emulated label, as the label shows it. */
export interface Page {
  png: Buffer;
  /** Set for a segment label: the text that it shows instead of a picture. */
  text?: string;
  sha256: string;
  /** Number of the page's last transmission. Absent if the page was stored by an earlier release. */
  number?: number;
  /** Number of transmissions received for the page. */
  received: number;
  acknowledgedAt: string | null;
}

export interface Flash {
  duration: number;
  color: string;
  flashType: number;
  priority: string;
}

/** An order to a label, other than a picture. */
export interface Order {
  kind: "flash" | "display-page" | "fingerprint";
  /** A label ignores an order whose number is not larger than the number of its last order of the same kind. */
  number: number;
  priority: string;
  body: { duration?: number; color?: string; flashType?: number; action?: string; page?: string };
}

/** An emulated label. */
export interface EmulatedLabel {
  barcode: string;
  /** The store named in the last call for the label. */
  store: string;
  /** The transceiver that reaches the label: the first one that the last call named. */
  transceiver?: string;
  pages: Map<number, Page>;
  /** The position of the label's last picture change among the changes of all labels. */
  change: number;
  /** The label's flash, and its end in epoch milliseconds. */
  flash: (Flash & { until: number }) | null;
  /** The page that the label shows temporarily, and its end in epoch milliseconds. */
  temporaryPage: { page: string; until: number } | null;
  /** How often the label redrew every pixel. */
  fullRefreshes: number;
  /** Number of measurements of the label's signal. */
  fingerprints: number;
  /** Number of the latest order of each kind. */
  orders: Map<Order["kind"], number>;
  battery: "OK" | "LOW";
  /** Voltage of the battery. Absent if the label does not measure it. */
  batteryMillivolts?: number;
  /** Number of millivolts by which a refresh drains the battery. */
  drain?: number;
  /** The temperature that the label's sensor measures, in °C. Null for a label without a sensor. */
  temperature: number | null;
  offline: boolean;
  /** How many of the next transmissions fail. */
  failNext: number;
  airTimeMs: number;
  /** Transmissions by idempotency key. A delivered transmission that is repeated is acknowledged again, but not sent again. */
  transmissions: Map<string, Received>;
  /** Transmissions waiting until the label is online: each page's newest, and those that the newest does not make void. */
  held: Transmission[];
  /** Reports waiting until the label is online. */
  heldReports: (() => void)[];
  /** The pictures that the label keeps for a switch, by page. */
  kept: Map<number, Kept>;
}

/** The fields of a label that tests and developers may change. */
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
  /** Whether every pixel is redrawn. */
  isFull?: boolean;
  /** The switch for which the label keeps the picture. If absent, it shows the picture immediately. */
  switch?: string;
}

/** A picture that a label keeps for a switch. */
interface Kept extends Transmission {
  switch: string;
  /** Set once the label has the order to show the picture. */
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
  /** With a check-in: what the label shows. */
  shows?: { page: number; transmission: number }[];
  /** The boot id of the label server's current run. Only the first report in a call contains it. */
  bootId?: string;
  press?: { button: number; at: string };
  sensors?: { temperature: number };
}

/** Returns a label that has received nothing. */
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
 * Makes a label server forget what it accepted for a label but has not reported. Returns how many transmissions were waiting
 * for the label. The label keeps its pictures, including those for a switch.
 */
export function forgetAccepted(label: EmulatedLabel): number {
  label.transmissions.clear();
  label.orders.clear();
  label.heldReports.length = 0;
  return label.held.splice(0).length;
}
