import type { Static } from "typebox";
import { type ShownState, stateOfCause, states } from "../../../api/pages/browser/state-of-cause.ts";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import type { LabelSummary, PlState } from "../../../schemas/label.ts";
import type { ItemsResult } from "../../../schemas/request.ts";
import { type StatedLabel, showsWhatItShould } from "./contradictions.ts";
import type { SentRequest } from "./last-requests.ts";
import type { StatedCard } from "./read-pages.ts";

/** A store as the API and its card on the overview describe it. */
export interface StatedStore {
  /** The states of its listed labels; undefined for a store with too many labels to count. */
  listed: readonly PlState[] | undefined;
  summary: LabelSummary;
  report: IntegrityReport;
  /** The store's card; undefined if the overview does not show it. */
  card: StatedCard | undefined;
  /** The labels that are compared with their glass. */
  labels: readonly StatedLabel[];
  results: readonly StatedResult[];
}

/** A request and its result. */
export interface StatedResult {
  sent: SentRequest;
  result: Static<typeof ItemsResult>;
}

/** Returns the statements about a store that contradict each other or the glass of its labels. */
export const storeContradictionsOf = (stated: StatedStore): string[] =>
  [
    ...countContradictions(stated),
    ...(stated.card ? cardContradictions(stated, stated.card) : []),
    ...stated.results.flatMap(resultContradictions),
  ].flatMap((text) => text || []);

/** Compares the counts of a store, which all count the same labels. */
function countContradictions({ listed, summary: { labels, plState }, report }: StatedStore): (string | false)[] {
  const { labels: compared, upToDate, behind = [] } = report;
  const counted = listed && Map.groupBy(listed, (state) => state);
  return [
    labels !== compared && `the summary counts ${labels} labels, integrity ${compared}`,
    upToDate !== compared - behind.length &&
      `integrity counts ${upToDate} of ${compared} labels as right, and lists ${behind.length} as behind`,
    ...Object.entries(counted ? plState : {}).map(([state, count]) => {
      const found = counted?.get(state as PlState)?.length ?? 0;
      return count !== found && `the summary counts ${count} labels as ${state}, and the list has ${found}`;
    }),
  ];
}

/** Checks that the overview's counts equal those of integrity, add up, and match the glass. */
function cardContradictions({ report, labels }: StatedStore, card: StatedCard): (string | false)[] {
  const { headline, named, counted, compared, behind, linked } = card;
  const { upToDate, behind: rows = [], verdicts } = report;
  const sum = states.reduce((total, state) => total + counted[state], 0);
  const wrong = labels.find((label) => !showsWhatItShould(label));
  const explained = Map.groupBy(labels, ({ explanation }) => explanation && stateOfCause[explanation.cause]);
  const wanted: Partial<Record<ShownState, number>> = {
    ERROR: counted.ERROR + counted.OFFLINE,
    PENDING: counted.PENDING,
  };
  return [
    card.labels !== report.labels && `the overview counts ${card.labels} labels, integrity ${report.labels}`,
    sum !== card.labels && `the overview counts ${card.labels} labels, and its tiles ${sum}`,
    compared?.join() !== [upToDate, report.labels].join() &&
      `the overview calls ${compared?.join(" of ")} labels right, integrity ${upToDate} of ${report.labels}`,
    behind !== rows.length && `the overview's causes count ${behind} labels, and integrity lists ${rows.length}`,
    linked !== behind && `the overview's causes count ${behind} labels, and link to ${linked}`,
    headline === "OK" &&
      wrong !== undefined &&
      `the overview calls every label right, and the glass of ${wrong.barcode} is not`,
    headline === "OK" &&
      sum !== counted.OK + counted.NEW &&
      "the overview calls every label right, and its tiles do not",
    headline in wanted &&
      named !== wanted[headline] &&
      `the headline names ${named} labels, and the tiles another number`,
    ...states.flatMap((state) => [
      verdicts?.[state] !== counted[state] &&
        `the overview counts ${counted[state]} labels as ${state}, integrity ${verdicts?.[state]}`,
      (explained.get(state)?.length ?? 0) > counted[state] &&
        `the overview counts ${counted[state]} labels as ${state}, and explain finds more`,
    ]),
  ];
}

/** Checks that a result has a row for each row that was sent, and counts the failed ones. */
function resultContradictions({ sent: { requestId, rows }, result }: StatedResult): (string | false)[] {
  const { itemResults, itemErrorCount, overallStatus, status } = result;
  const failed = itemResults.filter((row) => !succeeded.includes(row.status) && row.status !== "PENDING").length;
  const isAllWell = itemResults.every((row) => succeeded.includes(row.status));
  return [
    itemResults.length !== rows.length &&
      `request ${requestId} has ${rows.length} rows, and its result ${itemResults.length}`,
    itemErrorCount !== failed && `result ${requestId} counts ${itemErrorCount} errors, and has ${failed}`,
    status === "COMPLETED" &&
      isAllWell !== (overallStatus === "SUCCESS") &&
      `result ${requestId} is ${overallStatus}, and ${failed} of its rows have failed`,
  ];
}

/** Statuses of rows that were applied completely. */
export const succeeded: readonly string[] = ["SUCCESS", "SUCCESS_NEW_ITEM"];
