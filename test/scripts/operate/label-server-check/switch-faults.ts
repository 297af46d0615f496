import type { RuleName } from "../../../../scripts/operate/label-server-check/rules.ts";
import type { Fault } from "./emulator.ts";
import { receiving } from "./fault-kinds.ts";

/** Faults of label servers with switches, each with the rule that detects it. */
export const switchFaults: Readonly<Record<string, readonly [RuleName, Fault]>> = {
  "immediately shows what it should keep": [
    "switch-kept",
    receiving((receive, label, { switch: _, ...sent }) => receive(label, sent)),
  ],
  "ignores the order for a switch": ["switch-shown", { labels: (labels) => ({ ...labels, orderSwitch() {} }) }],
  "shows what it kept after a later picture": [
    "switch-superseded",
    receiving((receive, label, sent) => {
      const kept = [...label.kept];
      receive(label, sent);
      for (const [page, one] of kept) if (!label.kept.has(page)) label.kept.set(page, one);
    }),
  ],
  "shows a switch that was called off": ["switch-called-off", { labels: (labels) => ({ ...labels, callOff() {} }) }],
  "shows what arrives after its switch": ["switch-late", showingLate()],
};

/** A label server that shows a picture even if it arrives after the time of its switch. */
function showingLate(): Fault {
  const showAts = new Map<string, number>();
  return {
    labels: (labels) => ({
      ...labels,
      orderSwitch(store, id, showAt) {
        showAts.set(id, showAt.getTime());
        labels.orderSwitch(store, id, showAt);
      },
      receive(label, { switch: id, ...sent }) {
        const isOver = id !== undefined && (showAts.get(id) ?? Number.POSITIVE_INFINITY) <= Date.now();
        labels.receive(label, { ...sent, ...(id !== undefined && !isOver && { switch: id }) });
      },
    }),
  };
}
