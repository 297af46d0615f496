import { setTimeout } from "node:timers/promises";
import test from "ava";
import type { BulkWriteResult } from "mongodb";
import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  type TopologyDescription,
} from "mongodb";
import { isUnavailable, UnavailableError, within } from "../../../records/mongodb/unavailable.ts";
import { partOf } from "../../harness/part-of.ts";

const named = (name: string): Error => Object.defineProperty(new MongoError("away"), "name", { value: name });
/** Like the driver's own error, which it does not export: a network error under another name. */
class Interrupted extends MongoNetworkError {
  override get name(): string {
    return "PoolClearedOnNetworkError";
  }
}
const labelled = (label: string): Error => {
  const error = new MongoServerError({ message: "away", code: 1 });
  error.addErrorLabel(label);
  return error;
};
const broken = (code: string): Error => Object.assign(new Error("away"), { code });

const confirmed = partOf<BulkWriteResult>({ getWriteConcernError: () => undefined });

const away: [what: string, error: () => unknown][] = [
  ["no response in time", () => new UnavailableError("no response within 5 ms")],
  ["a broken connection", () => new MongoNetworkError("away")],
  ["a silent connection", () => new MongoNetworkTimeoutError("away")],
  ["no selectable server", () => new MongoServerSelectionError("away", {} as TopologyDescription)],
  ["a connection that is not open yet", () => new MongoNotConnectedError("away")],
  ["a connection that was closed in the meantime", () => new MongoTopologyClosedError("away")],
  ["an ended session", () => new MongoExpiredSessionError("away")],
  ["a connection that was closed because the server's monitor received no response", () => new Interrupted("away")],
  ...[
    "MongoWaitQueueTimeoutError",
    "MongoServerClosedError",
    "MongoClientClosedError",
    "MongoPoolClosedError",
    "MongoStalePrimaryError",
    "MongoWriteConcernError",
  ].map((name): [string, () => unknown] => [name, () => named(name)]),
  ...["EPIPE", "ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].map(
    (code): [string, () => unknown] => [code, () => broken(code)],
  ),
  ...[MongoErrorLabel.RetryableWriteError, "RetryableError"].map((label): [string, () => unknown] => [
    `the label ${label}`,
    () => labelled(label),
  ]),
  ["a failover code", () => new MongoServerError({ message: "away", code: 10_107 })],
  ["a full disk", () => new MongoServerError({ message: "available is less than required", code: 14_031 })],
  ["an exhausted plan", () => new MongoServerError({ message: "you are over your space quota", code: 8_000 })],
  ["an error caused by a broken connection", () => new MongoError("failed", { cause: new MongoNetworkError("away") })],
  [
    "a batch that failed as a whole because of a broken connection",
    () => new MongoBulkWriteError(new MongoNetworkError("away"), confirmed),
  ],
];
for (const [what, error] of away)
  test(`the database is temporarily unavailable: ${what}`, (t) => t.true(isUnavailable(error())));

const refused: [what: string, error: unknown][] = [
  ["a duplicate key", new MongoServerError({ message: "E11000", code: 11_000 })],
  ["an operation that its plan forbids", new MongoServerError({ message: "unsupported", code: 8_000 })],
  ["a batch with a duplicate key", new MongoBulkWriteError({ message: "E11000", code: 11_000 }, confirmed)],
  ["another error of the driver", new MongoError("failed")],
  ["an error with its own code", broken("EACCES")],
  ["an error that quotes a name", new Error("MongoNetworkError ECONNRESET")],
  ["a string instead of an error", "ECONNRESET"],
  ["a code without an error", { code: "ECONNRESET" }],
  ["undefined", undefined],
];
for (const [what, error] of refused)
  test(`the database refused an operation or received none: ${what}`, (t) => t.false(isUnavailable(error)));

test("a result or an error in time is returned, and anything slower is refused", async (t) => {
  t.is(await within(60_000, Promise.resolve(7)), 7);
  const failed = new Error("failed");
  t.is(await t.throwsAsync(within(60_000, Promise.reject(failed))), failed);
  const never = new Promise<never>(() => {});
  const error = await t.throwsAsync(within(5, never), { name: "UnavailableError" });
  t.is(error?.message, "no response within 5 ms");
});

test("a response that arrived while the process was busy is in time", async (t) => {
  const answer = Promise.withResolvers<string>();
  const asked = within(20, answer.promise);
  // The response is read in the event loop turn in which the time expires, after the timers.
  const turn = setTimeout(20).then(() => answer.resolve("read"));
  const until = performance.now() + 60;
  while (performance.now() < until);
  await turn;
  t.is(await asked, "read");
});
