import { linkIdOf } from "../../schemas/keys.ts";
import type { Label, LabelPatch } from "../../schemas/label.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Link, LinkRow } from "../../schemas/link.ts";
import type { Model } from "../../schemas/model.ts";
import type { Outcome, RowStatus } from "../../schemas/request.ts";
import { type RowNotice, rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { Store } from "../../schemas/store.ts";
import { type BarcodeScheme, faultOfBarcode, UNSTATED_TYPE } from "./barcodes/barcode-scheme.ts";
import { checkNamedDesigns, type KnownDesigns } from "./check-named-designs.ts";
import { mergeLabel } from "./merge-label.ts";
import type { LinkUpsert } from "./merge-link.ts";
import { modelTooSmall, positionFault } from "./position-fault.ts";
import { repeatsLink } from "./repeats-link.ts";
import { transceiversOf } from "./transceivers.ts";

interface StampedPatch {
  row: LabelPatch;
  stamp: number;
}

/** The facts about a store that are needed to plan rows. */
export interface LinkingFacts {
  readType: BarcodeScheme;
  store: Pick<Store, "linkDepartments">;
  labelTypes: ReadonlyMap<number, LabelType>;
  models: readonly Model[];
  /** Existing labels by barcode. */
  labels: ReadonlyMap<string, Label>;
  /** Positions with an active link, by barcode. */
  occupied: ReadonlyMap<string, readonly number[]>;
  /** Links that rows may repeat, by id: links at positions whose row names both an item and another code. */
  links: ReadonlyMap<string, Pick<Link, "itemId" | "linkedItemId" | "status">>;
  /** Designs that rows name, by full key; all of the tenant's designs if a row names only a canvas. */
  designs: KnownDesigns;
  /** Returns the item to which a code refers: by item id first, then by SIC. */
  itemOf(code: string): string | undefined;
}

/** The writes and outcomes of a row, decided before anything is written. */
export interface RowPlan {
  /** Fields of the label, in case it is new; absent if the row as a whole is rejected. */
  label?: Pick<Label, "type" | "modelName">;
  links: Omit<LinkUpsert, "stamp">[];
  /** One outcome per link, or one for a row without links. */
  outcomes: Outcome[];
}

/** Plans rows of PATCH /labels in order: each row sees the labels as changed by the rows before it. */
export function planRows(rows: readonly StampedPatch[], facts: LinkingFacts): RowPlan[] {
  const labels = new Map(facts.labels);
  const occupied = new Map(facts.occupied);
  const links = new Map(facts.links);
  return rows.map(({ row, stamp }) => {
    const plan = planRow(row, { ...facts, labels, occupied, links });
    const positions = plan.links.map(({ displayPosition }) => displayPosition);
    occupied.set(row.barcode, [...(occupied.get(row.barcode) ?? []), ...positions]);
    for (const { displayPosition, itemId, linkedItemId } of plan.links)
      links.set(linkIdOf(row.barcode, displayPosition), { itemId, linkedItemId, status: "ACTIVE" });
    if (plan.label) labels.set(row.barcode, mergeLabel(labels.get(row.barcode), row, stamp, true, plan.label));
    return plan;
  });
}

/** Plans a row. A rejected link affects neither the label's fields nor its other links. */
function planRow(patch: LabelPatch, facts: LinkingFacts): RowPlan {
  const { barcode } = patch;
  const rows = patch.links ?? [];
  const refuse = ({ status, notice }: Refusal): RowPlan => ({
    links: [],
    outcomes:
      rows.length > 0
        ? rows.map((row) => ({ ...namesOf(barcode, row), status, ...rowErrors(notice) }))
        : [{ barcode, status, ...rowErrors(notice) }],
  });

  const stated = facts.readType(barcode);
  if (stated === undefined) {
    const reason = faultOfBarcode(facts.readType, barcode);
    return refuse({ status: "UNKNOWN", notice: rowNotice("BARCODE_INVALID", { barcode, reason }) });
  }
  const type = stated === UNSTATED_TYPE ? unstatedType(patch, facts) : stated;
  if (type === undefined) return refuse({ status: "UNKNOWN", notice: rowNotice("LABEL_TYPE_UNSTATED", { barcode }) });
  if (!facts.labelTypes.has(type))
    return refuse({ status: "UNKNOWN", notice: rowNotice("LABEL_TYPE_UNKNOWN", { type, barcode }) });
  if (patch.clears !== undefined && !facts.labels.has(barcode))
    return refuse({ status: "UNKNOWN", notice: rowNotice("LABEL_UNKNOWN", { barcode }) });
  const model = chooseModel(patch, type, facts);
  if ("code" in model) return refuse({ status: "ERROR", notice: model });
  const transceivers = refuseTransceivers(patch, facts);
  if (transceivers !== undefined) return refuse(transceivers);

  const planned = rows.map((row) => planLink(patch, row, { type, model }, facts));
  const label = { type, modelName: model.name };
  if (rows.length === 0) return { label, links: [], outcomes: [{ barcode, status: "SUCCESS", errors: [] }] };
  return {
    label,
    links: planned.flatMap(({ upsert }) => (upsert ? [upsert] : [])),
    outcomes: planned.map(({ outcome }) => outcome),
  };
}

/**
 * Returns the type of a label whose barcode contains no type: the label's own type, otherwise the only type of the named model.
 */
function unstatedType({ barcode, modelName }: LabelPatch, { labels, models }: LinkingFacts): number | undefined {
  const label = labels.get(barcode);
  if (label) return label.type;
  const [type, ...others] = models.find(({ name }) => name === modelName)?.labelTypes ?? [];
  return others.length === 0 ? type : undefined;
}

interface Refusal {
  status: RowStatus;
  notice: RowNotice;
}

/**
 * Returns the model that the row names, the label's own, or the first model of its type; or a notice with the reason for a
 * rejection.
 */
function chooseModel(patch: LabelPatch, type: number, { models, labels, occupied }: LinkingFacts): Model | RowNotice {
  const label = labels.get(patch.barcode);
  const name = patch.modelName || label?.modelName;
  const model = models.find((candidate) => (name ? candidate.name === name : candidate.labelTypes.includes(type)));
  if (model === undefined)
    return name ? rowNotice("MODEL_UNKNOWN", { model: name }) : rowNotice("MODEL_MISSING", { type });
  if (!model.labelTypes.includes(type)) return rowNotice("MODEL_UNFIT", { model: model.name, type });
  return modelTooSmall(model, occupied.get(patch.barcode)) ?? model;
}

/** Rejects a row if no transceiver reaches the label, or if the department that the row names does not exist. */
function refuseTransceivers(
  patch: LabelPatch,
  { store: { linkDepartments }, labels }: LinkingFacts,
): Refusal | undefined {
  const label = labels.get(patch.barcode);
  const named = patch.linkDepartment ? transceiversOf({ linkDepartment: patch.linkDepartment }, linkDepartments) : [];
  const reach = transceiversOf(
    {
      homeTrx: patch.homeTrx || (patch.clears === "homeTrx" ? undefined : label?.homeTrx),
      linkDepartment: patch.linkDepartment || label?.linkDepartment,
    },
    linkDepartments,
  );
  if ("unknownTransceiver" in reach) {
    const notice = rowNotice("TRANSCEIVER_UNKNOWN", { transceiver: reach.unknownTransceiver });
    return { status: "ERROR", notice };
  }
  const unknown = "unknownDepartment" in named ? named : reach;
  if ("unknownDepartment" in unknown) {
    const notice = rowNotice("DEPARTMENT_UNKNOWN", { department: unknown.unknownDepartment });
    return { status: "ERROR_NO_LINK_DEPARTMENTS", notice };
  }
  return "none" in reach ? { status: "ERROR_NO_LINK_DEPARTMENTS", notice: rowNotice("NO_TRANSCEIVER", {}) } : undefined;
}

function planLink(
  patch: LabelPatch,
  row: LinkRow,
  { type, model }: { type: number; model: Model },
  { labels, links, itemOf, designs }: LinkingFacts,
) {
  const { barcode } = patch;
  const displayPosition = row.displayPosition ?? 0;
  const fail = (status: RowStatus, notice: RowNotice) => ({
    upsert: undefined,
    outcome: { ...namesOf(barcode, row), status, ...rowErrors(notice) },
  });
  if (row.barcode && row.barcode !== barcode)
    return fail("ERROR", rowNotice("LINK_OF_OTHER_LABEL", { named: row.barcode, barcode }));
  const noPosition = positionFault(model, displayPosition);
  if (noPosition !== undefined) return fail("ERROR", noPosition);
  const code = row.linkedItemId || row.itemId || "";
  const present = links.get(linkIdOf(barcode, displayPosition));
  const isRepeated = present?.status === "ACTIVE" && repeatsLink(row, present);
  const itemId = isRepeated ? present.itemId : itemOf(code);
  if (itemId === undefined) return fail("ITEM_NOT_FOUND", rowNotice("ITEM_CODE_UNKNOWN", { code }));
  const design = row.design && checkNamedDesigns(row.design, type, designs);
  if (design && "code" in design) return fail("ERROR", design);
  const location = patch.plLocation || labels.get(barcode)?.plLocation;
  return {
    upsert: {
      eslId: barcode,
      displayPosition,
      itemId,
      linkedItemId: code,
      ...(row.facings && { facings: row.facings }),
      ...(location && { location }),
      ...(design && { design }),
    },
    outcome: { ...namesOf(barcode, row), itemId, status: "SUCCESS" as const, errors: [] },
  };
}

/** Returns the fields of an outcome that name its link. */
const namesOf = (barcode: string, row: LinkRow) => ({
  barcode,
  itemId: row.linkedItemId || row.itemId || "",
  displayPosition: row.displayPosition ?? 0,
});
