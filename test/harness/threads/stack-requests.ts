import type { ProcessName } from "../../../queues/topology.ts";
import type { Order } from "../served.ts";
import type { Drawn, DrawOrder } from "../truth/redraw.ts";
import type { ProcessEnvironment } from "./host.ts";

/**
 * A test file's request: to open a whole stack, one process or its stack's own Redis; to list the stale keys of an opened stack
 * or draw its labels again; or to close it. With `how`, a Redis is ended immediately; without it, another file may use the Redis.
 */
export type Request =
  | { open: "stack"; order: Order }
  | { open: "api"; environment: ProcessEnvironment; patienceMs?: number }
  | { open: ProcessName; environment: ProcessEnvironment; isOfFirst?: boolean }
  | { open: "redis" }
  | { audit: number }
  | { draw: readonly DrawOrder[]; of: number }
  | { close: number; how?: "kill" | "stop" };

/** The record of the resources opened for a file. */
export interface Place {
  origin?: string;
  port?: number;
  redis?: { url: string; description: string; pid: number | undefined };
}

/** The opened resource (`id`) and its thread; the requested stale keys or drawn labels; or why a request failed. */
export type Answer = ({ id: number; stale?: string[]; drawn?: (Drawn | undefined)[] } & Place) | { error: string };
