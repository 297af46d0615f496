import type { Link, LinkStatus } from "../../schemas/link.ts";

/** The state of a link: its status and, if INACTIVE, the reason. NONE: the position never had a link. */
export type LinkState = "NONE" | "ACTIVE" | "SWITCHED_OFF" | "ITEM_GONE" | "DELETED";

/**
 * The events of a link. LINK: an item is linked at the position. SWITCH_OFF and SWITCH_ON: its status is patched. ITEM_GONE and
 * ITEM_BACK: its item does not exist, or exists again; the link worker applies one of these two after each change.
 */
export type LinkEvent = "LINK" | "UNLINK" | "SWITCH_OFF" | "SWITCH_ON" | "ITEM_GONE" | "ITEM_BACK";

/** All transitions of a link's state, which are also in the table of docs/integrators/links.md#links-as-records. */
export const transitions: Readonly<Record<LinkState, Readonly<Record<LinkEvent, LinkState>>>> = {
  NONE: {
    LINK: "ACTIVE",
    UNLINK: "NONE",
    SWITCH_OFF: "NONE",
    SWITCH_ON: "NONE",
    ITEM_GONE: "NONE",
    ITEM_BACK: "NONE",
  },
  ACTIVE: {
    LINK: "ACTIVE",
    UNLINK: "DELETED",
    SWITCH_OFF: "SWITCHED_OFF",
    SWITCH_ON: "ACTIVE",
    ITEM_GONE: "ITEM_GONE",
    ITEM_BACK: "ACTIVE",
  },
  // A link that a caller switched off stays off when its item returns.
  SWITCHED_OFF: {
    LINK: "ACTIVE",
    UNLINK: "DELETED",
    SWITCH_OFF: "SWITCHED_OFF",
    SWITCH_ON: "ACTIVE",
    ITEM_GONE: "SWITCHED_OFF",
    ITEM_BACK: "SWITCHED_OFF",
  },
  ITEM_GONE: {
    LINK: "ACTIVE",
    UNLINK: "DELETED",
    SWITCH_OFF: "SWITCHED_OFF",
    SWITCH_ON: "ITEM_GONE",
    ITEM_GONE: "ITEM_GONE",
    ITEM_BACK: "ACTIVE",
  },
  // A tombstone: only a new link makes the position ACTIVE again.
  DELETED: {
    LINK: "ACTIVE",
    UNLINK: "DELETED",
    SWITCH_OFF: "DELETED",
    SWITCH_ON: "DELETED",
    ITEM_GONE: "DELETED",
    ITEM_BACK: "DELETED",
  },
};

const statuses: Readonly<Record<Exclude<LinkState, "NONE">, LinkStatus>> = {
  ACTIVE: "ACTIVE",
  SWITCHED_OFF: "INACTIVE",
  ITEM_GONE: "INACTIVE",
  DELETED: "DELETED",
};

type StatusFields = Pick<Link, "status" | "switchedOff">;

/** Returns the state of a link's record. */
export function stateOf(link: StatusFields | undefined): LinkState {
  if (link === undefined) return "NONE";
  if (link.status !== "INACTIVE") return link.status;
  return link.switchedOff ? "SWITCHED_OFF" : "ITEM_GONE";
}

/** Returns a link after an event; the same object if nothing changes. */
export function afterEvent<L extends StatusFields>(link: L, event: LinkEvent): L {
  const before = stateOf(link);
  const after = transitions[before][event];
  if (after === before || after === "NONE") return link;
  const { switchedOff: _, ...rest } = link;
  return { ...rest, status: statuses[after], ...(after === "SWITCHED_OFF" && { switchedOff: true }) } as L;
}

/** Returns a link after a check of whether its item exists. */
export const afterItemCheck = <L extends StatusFields>(link: L, itemExists: boolean): L =>
  afterEvent(link, itemExists ? "ITEM_BACK" : "ITEM_GONE");
