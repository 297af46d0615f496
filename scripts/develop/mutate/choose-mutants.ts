import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Returns the requested number of items, chosen by the seed, in their original order. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = xoroshiro128plus(seed);
  const left = items.map((_, index) => index);
  const drawn = new Set<number>();
  while (drawn.size < count && left.length > 0) {
    const [index = 0] = left.splice(uniformInt(random, 0, left.length - 1), 1);
    drawn.add(index);
  }
  return items.filter((_, index) => drawn.has(index));
}

/** A file or a folder, such as `records/client.ts` or `queues`. For the mutants of one line, `records/client.ts:42`. */
export interface Place {
  path: string;
  line?: number;
}

export function placeOf(text: string): Place {
  const [, path = "", line] = /^(.*?)\/?(?::(\d+))?$/.exec(text) ?? [];
  return line === undefined ? { path } : { path, line: Number(line) };
}

export const isIn = ({ path, line }: Place, file: string, at?: number): boolean =>
  (file === path || file.startsWith(`${path}/`)) && (line === undefined || at === undefined || line === at);
