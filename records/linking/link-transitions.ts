import type { Link, LinkStatus } from "../../schemas/link.ts";

/** What a link is: its status, and of an INACTIVE one why. NONE: there was never a link at the position. */
export type LinkState = "NONE" | "ACTIVE" | "SWITCHED_OFF" | "ITEM_GONE" | "DELETED";

/**
 * What happens to a link. LINK: an item is put at the position. SWITCH_OFF and SWITCH_ON: its status is patched.
 * ITEM_GONE and ITEM_BACK: its item was deleted or is there (again); the link worker sees to these at each change.
 */
export type LinkEvent = "LINK" | "UNLINK" | "SWITCH_OFF" | "SWITCH_ON" | "ITEM_GONE" | "ITEM_BACK";

/** Every transition of a link (decisions, Labels and links). docs/integrators.md shows the same table. */
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
  // An item that comes back must not show what somebody has switched off.
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
  // A tombstone: only a later link brings the position back.
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

/** The state that a link's record tells. */
export function stateOf(link: StatusFields | undefined): LinkState {
  if (link === undefined) return "NONE";
  if (link.status !== "INACTIVE") return link.status;
  return link.switchedOff ? "SWITCHED_OFF" : "ITEM_GONE";
}

/** A link after something happened to it. The very link where nothing changes. */
export function afterEvent<L extends StatusFields>(link: L, event: LinkEvent): L {
  const before = stateOf(link);
  const after = transitions[before][event];
  if (after === before || after === "NONE") return link;
  const { switchedOff: _, ...rest } = link;
  return { ...rest, status: statuses[after], ...(after === "SWITCHED_OFF" && { switchedOff: true }) } as L;
}

/** A link whose item is there, or is not. */
export const afterItemCheck = <L extends StatusFields>(link: L, itemExists: boolean): L =>
  afterEvent(link, itemExists ? "ITEM_BACK" : "ITEM_GONE");
