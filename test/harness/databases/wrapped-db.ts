import type { Db } from "mongodb";

/** A wrapper around a method of a collection: it may wait, call the method, change its result, or throw. */
export type Around = (collection: string, method: string, given: unknown[], call: () => Promise<unknown>) => unknown;

/** Returns a database whose collections' asynchronous methods go through `around`; cursors and commands pass unchanged. */
export function wrapped(db: Db, around: Around): Db {
  const collection = (name: string) =>
    new Proxy(db.collection(name), {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        if (method === "find") return value.bind(target);
        return (...given: unknown[]) =>
          around(name, String(method), given, async () => Reflect.apply(value, target, given));
      },
    });
  return new Proxy(db, {
    get(target, member) {
      if (member === "collection") return collection;
      const value = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
