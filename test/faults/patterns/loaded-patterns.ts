import type { RoutesWorld } from "../../../api/routes.ts";
import { type ProductPattern, sourcesOfProduct } from "./written-patterns.ts";

const root = new URL("../../../", import.meta.url);
/**
 * Whether a file is loaded here. Browser scripts, everything in `scripts/`, and the entry points of threads and processes are
 * left out, since loading them would run them. They create no patterns except those that the test lists.
 */
const isLoaded = (path: string): boolean => !/\/browser\/|^scripts\/|-(?:thread|program)\.ts$/.test(path);

/**
 * Loads the product and returns the regular expressions that it creates from strings while it loads, and the patterns of its
 * schemas. It replaces the global constructor first, so call it before any of the product's modules is loaded.
 */
export async function loadedPatterns(): Promise<ProductPattern[]> {
  const patterns: ProductPattern[] = [];
  const restore = watchConstructor(patterns);
  const found = new Map<string, string>();
  for (const path of sourcesOfProduct().filter(isLoaded)) collect(await import(new URL(path, root).href), path, found);
  const { createRoutes } = await import("../../../api/routes.ts");
  collect(createRoutes({ linkSingle: {}, management: {} } as RoutesWorld), "api/routes.ts", found);
  restore();
  return [...patterns, ...[...found].map(([source, at]) => ({ source, flags: "u", at }))];
}

/** Records the patterns that the product's own lines create; the libraries' patterns are left out. */
function watchConstructor(patterns: ProductPattern[]): () => void {
  const native = globalThis.RegExp;
  const note = (made: RegExp): RegExp => {
    const caller = new Error().stack?.split("\n")[3] ?? "";
    const [, at] = native(`${native.escape(root.href)}(?!node_modules/)(.+:\\d+):\\d+`).exec(caller) ?? [];
    if (at !== undefined) patterns.push({ source: made.source, flags: made.flags, at });
    return made;
  };
  const watched: RegExpConstructor = new Proxy(native, {
    construct: (target, args, made) => note(Reflect.construct(target, args, made === watched ? target : made)),
    apply: (target, self, args) => note(Reflect.apply(target, self, args)),
  });
  globalThis.RegExp = watched;
  return () => {
    globalThis.RegExp = native;
  };
}

/** Collects the patterns of the schemas in a value, each with the first place that has it. */
function collect(value: unknown, at: string, found: Map<string, string>, seen = collected): void {
  if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) return;
  seen.add(value);
  for (const [name, property] of Object.entries(value)) {
    if (name === "pattern" && typeof property === "string" && !found.has(property)) found.set(property, at);
    collect(property, at, found, seen);
  }
}
const collected = new WeakSet<object>();
