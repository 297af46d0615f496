import { Type } from "typebox";
import { createDateText } from "../../../../api/http/date-text.ts";
import { explainLabel } from "../../../../api/labels/explain/explain-label.ts";
import { createReadFacts } from "../../../../api/labels/explain/read-facts.ts";
import {
  behindColumns,
  type Columns,
  csvHead,
  csvRow,
  shownColumns,
} from "../../../../api/management/integrity/columns.ts";
import {
  type IntegrityDependencies,
  labelsBehind,
  type ReportPart,
  readTimes,
  shownThen,
} from "../../../../api/management/integrity/report.ts";
import { instantOfStoreTime } from "../../../../domain/times/store-time.ts";
import { createExpressions } from "../../../../drawing/expressions/expressions.ts";
import { studioLinkDerivation } from "../../../../queues/derivations/studio-link.ts";
import type { System } from "../../../../queues/system.ts";
import { openGlassLog } from "../../../../records/glass-log.ts";
import { createBarcodeSchemes } from "../../../../records/linking/barcode-schemes.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import { LINE_END } from "../../../../schemas/csv.ts";
import type { LabelBehind, ShownThen, Times } from "../../../../schemas/integrity.ts";
import { storeIds } from "../../../../schemas/keys.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import { chooseStore, storeOptions } from "../choose-store.ts";
import { command, Refusal } from "../command.ts";

export const explainCommand = command({
  name: "explain",
  arguments: ["BARCODE"],
  means: "explain what a label shows and why",
  options: storeOptions,
  isWithoutRedis: true,
  async run({ arguments: [barcode = ""], options, open }) {
    const system = await open();
    const store = await chooseStore(system.records, options);
    const facts = await createReadFacts({ ...explanationOf(system), expressions: createExpressions() })(
      store._id,
      barcode,
      true,
    );
    if (facts === undefined)
      throw new Refusal(`The label "${barcode}" does not exist in store ${storeIds(store._id).storeId}.`);
    const explanation = explainLabel(facts, system.now(), createDateText(store.timeZone, false));
    return { data: { ...explanation }, lines: explanation.sentences };
  },
});

const checkTime = compileCheck(Type.String({ format: "local-date-time", minLength: 1 }));

export const integrityCommand = command({
  name: "integrity",
  arguments: [],
  means:
    "list the labels of a store that do not show the newest picture, and why; or what its labels showed at a given time",
  options: {
    ...storeOptions,
    at: {
      takes: "TIME",
      means: 'show what the labels showed at this time, "YYYY-MM-DD hh:mm:ss" in the store\'s time zone',
    },
    barcode: { takes: "BARCODES", means: "with --at: only these labels, separated by commas" },
    csv: { means: "print the rows as CSV" },
  },
  isWithoutRedis: true,
  async run({ options, open }) {
    const system = await open();
    const store = await chooseStore(system.records, options);
    const dateText = createDateText(store.timeZone, false);
    const integrity = explanationOf(system);
    if (options.at === undefined) {
      if (options.barcode !== undefined)
        throw new Refusal("--barcode requires --at; for the current state of one label, use explain");
      const found = await collect(labelsBehind(integrity, store._id, system.now(), dateText));
      const timeToGlass = await readTimes(integrity, store._id, system.now(), dateText);
      const upToDate = found.labels - found.rows.length;
      return {
        data: { labels: found.labels, upToDate, behind: found.rows, timeToGlass },
        lines: options.csv
          ? [csvText(behindColumns, found.rows)]
          : [
              `${upToDate} of ${found.labels} labels show the newest picture.`,
              ...found.rows.map(behindText),
              timesText("hour", timeToGlass.lastHour),
              timesText("day", timeToGlass.lastDay),
            ],
      };
    }
    const [fault] = checkTime(options.at);
    if (fault) throw new Refusal(`--at ${fault.detail}`);
    const at = new Date(instantOfStoreTime(options.at, store.timeZone));
    const barcodes = options.barcode?.split(",");
    const { labels, rows } = await collect(shownThen(integrity, store._id, at, barcodes, dateText));
    const lines = options.csv ? [csvText(shownColumns, rows)] : rows.map(shownText);
    return { data: { labels, shown: rows }, lines };
  },
});

/** Returns the dependencies that both reports need. */
export function explanationOf(system: System): IntegrityDependencies {
  const { BARCODE_PATTERN, OFFLINE_AFTER } = readSettings(["BARCODE_PATTERN", "OFFLINE_AFTER"]);
  const { records, db, clock, databaseNow } = system;
  const studioLinkRule = studioLinkDerivation({
    records,
    schemeOf: createBarcodeSchemes(records, BARCODE_PATTERN, clock),
    now: databaseNow,
    log: system.log,
  });
  return { ...system, studioLinkRule, offlineAfterMs: OFFLINE_AFTER * 1000, glassLog: openGlassLog(db) };
}

async function collect<Row>(parts: AsyncGenerator<ReportPart<Row>>): Promise<{ labels: number; rows: Row[] }> {
  const found = { labels: 0, rows: [] as Row[] };
  for await (const { labels, rows } of parts) {
    found.labels += labels;
    found.rows.push(...rows);
  }
  return found;
}

const csvText = <Row>(columns: Columns<Row>, rows: readonly Row[]): string =>
  [csvHead(columns), ...rows.map((row) => csvRow(columns, row))].join(LINE_END);

const behindText = ({ barcode, cause, reason, since }: LabelBehind): string =>
  `${barcode}  ${cause}${since === null ? "" : ` since ${since}`}: ${reason}`;

const timesText = (span: string, { pictures, p50, p99 }: Times): string =>
  pictures === 0
    ? `No label received a new picture in the last ${span}.`
    : `${pictures} pictures in the last ${span}: half of them within ${p50} s, 99 % within ${p99} s.`;

function shownText({ barcode, page, since, items, fault }: ShownThen): string {
  const what = items.map(({ itemId, price }) => (price === null ? itemId : `${itemId} at ${price}`)).join(", ");
  if (since === null) return `${barcode}  unknown`;
  return `${barcode}  page ${page}: ${what || `its background${fault === null ? "" : ` (${fault})`}`}, since ${since}`;
}
