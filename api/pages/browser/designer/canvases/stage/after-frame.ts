/** Maximum wait for a page that is not visible and therefore draws no frames. */
const MAX_WAIT_MS = 100;

/** Runs something once everything drawn is visible, so that it does not delay pixels. */
export function afterFrame(run: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) run();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, MAX_WAIT_MS);
}
