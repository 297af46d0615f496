/**
 * Runs one call at a time: while it runs, only the newest of those that come is kept. So answers are never out of order,
 * and the newest call always follows. One that throws does not keep later ones from running.
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
