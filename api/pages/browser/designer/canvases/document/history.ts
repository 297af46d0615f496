/** The states of a document, one of which is current. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** The name of the last change; further changes with this name belong to the same step. */
  last?: string | undefined;
}

const MAX_STEPS = 200;

export const begin = <State>(present: State): History<State> => ({ past: [], present, future: [] });

/** Records a change. Successive changes with the same name, such as typed letters, are one step. */
export function record<State>(history: History<State>, next: State, name?: string): History<State> {
  if (next === history.present) return history;
  const isSameStep = name !== undefined && name === history.last && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present: next, future: [], last: name };
}

export function undo<State>({ past, present, future }: History<State>): History<State> {
  const former = past.at(-1);
  if (former === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: former, future: [present, ...future] };
}

export function redo<State>({ past, present, future }: History<State>): History<State> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future };
  return { past: [...past, present], present: next, future: rest };
}
