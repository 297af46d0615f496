import type { ProcessName } from "../../../queues/topology.ts";
import type { Order } from "../served.ts";
import type { Drawn, DrawOrder } from "../truth/redraw.ts";
import type { ProcessEnvironment } from "./host.ts";

/**
 * What a test file requests: a whole stack, one process, or the Redis of its own stack; and for something opened, its
 * stale keys, its labels drawn again, or its end. A Redis ends at once if the request says how; otherwise another file
 * may use it.
 */
export type Request =
  | { open: "stack"; order: Order }
  | { open: "api"; environment: ProcessEnvironment; patienceMs?: number }
  | { open: ProcessName; environment: ProcessEnvironment; isOfFirst?: boolean }
  | { open: "redis" }
  | { audit: number }
  | { draw: readonly DrawOrder[]; of: number }
  | { close: number; how?: "kill" | "stop" };

/** A file's record of the resources opened for it. */
export interface Place {
  origin?: string;
  port?: number;
  redis?: { url: string; description: string; pid: number | undefined };
}

/** The opened resource (`id`) and its thread; the requested stale keys or drawn labels; or why a request failed. */
export type Answer = ({ id: number; stale?: string[]; drawn?: (Drawn | undefined)[] } & Place) | { error: string };
