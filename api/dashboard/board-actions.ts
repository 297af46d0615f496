/** The target of a board's request: the action, the queue, and the job if there is one. */
export interface BoardAction {
  action: string;
  queue?: string;
  job?: string;
}

/**
 * The paths of the dashboard's actions, below the board's `/api/queues`: first the actions on queues, then those on jobs.
 * Everything else that bull-board supports is rejected: emptying or removing whole queues, and creating or changing jobs by
 * hand, since no request backs their data.
 */
const actions: readonly [RegExp, (status: string) => string][] = [
  [/^\/(?<verb>pause|resume)$/, (verb) => `${verb} every queue`],
  [/^\/(?<queue>[^/]+)\/(?<verb>pause|resume)$/, (verb) => `${verb} the queue`],
  [/^\/(?<queue>[^/]+)\/promote$/, () => "promote all delayed jobs"],
  [/^\/(?<queue>[^/]+)\/retry\/(?<verb>failed|completed)$/, (verb) => `retry all ${verb} jobs`],
  [/^\/(?<queue>[^/]+)\/clean\/(?<verb>[a-z]+)$/, (verb) => `clean all ${verb} jobs`],
  [/^\/(?<queue>[^/]+)\/(?<job>[^/]+)\/(?<verb>retry|promote|clean)$/, (verb) => `${verb} the job`],
];

/**
 * Returns the action that a PUT to `path`, relative to the dashboard, requests; undefined if the dashboard does not offer
 * it.
 */
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
