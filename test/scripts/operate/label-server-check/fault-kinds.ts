import type { Context } from "koa";
import type { EmulatedLabel, Order, Report, Transmission } from "../../../../scripts/label-server/emulated-label.ts";
import { type Fault, SECRET } from "./emulator.ts";

/** A label server that answers calls to these paths by itself. */
export const answering = (path: RegExp, answer: (context: Context) => number | undefined): Fault => ({
  async onCall(context, next) {
    const status = path.test(context.path) ? answer(context) : undefined;
    if (status === undefined) return next();
    context.status = status;
  },
});

/** A label server that changes the headers of calls before it reads them. */
export const reading = (change: (headers: Context["req"]["headers"]) => void): Fault => ({
  onCall(context, next) {
    change(context.req.headers);
    return next();
  },
});

type Receive = (label: EmulatedLabel, transmission: Transmission) => void;

/** A label server that handles pictures and text differently; `receive` is the correct handling. */
export const receiving = (
  treat: (receive: Receive, label: EmulatedLabel, transmission: Transmission) => void,
): Fault => ({
  labels: (labels) => ({ ...labels, receive: (...sent) => treat(labels.receive, ...sent) }),
});

/** A label server that carries out orders differently. */
export const obeying = (change: (order: Order, label: EmulatedLabel) => Order | undefined): Fault => ({
  labels: (labels) => ({
    ...labels,
    obey(label, order) {
      const changed = change(order, label);
      if (changed) labels.obey(label, changed);
    },
  }),
});

/** A label server that changes reports. */
export const reporting = (change: (report: Report) => Report): Fault => ({ report: (report) => [change(report)] });

export const isDelivered = ({ transmissions }: EmulatedLabel, { key }: Transmission): boolean =>
  typeof transmissions.get(key)?.state === "object";

/** A label server that answers a repeated call in this way. */
export function answeringRepeated(status: number): Fault {
  const seen = new Set<string>();
  return answering(/\/pages\//, (context) => {
    const key = context.get("idempotency-key");
    if (seen.has(key)) return status;
    // A call that is rejected for another reason may be repeated.
    if (context.get("authorization") === `Bearer ${SECRET}`) seen.add(key);
    return undefined;
  });
}

/** A label server whose calls wait until its reports are answered. */
export function blockedByReports(): Fault {
  let underWay: Promise<unknown> = Promise.resolve();
  return {
    async onCall(_, next) {
      await underWay;
      return next();
    },
    forward(reports, forward) {
      const answer = forward(reports);
      underWay = answer;
      return answer;
    },
  };
}

/** Never answers calls to this path. */
export function hangOn(path: RegExp): Fault["onCall"] {
  return (context, next) => (path.test(context.path) ? new Promise(() => {}) : next());
}
