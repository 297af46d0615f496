import type { BatteryForecast } from "../../domain/labels/care/battery-forecast.ts";
import { plStateFields } from "../../domain/labels/pl-state.ts";
import { type BatteryState, type Label, LabelAnswer, type LabelScalar, type PlState } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import type { Envelope } from "../../schemas/record.ts";

export type LabelProjection = "S" | "M" | "L" | undefined;
export type OwnField = keyof Label & string;
export type StateField = keyof LabelState & string;
/** A field of a label's response. */
export type LabelField = LabelScalar | "links" | "positions" | "lastPress" | "sensors";

/** A label's own record (storeesl.v1), as far as it was read. */
export type OwnPart = Pick<Envelope, "_id"> & Pick<Label, "barcode" | "modelName"> & Partial<Label>;

/** The allowed values by field; in each field, a label's own record must have one of them. */
export type OwnFilter = Partial<Record<"modelName" | "plLocation" | "linkDepartment", readonly string[] | undefined>>;

/** Converts a filter for labels' own records to MongoDB's form. */
export const oneOfEach = (filter: OwnFilter): object =>
  Object.fromEntries(Object.entries(filter).flatMap(([name, values]) => (values ? [[name, { $in: values }]] : [])));

/** The facts read about a label; fields that `Wanted` left out are absent. */
export interface LabelFacts {
  label: OwnPart;
  state: Partial<LabelState> | undefined;
  plState: PlState | undefined;
  links: readonly LinkAnswer[];
  /** Absent if it is not wanted, or if the battery's charge is unknown. */
  forecast?: BatteryForecast | undefined;
}

/** The facts that a response, a filter or an order requires. */
export interface Wanted {
  own: readonly OwnField[];
  state: readonly StateField[];
  plState: boolean;
  links: boolean;
  forecast: boolean;
}

/** A field's value; null if it is unknown. */
export type Value = string | number | Date | null;

interface Source {
  own?: readonly OwnField[];
  state?: readonly StateField[];
  value(facts: LabelFacts): Value;
}

const own = (name: Exclude<LabelScalar & OwnField, "barcode">): Source => ({
  own: [name],
  value: ({ label }) => label[name] ?? null,
});
const state = (name: Exclude<LabelScalar & StateField, "batteryState">): Source => ({
  state: [name],
  value: ({ state }) => state?.[name] ?? null,
});

/** The source of each field. Responses, filters and orders use the same value. */
const sources: Record<LabelScalar, Source> = {
  barcode: { value: ({ label }) => label.barcode },
  modelName: own("modelName"),
  linkDepartment: own("linkDepartment"),
  plLocation: own("plLocation"),
  homeTrx: own("homeTrx"),
  device: own("device"),
  plState: { state: plStateFields, value: ({ plState }) => plState ?? null },
  batteryState: { state: ["battery"], value: ({ state }) => batteryOf(state) },
  lowBatteryDate: state("lowBatteryDate"),
  lastTrxList: { state: ["transceivers"], value: ({ state }) => state?.transceivers?.join(",") || null },
  hardwareRevision: state("hardwareRevision"),
  lastDisplayUpdate: state("lastDisplayUpdate"),
  batteryStateChanged: state("batteryStateChanged"),
  batteryStateLastConfirmed: state("batteryStateLastConfirmed"),
  batteryStateFirstEnteredLow: state("batteryStateFirstEnteredLow"),
  firstLinked: own("firstLinked"),
  lastLinked: own("lastLinked"),
  batteryDaysLeft: {
    own: ["type"],
    state: ["battery", "care"],
    value: ({ forecast }) => forecast?.daysLeft ?? null,
  },
  lastUpdate: state("lastUpdate"),
  lastOkUpdate: state("lastOkUpdate"),
};

/** The battery state; UNKNOWN until the label reports one. */
export const batteryOf = (state: Partial<LabelState> | undefined): BatteryState => state?.battery ?? "UNKNOWN";

export const fieldValue = (facts: LabelFacts, field: LabelScalar): Value => sources[field].value(facts);

/** The fields of a projection, in the order of the response. */
export const fieldsOf = (projection: LabelProjection): readonly LabelField[] =>
  Object.keys(LabelAnswer[projection ?? "full"].properties) as LabelField[];

/** Returns the facts that must be read to compute these fields. */
export function wantedFor(fields: readonly LabelField[]): Wanted {
  const wanted = { own: new Set<OwnField>(["barcode", "modelName"]), state: new Set<StateField>() };
  for (const field of fields) {
    if (field === "positions") wanted.own.add("manualPosition");
    if (field === "lastPress") wanted.state.add("press");
    if (field === "sensors") wanted.state.add("sensors");
    if (field === "positions" || field === "links" || field === "lastPress" || field === "sensors") continue;
    for (const name of sources[field].own ?? []) wanted.own.add(name);
    for (const name of sources[field].state ?? []) wanted.state.add(name);
  }
  return {
    own: [...wanted.own],
    state: [...wanted.state],
    plState: fields.includes("plState"),
    links: fields.includes("links"),
    forecast: fields.includes("batteryDaysLeft"),
  };
}

/** States that a label must have; an absent set admits every state. */
export interface StateFilter {
  plState?: ReadonlySet<PlState> | undefined;
  batteryState?: ReadonlySet<BatteryState> | undefined;
  /** The battery's remaining days must be at most this many. */
  replaceWithin?: number | undefined;
}

/** A range of a store's labels, ordered by barcode. */
export interface OwnListing {
  own?: OwnFilter;
  descending?: boolean | undefined;
  /** The barcode after which the range begins. */
  after?: string | undefined;
  start?: number;
  limit?: number;
  batchSize?: number;
}
