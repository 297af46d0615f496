/**
 * Runs one call at a time: while it runs, only the newest of those that come is kept. So answers are never out of order,
 * and the newest call always follows.
 */
export function latest<Order>(run: (order: Order) => Promise<void>): (order: Order) => void {
  let waiting: { order: Order } | undefined;
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    while (waiting !== undefined) {
      const { order } = waiting;
      waiting = undefined;
      await run(order);
    }
    isBusy = false;
  }

  return (order) => {
    waiting = { order };
    if (!isBusy) void work();
  };
}
