import test from "ava";
import { ReplyError } from "ioredis";
import { MongoServerError } from "mongodb";
import { explain } from "../../../../scripts/operate/admin/explain.ts";

const QUOTA = "you are over your space quota, using 512 MB of 512 MB";

for (const [title, error, said] of [
  [
    "a full Redis",
    new ReplyError("OOM command not allowed when used memory > 'maxmemory'."),
    "REDIS_URL: Redis is full. Give it more memory: redis-cli CONFIG SET maxmemory, or a larger plan",
  ],
  [
    "a MongoDB beyond the space of its plan",
    new MongoServerError({ message: QUOTA, code: 8000 }),
    `MONGODB_URL: MongoDB is full: ${QUOTA}. Give it more space, or a larger plan`,
  ],
  [
    "a MongoDB without room on its disk",
    new MongoServerError({ message: "available is less than required", code: 14_031 }),
    "MONGODB_URL: MongoDB is full: available is less than required. Give it more space, or a larger plan",
  ],
  [
    "a user of MongoDB that may not",
    new MongoServerError({ message: "not authorized on shelfwire", code: 13 }),
    "MONGODB_URL: MongoDB refused it: not authorized on shelfwire",
  ],
] as const)
  test(`${title} is named by its setting, with the cure and without a stack trace`, (t) => {
    t.is(explain(error), said);
  });

test("any other error is told with where it happened", (t) => {
  t.regex(explain(new TypeError("x is undefined")), /^TypeError: x is undefined\n +at /);
});
