import type { Redis } from "ioredis";

type Command = [name: string, key: string, ...rest: (string | number)[]];

/**
 * Returns a Redis whose keys do not expire, since a test may take longer than they last, and the time limits that it left out, by
 * key: the arguments after the value of `SET`, and the milliseconds of `PEXPIRE` in a pipeline.
 */
export function lastingRedis(redis: Redis) {
  const limits = new Map<string, unknown>();
  const set = (key: string, value: string | number, ...limit: unknown[]) => {
    limits.set(key, limit);
    return redis.set(key, value);
  };
  const pipeline = (commands: Command[]) =>
    redis.pipeline(
      commands.filter(([name, key, limit]) => {
        if (name === "pexpire") limits.set(key, limit);
        return name !== "pexpire";
      }),
    );
  const own: Partial<Record<string | symbol, unknown>> = { set, pipeline };
  return { redis: new Proxy(redis, { get: (target, name) => own[name] ?? Reflect.get(target, name) }), limits };
}
