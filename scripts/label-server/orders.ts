import type { EmulatedLabel, Flash, Order } from "./emulated-label.ts";

/** Carries out an order immediately. */
export function carryOut(label: EmulatedLabel, { kind, priority, body }: Order, at: number): void {
  const { duration = 0, color = "", flashType = 0, action, page = "" } = body;
  const until = at + duration * 1000;
  if (kind === "flash") label.flash = { duration, color, flashType, priority, until };
  else if (kind === "fingerprint") label.fingerprints += 1;
  else label.temporaryPage = action === "restore-page" ? null : { page, until };
}

/** Returns the flash that a label shows at a given time; null if there is none. */
export function flashAt({ flash }: EmulatedLabel, at: number): Flash | null {
  if (flash === null || flash.until <= at) return null;
  const { duration, color, flashType, priority } = flash;
  return { duration, color, flashType, priority };
}

/** Returns the first page of a label, unless it temporarily shows another one. */
export const pageAt = ({ temporaryPage }: EmulatedLabel, at: number): string =>
  temporaryPage !== null && temporaryPage.until > at ? temporaryPage.page : "0";
