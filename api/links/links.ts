import { Type } from "typebox";
import { ItemId } from "../../schemas/item.ts";
import { itemOfStoreLink, linkIdOf, partsOfLinkId, tenantOf } from "../../schemas/keys.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import { LinkCreation, LinkPatch, LinkReceipt, LinkRecord } from "../../schemas/link-record.ts";
import type { Fault } from "../../schemas/problem.ts";
import { Receipt } from "../../schemas/request.ts";
import { identifier } from "../../schemas/text.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "../labels/labels.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import { designOfCreation, faultsOfLink, rowOfLinkPatch } from "./link-designs.ts";

export interface LinksWorld {
  noLabel: NoLabel;
  acceptRows: AcceptRows;
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /** Reads a link, even a DELETED one (a tombstone), or a store-level link. */
  readLink(store: string, linkId: string): Promise<LinkRecord | undefined>;
  /** Reads the links of an item that are not DELETED, its store-level link first; undefined if there is no such item. */
  linksOfItem(store: string, itemId: string): Promise<LinkRecord[] | undefined>;
  /** Reads the links of a label that are not DELETED. */
  linksOfLabel(store: string, barcode: string): Promise<LinkRecord[]>;
}

const LinkPath = Type.Object({ linkId: identifier(256, "Id of the link, from its receipt or a list") });
const LinkRecords = Type.Array(LinkRecord);

/** Operations on links as records (docs/integrators/links.md#links-as-records). */
export const links = ({ acceptRows, hasLabel, readLink, linksOfItem, linksOfLabel, noLabel }: LinksWorld) => [
  route({
    method: "POST",
    path: "/links",
    operationId: "createLink",
    summary: "Link an item to a label's position, replacing any existing link there",
    scope: "links:write",
    body: LinkCreation,
    answers: { 202: LinkReceipt },
    handle: async ({ store, body }) => {
      const creation = knownFields(LinkCreation, body);
      refuseFaults([...faultsOfNames(creation), ...faultsOfLink(tenantOf(store), creation)]);
      const { barcode, eslId, itemId, linkedItemId, displayPosition, facings } = creation;
      const label = barcode || eslId || "";
      const design = designOfCreation(tenantOf(store), creation);
      const row: LabelPatch = {
        barcode: label,
        links: [{ itemId, linkedItemId, displayPosition, facings, design }],
      };
      const requestId = await acceptRows({ store, operation: "patch-labels", rows: [row], ordered: true });
      return { status: 202, body: { requestId, linkId: linkIdOf(label, displayPosition ?? 0) } };
    },
  }),

  route({
    method: "GET",
    path: "/links/:linkId",
    operationId: "getLink",
    summary: "Get one link with its metadata; a DELETED link is returned as long as its record is kept",
    scope: "links:read",
    params: LinkPath,
    answers: { 200: LinkRecord },
    problems: ["not-found"],
    handle: async ({ store, params: { linkId } }) => {
      const link = await readLink(store, linkId);
      if (link === undefined) throw new ProblemError("not-found", `The link "${linkId}" does not exist.`);
      return { status: 200, body: link };
    },
  }),

  route({
    method: "PATCH",
    path: "/links/:linkId",
    operationId: "patchLink",
    summary: "Change a link: its item, facings, status, design or metadata",
    scope: "links:write",
    params: LinkPath,
    body: LinkPatch,
    answers: { 202: Receipt },
    handle: async ({ store, params: { linkId }, body }) => {
      const patch = knownFields(LinkPatch, body);
      refuseFaults(faultsOfLink(tenantOf(store), patch));
      const rows = [rowOfLinkPatch(tenantOf(store), linkId, patch)];
      return {
        status: 202,
        body: { requestId: await acceptRows({ store, operation: "patch-links", rows, ordered: true }) },
      };
    },
  }),

  route({
    method: "DELETE",
    path: "/links/:linkId",
    operationId: "deleteLink",
    summary: "Delete a link",
    scope: "links:write",
    params: LinkPath,
    answers: { 202: Receipt },
    handle: async ({ store, params: { linkId } }) => {
      const itemId = itemOfStoreLink(linkId);
      const requestId = await acceptRows(
        itemId === undefined
          ? { store, operation: "unlink", rows: [partsOfLinkId(linkId) ?? { linkId }], ordered: true }
          : { store, operation: "store-links", rows: [{ itemIds: [itemId], operation: "UNLINK" }], ordered: true },
      );
      return { status: 202, body: { requestId } };
    },
  }),

  route({
    method: "GET",
    path: "/items/:itemId/links",
    operationId: "listLinksOfItem",
    summary: "List the links of an item that are not DELETED, and its store-level link",
    scope: "links:read",
    params: Type.Object({ itemId: ItemId }),
    answers: { 200: LinkRecords },
    problems: ["not-found"],
    handle: async ({ store, params: { itemId } }) => {
      const found = await linksOfItem(store, itemId);
      if (found === undefined) throw new ProblemError("not-found", `The item "${itemId}" does not exist.`);
      return { status: 200, body: found };
    },
  }),

  route({
    method: "GET",
    path: "/labels/:barcode/links",
    operationId: "listLinksOfLabel",
    summary: "List the links of a label that are not DELETED, by position",
    scope: "links:read",
    params: LabelPath,
    answers: { 200: LinkRecords },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode } }) => {
      if (!(await hasLabel(store, barcode))) throw await noLabel(store, barcode);
      return { status: 200, body: await linksOfLabel(store, barcode) };
    },
  }),
];

/** `barcode` and `eslId` are two names of one field, so both may be sent only with the same value. */
const faultsOfNames = ({ barcode, eslId }: LinkCreation): Fault[] =>
  barcode && eslId && barcode !== eslId
    ? [{ pointer: "/eslId", detail: `is "${eslId}", but barcode is "${barcode}"` }]
    : [];

function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0)
    throw new ProblemError("invalid-request", `The body has ${errors.length} fault${errors.length > 1 ? "s" : ""}.`, {
      errors,
    });
}
