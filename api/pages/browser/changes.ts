/** How often a page looks again where it is not told of changes. */
const POLL_INTERVAL_MS = 10_000;
/** Changes that come together are looked at together. */
const GATHER_MS = 400;

/**
 * Calls `look` with the keys of changed records soon after they changed, as the tail tells it; without a tail every
 * POLL_INTERVAL_MS with none. A page out of sight waits until it is seen again.
 */
export function onChanges(tail: string | undefined, look: (keys: ReadonlySet<string>) => void): void {
  let keys = new Set<string>();
  let isDue = false;
  const run = () => {
    isDue = false;
    if (document.hidden) return;
    const seen = keys;
    keys = new Set();
    look(seen);
  };
  const soon = () => {
    if (!isDue) setTimeout(run, GATHER_MS);
    isDue = true;
  };
  document.addEventListener("visibilitychange", soon);
  if (!tail) {
    setInterval(soon, POLL_INTERVAL_MS);
    return;
  }
  // The browser opens it again by itself and says after which event.
  const source = new EventSource(tail);
  const topic = tail.split("/").at(-2) ?? "";
  source.addEventListener(topic, ({ data }) => {
    const { data: { key } = { key: "" } } = JSON.parse(data) as { data?: { key: string } };
    keys.add(key);
    soon();
  });
  source.addEventListener("error", soon);
}
