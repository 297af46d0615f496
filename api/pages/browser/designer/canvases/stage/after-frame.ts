/** How long a page that is not in sight, and draws no frames, is waited for. */
const MAX_WAIT_MS = 100;

/** Runs something once what has been drawn is in sight, so that pixels do not wait for it. */
export function afterFrame(run: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) run();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, MAX_WAIT_MS);
}
