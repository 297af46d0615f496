import { enableFetched } from "./call.ts";
import { onChanges } from "./follow-changes.ts";

/** Polling loads the server, so the next poll waits at least this long, and longer after a slow poll, up to a maximum. */
const MIN_PAUSE_MS = 1_000;
const PAUSE_PER_LOOK = 10;
const MAX_PAUSE_MS = 30_000;
/** Minimum time between two requests for the comparison of all labels; a poll that is too early schedules a later one. */
const CHECKS_PAUSE_MS = 5_000;
/** Polling interval for what the tail does not report, such as a label server that does not respond. */
const LOOK_INTERVAL_MS = 30_000;

const root = document.querySelector<HTMLElement>("[data-tail]");
let isLooking = false;
let isWanted = false;
let checkedAt = Number.NEGATIVE_INFINITY;
let checksDue: number | undefined;

/** Fetches the page again and replaces its live parts that have changed. */
export async function look(): Promise<void> {
  if (isLooking) {
    isWanted = true;
    return;
  }
  isLooking = true;
  const begun = performance.now();
  try {
    const address = new URL(location.href);
    const hasChecks = document.querySelector(".checks") !== null;
    const rest = checkedAt + CHECKS_PAUSE_MS - begun;
    if (hasChecks && rest <= 0) {
      address.searchParams.set("checks", "1");
      checkedAt = begun;
    } else if (hasChecks) {
      address.searchParams.delete("checks");
      window.clearTimeout(checksDue);
      checksDue = window.setTimeout(() => void look(), rest);
    }
    const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (answer?.status === 401) return location.reload();
    if (answer?.ok) replaceParts(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } finally {
    const wanted = (performance.now() - begun) * PAUSE_PER_LOOK;
    const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, wanted));
    await new Promise((done) => setTimeout(done, pause));
    isLooking = false;
    if (isWanted) {
      isWanted = false;
      void look();
    }
  }
}

/**
 * Replaces parts by their ids. A part with the focus or an open dialog is not replaced yet, and neither are checks that
 * were not requested.
 */
function replaceParts(fetched: Document): void {
  enableFetched(fetched);
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const fresh = fetched.getElementById(part.id);
    if (fresh === null) continue;
    const checks = part.querySelector(".checks");
    if (checks !== null && fresh.querySelector("[data-later]") !== null)
      fresh.querySelector(".checks")?.replaceWith(checks.cloneNode(true));
    if (part.outerHTML === fresh.outerHTML || part.contains(document.activeElement)) continue;
    part.replaceWith(document.importNode(fresh, true));
  }
}

if (root !== null) {
  const { tail } = root.dataset;
  // A page about certain labels, possibly none, reacts only to changes to these.
  const own = root.dataset.labels?.split(" ");
  onChanges(tail, async (labels) => {
    if (labels === undefined || (own?.some((label) => labels.has(label)) ?? true)) await look();
  });
  if (tail) setInterval(() => document.hidden || void look(), LOOK_INTERVAL_MS);
  if (document.querySelector("[data-later]") !== null) void look();
}
