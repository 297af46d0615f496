import { call, wait } from "../call.ts";
import type { Entry, KeptLink, Outcome } from "./outbox.ts";
import { outcomeOf } from "./outcome.ts";

/** A call that takes longer counts as lost, and is repeated under its key. */
const CALL_TIMEOUT_MS = 15_000;
const RESULT_POLL_MS = 400;
const RESULT_POLLS = 50;

/**
 * Makes a call that tolerates a missing network. Returns undefined without a network or if the response is incomplete.
 * A call that takes too long is aborted, since hanging calls would occupy the few connections that a browser opens.
 */
export async function tryCall(
  method: string,
  address: string,
  body?: unknown,
  key?: string,
): Promise<Response | undefined> {
  try {
    const answer = await call(method, address, body, key, AbortSignal.timeout(CALL_TIMEOUT_MS));
    await answer.clone().arrayBuffer();
    return answer;
  } catch {
    return undefined;
  }
}

/** Makes an entry's calls to the public interface, each with a key derived from the entry. */
export async function perform(base: string, entry: Entry, keep: (entry: Entry) => void): Promise<Outcome> {
  const { act, id } = entry;
  const label = `${base}/labels/${encodeURIComponent(act.label)}`;
  if (act.do === "replace") return replace(base, label, { ...entry, act }, keep);
  const answer =
    act.do === "unlink"
      ? await tryCall("DELETE", `${label}/links`, undefined, id)
      : await tryCall(
          "POST",
          `${base}/labels/link-single?timeout=0`,
          { barcode: act.label, linkedItemId: act.product, displayPosition: act.position ?? 0 },
          id,
        );
  return outcomeOf(answer?.status, await problemOf(answer));
}

/** Moves a label's links to another label; the old label is unlinked only once the new one has them. */
async function replace(
  base: string,
  label: string,
  entry: Entry & { act: { do: "replace"; by: string } },
  keep: (entry: Entry) => void,
): Promise<Outcome> {
  const { id, act } = entry;
  if (entry.taken === undefined) {
    const answer = await tryCall("GET", label);
    if (answer?.status === 404) return { is: "failed", reason: "unknownLabel" };
    if (!answer?.ok) return outcomeOf(answer?.status, await problemOf(answer));
    entry.taken = takenOf((await answer.json()) as LabelAnswer);
    if (entry.taken.links.length === 0) return { is: "failed", reason: "nothingLinked" };
    keep(entry);
  }
  if (entry.requestId === undefined) {
    const { links, places } = entry.taken;
    const answer = await tryCall("PATCH", `${base}/labels`, [{ barcode: act.by, ...places, links }], `${id}-new`);
    if (!answer?.ok) return outcomeOf(answer?.status, await problemOf(answer));
    entry.requestId = ((await answer.json()) as { requestId: number }).requestId;
    keep(entry);
  }
  const made = await resultOf(`${base}/labels-result/${entry.requestId}`);
  if (typeof made !== "string") return made;
  if (made !== "SUCCESS") return { is: "failed", reason: "replace" };
  const answer = await tryCall("DELETE", `${label}/links`, undefined, `${id}-old`);
  return outcomeOf(answer?.status, await problemOf(answer));
}

interface LabelAnswer {
  links: KeptLink[];
  plLocation: string | null;
  linkDepartment: string | null;
  homeTrx: string | null;
}

/** The values that the new label inherits, since it will hang in the old one's place. */
function takenOf({ links, plLocation, linkDepartment, homeTrx }: LabelAnswer): NonNullable<Entry["taken"]> {
  const places = Object.entries({ plLocation, linkDepartment, homeTrx }).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  return {
    links: links.map(({ itemId, linkedItemId, displayPosition, facings }) => ({
      itemId,
      linkedItemId,
      displayPosition,
      facings,
    })),
    places: Object.fromEntries(places),
  };
}

/** Returns the outcome of a request or, if it is unknown, what that means for its change. */
async function resultOf(address: string): Promise<string | Outcome> {
  for (let poll = 0; poll < RESULT_POLLS; poll += 1) {
    const answer = await tryCall("GET", address);
    if (!answer?.ok) {
      const outcome = outcomeOf(answer?.status, await problemOf(answer));
      return outcome.is === "failed" ? { is: "failed", reason: "other" } : outcome;
    }
    const { status, overallStatus } = (await answer.json()) as { status: string; overallStatus: string };
    if (status === "COMPLETED") return overallStatus;
    await wait(RESULT_POLL_MS);
  }
  return { is: "again" };
}

/** Returns the name of the problem in a response. */
async function problemOf(answer: Response | undefined): Promise<string | undefined> {
  if (answer === undefined || answer.ok) return undefined;
  const { type = "" } = (await answer.json().catch(() => ({}))) as { type?: string };
  return type.split("/").at(-1);
}
