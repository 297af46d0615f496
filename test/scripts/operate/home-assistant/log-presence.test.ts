import { EventEmitter } from "node:events";
import test from "ava";
import { logPresence } from "../../../../scripts/operate/home-assistant/log-presence.ts";

/** Returns the lines logged after these broker events: errors with a code, or an event by its name. */
function loggedAfter(
  events: readonly ("connect" | "close" | { code?: string; message: string })[],
  disconnecting = false,
) {
  const broker = Object.assign(new EventEmitter(), { disconnecting });
  const logged: string[] = [];
  logPresence(
    broker as never,
    {
      warn: ({ reason }: { reason: string }) => void logged.push(`away: ${reason}`),
      info: () => void logged.push("back"),
    } as never,
  );
  for (const event of events) {
    if (typeof event === "string") broker.emit(event);
    else {
      broker.emit("error", Object.assign(new Error(event.message), event));
      broker.emit("close");
    }
  }
  return logged;
}

const refused = { code: "ECONNREFUSED", message: "connect ECONNREFUSED" };
const several = { code: "ECONNREFUSED", message: "" };

test("an unreachable broker is logged once, and its return is logged once", (t) => {
  const attempts = Array.from({ length: 60 }, () => refused);
  t.deepEqual(loggedAfter(["connect", ...attempts, "connect", ...attempts]), [
    "away: connect ECONNREFUSED",
    "back",
    "away: connect ECONNREFUSED",
  ]);
});

test("a new reason is logged too, so that a wrong password is visible after a restart of the broker", (t) => {
  const denied = { code: "5", message: "Connection refused: Not authorized" };
  t.deepEqual(loggedAfter([several, denied, refused, denied, "connect", "close", "close"]), [
    "away: ECONNREFUSED",
    "away: Connection refused: Not authorized",
    "back",
    "away: the broker closed the connection",
  ]);
});

test("closing a connection on purpose is not an outage", (t) => {
  t.deepEqual(loggedAfter(["connect", "close"], true), []);
});
