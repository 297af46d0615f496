/**
 * Runs one call at a time: during a call, only the newest of the calls that arrive is kept. Responses are thus never out of
 * order, and the newest call always runs. A call that throws does not prevent later ones from running.
 */
export function latest<Order>(run: (order: Order) => Promise<void>): (order: Order) => void {
  let waiting: { order: Order } | undefined;
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    try {
      while (waiting !== undefined) {
        const { order } = waiting;
        waiting = undefined;
        await run(order);
      }
    } finally {
      isBusy = false;
    }
  }

  return (order) => {
    waiting = { order };
    if (!isBusy) void work();
  };
}
