import type { ExecutionContext } from "ava";
import { createRandom } from "../../../scripts/access-point/random.ts";
import { isThorough, sayTried } from "./effort.ts";
import { type Access, type Actor, begin, type Gate } from "./turns.ts";

interface Scenario {
  prepare(): Promise<void>;
  works: readonly ((gate: Gate) => Promise<void>)[];
  check(order: readonly number[]): Promise<void>;
}

/** The orders that a run without `--thorough` tries. */
interface OrderSample {
  size: number;
  seed?: number;
  /** Orders that failed once, such as "0110", as a failure reports them. */
  always?: readonly string[];
}

const SAMPLE: OrderSample = { size: 8 };

/** The next step of an actor. */
interface Step {
  actor: number;
  does: readonly Access[];
}

/** A step that was taken, and the actors that could have stepped in its place. */
interface Taken extends Step {
  choices: readonly number[];
}

/**
 * Interleaves the functions in `works` in every order of their steps that can make a difference. Each order is prepared, played
 * to its end and checked, one after the other. If two orders differ only in adjacent steps that could be swapped, only one of
 * them is played. With `--thorough` all orders are tried; otherwise a sample, which starts with the orders in which one function
 * ends before the others start. Reports how many orders were tried, and returns their number.
 */
export async function inOrders(
  t: Pick<ExecutionContext, "log">,
  { prepare, works, check }: Scenario,
  { size, seed = 1, always = [] } = SAMPLE,
): Promise<number> {
  const orders: string[] = [];
  /** Beginnings of orders that have not been played yet. */
  const untried = new Set<string>();
  const tryOrder = async (beginning: string) => {
    await prepare();
    const actors: Actor[] = [];
    for (const work of works) actors.push(await begin(work));
    const taken = await play(actors, [...beginning].map(Number));
    const order = taken.map(({ actor }) => actor);
    await check(order);
    orders.push(order.join(""));
    for (const [index, { choices }] of taken.entries())
      for (const other of choices) untried.add(`${order.slice(0, index).join("")}${other}`);
    for (const one of untried) if (isTried(one)) untried.delete(one);
  };
  const isTried = (beginning: string) => orders.some((order) => order.startsWith(beginning));

  for (const beginning of [...works.keys(), ...always].map(String)) if (!isTried(beginning)) await tryOrder(beginning);
  const random = createRandom(seed);
  while (untried.size > 0 && (isThorough || orders.length < size))
    await tryOrder([...untried][Math.floor(random() * untried.size)] ?? "");
  sayTried(t, orders.length, orders.length + untried.size, untried.size > 0 ? "orders or more" : "orders");
  return orders.length;
}

/** Lets the actors proceed in the given order first, and then each as far as it can. */
async function play(actors: readonly Actor[], beginning: readonly number[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (;;) {
    const next = actors.flatMap((one, actor): Step[] => (one.isOver() ? [] : [{ actor, does: one.next() }]));
    const last = taken.at(-1);
    const choices = choicesOf(next, last);
    const wanted = beginning[taken.length] ?? last?.actor;
    const step = choices.find(({ actor }) => actor === wanted) ?? choices[0];
    if (step === undefined) return taken;
    taken.push({ ...step, choices: choices.map(({ actor }) => actor) });
    await actors[step.actor]?.step();
  }
}

/** Returns the possible next steps that lead to an order not played elsewhere; if there are none, the first possible step. */
function choicesOf(next: readonly Step[], last: Step | undefined): readonly Step[] {
  const worthwhile = next.filter((one) => !isRepetition(one, last));
  return worthwhile.length > 0 ? worthwhile : next.slice(0, 1);
}

/** Returns whether an earlier actor's step could equally have come before the last step; that order is played elsewhere. */
function isRepetition({ actor, does }: Step, last: Step | undefined): boolean {
  if (last === undefined || last.actor <= actor) return false;
  return !does.some((one) => last.does.some((other) => one.kind === other.kind && (one.writes || other.writes)));
}
