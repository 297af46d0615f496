import { BatteryState, LabelSummary, PlState } from "../../schemas/label.ts";
import { route } from "../http/route.ts";
import { batteryOf, wantedFor } from "./label-fields.ts";
import type { LabelReader } from "./label-reader.ts";

export interface LabelSummaryWorld {
  openLabels(store: string): LabelReader;
}

/** Counts of a store's labels by state, added up batch by batch. */
export const labelSummary = ({ openLabels }: LabelSummaryWorld) => [
  route({
    method: "GET",
    path: "/labels/summary",
    operationId: "getLabelSummary",
    summary: "Count labels by plState and by batteryState",
    scope: "labels:read",
    answers: { 200: LabelSummary },
    handle: async ({ store }) => ({ status: 200, body: await countLabels(openLabels(store)) }),
  }),
];

async function countLabels(reader: LabelReader): Promise<LabelSummary> {
  const wanted = wantedFor(["plState", "batteryState"]);
  const plState = noneOf(PlState.enum);
  const batteryState = noneOf(BatteryState.enum);
  let labels = 0;
  for await (const batch of reader.list({}, wanted.own)) {
    for (const facts of await reader.complete(batch, wanted)) {
      labels += 1;
      if (facts.plState) plState[facts.plState] += 1;
      batteryState[batteryOf(facts.state)] += 1;
    }
  }
  return { labels, plState, batteryState };
}

const noneOf = <State extends string>(states: readonly State[]) =>
  Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>;
