import test from "ava";
import { ReplyError } from "ioredis";
import { MongoServerError } from "mongodb";
import { databaseFault } from "../../../../queues/reach-databases.ts";
import { UnavailableError } from "../../../../records/mongodb/unavailable.ts";
import { explainError } from "../../../../scripts/operate/admin/explain-error.ts";

const addresses = { MONGODB_URL: "mongodb://me:hush@m1,m2/shop", REDIS_URL: "redis://r:6379" };
const system = { databaseFault: (error: unknown) => databaseFault(error, addresses) };
const QUOTA = "you are over your space quota, using 512 MB of 512 MB";

for (const [title, error, said] of [
  [
    "a full Redis",
    new ReplyError("OOM command not allowed when used memory > 'maxmemory'."),
    "REDIS_URL: Redis at r:6379 is full: OOM command not allowed when used memory > 'maxmemory'. " +
      "Give it more memory: redis-cli CONFIG SET maxmemory, or a larger plan",
  ],
  [
    "a MongoDB that exceeds its plan's space",
    new MongoServerError({ message: QUOTA, code: 8000 }),
    `MONGODB_URL: MongoDB at m1,m2 is full: ${QUOTA}. Give it more storage, or use a larger plan`,
  ],
  [
    "a MongoDB with a full disk",
    new MongoServerError({ message: "available is less than required", code: 14_031 }),
    "MONGODB_URL: MongoDB at m1,m2 is full: available is less than required. Give it more storage, or use a larger plan",
  ],
  [
    "a MongoDB user without permission",
    new MongoServerError({ message: "not authorized on shelfwire", code: 13 }),
    "MONGODB_URL: MongoDB at m1,m2 rejects its user: not authorized on shelfwire. " +
      "Correct user and password in MONGODB_URL, or grant the user read and write access",
  ],
  [
    "a MongoDB that refuses for another reason",
    new MongoServerError({ message: "a document is too large", code: 10_334 }),
    "MONGODB_URL: MongoDB at m1,m2 rejected the operation: a document is too large",
  ],
  [
    "an unreachable MongoDB",
    new UnavailableError("no response within 5 ms"),
    "MONGODB_URL: MongoDB at m1,m2 cannot be reached: no response within 5 ms. Start it, or correct MONGODB_URL",
  ],
] as const)
  test(`${title} is reported with its setting and the remedy, and without a stack trace`, (t) => {
    t.is(explainError(error, system), said);
  });

test("any other error is printed with its stack", (t) => {
  t.regex(explainError(new TypeError("x is undefined")), /^TypeError: x is undefined\n +at /);
});
