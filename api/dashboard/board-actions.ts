/** What a board's request changes: the action, and the queue and the job if it is of one. */
export interface BoardAction {
  action: string;
  queue?: string;
  job?: string;
}

/**
 * The paths of the actions that the dashboard offers, below the board's `/api/queues`; those of a queue come before those
 * of a job. Everything else that bull-board could do is refused: whole queues emptied or removed, jobs made or changed by
 * hand, whose data no request vouches for.
 */
const actions: readonly [RegExp, (status: string) => string][] = [
  [/^\/(?<verb>pause|resume)$/, (verb) => `${verb} every queue`],
  [/^\/(?<queue>[^/]+)\/(?<verb>pause|resume)$/, (verb) => `${verb} the queue`],
  [/^\/(?<queue>[^/]+)\/promote$/, () => "promote all delayed jobs"],
  [/^\/(?<queue>[^/]+)\/retry\/(?<verb>failed|completed)$/, (verb) => `retry all ${verb} jobs`],
  [/^\/(?<queue>[^/]+)\/clean\/(?<verb>[a-z]+)$/, (verb) => `clean all ${verb} jobs`],
  [/^\/(?<queue>[^/]+)\/(?<job>[^/]+)\/(?<verb>retry|promote|clean)$/, (verb) => `${verb} the job`],
];

/** The action that a PUT to `path`, as it is below the dashboard's own, asks for; undefined if it offers none there. */
export function boardAction(method: string, path: string): BoardAction | undefined {
  const below = /^\/api\/queues(\/.*)$/.exec(path)?.[1];
  if (method !== "PUT" || below === undefined) return undefined;
  for (const [pattern, describe] of actions) {
    const { groups } = pattern.exec(below) ?? {};
    if (groups === undefined) continue;
    const { verb = "", queue, job } = groups;
    return {
      action: describe(verb),
      ...(queue !== undefined && { queue: decodeURIComponent(queue) }),
      ...(job !== undefined && { job: decodeURIComponent(job) }),
    };
  }
  return undefined;
}
