/** Polling interval of a page that receives no changes. */
const POLL_INTERVAL_MS = 10_000;
/** Changes that arrive together are processed together. */
const GATHER_MS = 400;

/**
 * Calls `look` soon after labels changed, with the `{store}/{barcode}` of each as reported by the tail. Calls it with
 * undefined if any label may have changed: after the stream was interrupted or the page was hidden, and every
 * POLL_INTERVAL_MS if there is no stream. Calls do not overlap.
 */
export function onChanges(
  tail: string | undefined,
  look: (labels: ReadonlySet<string> | undefined) => Promise<void>,
): void {
  let labels = new Set<string>();
  let isAny = false;
  let isDue = false;
  const run = async () => {
    if (!document.hidden) {
      const changed = isAny ? undefined : labels;
      labels = new Set();
      isAny = false;
      await look(changed).catch(() => undefined);
    }
    isDue = false;
    if (!document.hidden && (isAny || labels.size > 0)) soon();
  };
  const soon = () => {
    if (!isDue) setTimeout(run, GATHER_MS);
    isDue = true;
  };
  const lookAtAny = () => {
    isAny = true;
    soon();
  };

  let source: EventSource | undefined;
  let polls: number | undefined;
  const poll = () => {
    window.clearInterval(polls);
    polls = window.setInterval(lookAtAny, POLL_INTERVAL_MS);
  };
  /** A hidden page has no stream, because a browser opens few connections to a server, and all of its pages share them. */
  const listen = () => {
    source?.close();
    window.clearInterval(polls);
    if (document.hidden) return;
    if (tail) source = follow(tail);
    else poll();
  };
  const follow = (address: string): EventSource => {
    let wasAway = false;
    const stream = new EventSource(address);
    stream.addEventListener("label", ({ data }) => {
      const { storeId, barcode } = JSON.parse(data) as { storeId: string; barcode: string };
      labels.add(`${storeId}/${barcode}`);
      soon();
    });
    stream.addEventListener("open", () => wasAway && lookAtAny());
    stream.addEventListener("error", () => {
      wasAway = true;
      lookAtAny();
      // The browser reconnects by itself, unless it was rejected.
      if (stream.readyState === EventSource.CLOSED) poll();
    });
    return stream;
  };
  document.addEventListener("visibilitychange", () => {
    listen();
    if (!document.hidden) lookAtAny();
  });
  listen();
}
