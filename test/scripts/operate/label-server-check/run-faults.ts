import { randomUUID } from "node:crypto";
import type { RuleName } from "../../../../scripts/operate/label-server-check/rules.ts";
import type { Fault } from "./emulator.ts";
import { reporting } from "./fault-kinds.ts";

/** Faults in what label servers report about their runs and about shown pictures, each with the rule that detects it. */
export const runFaults: Readonly<Record<string, readonly [RuleName, Fault]>> = {
  "names another run in each response": ["boot-id-constant", naming(randomUUID)],
  "names the same run after a restart": ["boot-id-changed", naming(() => "the only run")],
  "lists pictures from before a restart": [
    "shows-listed",
    reporting(({ shows, ...report }) => ({
      ...report,
      ...(shows && { shows: shows.map(({ page, transmission }) => ({ page, transmission: transmission - 1 })) }),
    })),
  ],
};

/** A label server that names its run in this way. */
function naming(bootIdOf: () => string): Fault {
  return {
    async onCall(context, next) {
      await next();
      context.set("boot-id", bootIdOf());
    },
    forward: (reports, forward) => forward(reports.map(({ bootId: _, ...report }) => report)),
  };
}
