import { checkLaw } from "../../../domain/law/check-design.ts";
import type { Live } from "../../../domain/publishing/live.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import { designs } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import { type CanvasDesign, CanvasOrder } from "../../../schemas/canvas.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import { type Design, DesignOrder } from "../../../schemas/design.ts";
import { designKey, fullCanvasDesignKey } from "../../../schemas/keys.ts";
import { PackOrder } from "../../../schemas/pack.ts";
import type { Fault } from "../../../schemas/problem.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import type { Content, DraftFinding, Subject } from "../../../schemas/version.ts";
import { knownFields } from "../../body/without-unknown-fields.ts";
import { dateOf, readCountries } from "../../law/read-law.ts";
import { designFaults, lostTypes } from "../designs/design-faults.ts";
import { createFinder } from "../find-records.ts";

/** The record body made from a draft's content, and the findings. If there is an error, there is no body. */
export interface CheckedContent {
  errors: readonly DraftFinding[];
  warnings: readonly DraftFinding[];
  body?: Live;
}

/** Drafts that count as stored while another one is checked, by key. */
export interface Drafted {
  /** Keys of designs; a pack may name them. */
  designKeys: readonly string[];
  designs: ReadonlyMap<string, Design>;
  canvases: ReadonlyMap<string, CanvasDesign>;
}

export interface ContentsWorld {
  records: Records;
  expressions: Pick<Expressions, "checkPack" | "canvasFaults">;
  now(): Date;
}

/** Checks content as the PUT of its subject does; `key` is the full key of its record. */
export type CheckContent = (
  tenant: string,
  subject: Subject,
  key: string,
  content: Content,
  drafted: Drafted,
) => Promise<CheckedContent>;

const checkForms = {
  "communication-packs": compileCheck(PackOrder),
  designs: compileCheck(DesignOrder),
  "canvas-designs": compileCheck(CanvasOrder),
} as const;

/** Returns the content's structural faults. If there are any, nothing else is checked. */
export const formFaults = (subject: Subject, content: Content): Fault[] => [
  ...(subject === "canvas-designs" ? unknownFieldsOf(content) : []),
  ...checkForms[subject](content),
];

/** Checks contents that are not saved yet. */
export function createCheckContent({ records, expressions, now }: ContentsWorld): CheckContent {
  const allDesigns = createFinder(records, { kind: designs, noun: "design", keyOf: designKey });

  async function checkPack(tenant: string, order: PackOrder, { designKeys }: Drafted): Promise<CheckedContent> {
    const known = (await allDesigns.all(tenant)).map(({ _id }) => _id);
    const { pack, errors, warnings } = await expressions.checkPack(tenant, order, [...known, ...designKeys]);
    return { errors, warnings, ...(errors.length === 0 && { body: pack }) };
  }

  async function checkDesign(tenant: string, order: DesignOrder, { canvases }: Drafted): Promise<CheckedContent> {
    const design = designOf(tenant, order);
    const errors = await designFaults(records, tenant, design, canvases);
    return { errors, warnings: [], ...(errors.length === 0 && { body: design }) };
  }

  async function checkCanvas(tenant: string, key: string, canvas: CanvasDesign, drafted: Drafted) {
    const [faults, lost, countries] = await Promise.all([
      expressions.canvasFaults(tenant, canvas),
      lostTypes(records, tenant, canvas, key, drafted.designs),
      readCountries(records, tenant),
    ]);
    const detail = `it has no layout for the label types ${lost.join(", ")}, for which designs use it`;
    const errors = [...faults, ...(lost.length > 0 ? [{ pointer: "", detail }] : [])];
    const law = checkLaw(canvas, countries, dateOf(now()));
    errors.push(...law.errors);
    return { errors, warnings: law.warnings, ...(errors.length === 0 && { body: canvas }) };
  }

  return async (tenant, subject, key, content, drafted) => {
    const errors = formFaults(subject, content);
    if (errors.length > 0) return { errors, warnings: [] };
    if (subject === "communication-packs") return checkPack(tenant, content as PackOrder, drafted);
    if (subject === "designs") return checkDesign(tenant, content as DesignOrder, drafted);
    return checkCanvas(tenant, key, knownFields(CanvasOrder, content), drafted);
  };
}

/** Returns a design as it is stored: with the full key of its canvas. */
export function designOf(tenant: string, order: DesignOrder): Design {
  const { canvasId, ...rest } = knownFields(DesignOrder, order);
  return { ...rest, canvasId: fullCanvasDesignKey(tenant, canvasId) ?? canvasId };
}
