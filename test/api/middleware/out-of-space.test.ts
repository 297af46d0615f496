import { once } from "node:events";
import test from "ava";
import Koa from "koa";
import { MongoServerError } from "mongodb";
import { pino } from "pino";
import { answerProblems } from "../../../api/middleware/problems.ts";

test("a call that a full database refuses is answered 503, and the log names setting and cure", async (t) => {
  const lines: { level: number; msg: string }[] = [];
  const app = new Koa();
  app.use(answerProblems(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })));
  app.use(() => {
    throw new MongoServerError({ message: "available is less than required", code: 14_031 });
  });
  const server = app.listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await once(server, "listening");
  const address = server.address();
  const answer = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  t.is(answer.status, 503);
  t.is(answer.headers.get("retry-after"), "5");
  t.like(await answer.json(), {
    type: "/problems/unavailable",
    detail: "The database has no room left. Nothing was changed; send the request again.",
  });
  t.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [
        50,
        "MONGODB_URL: MongoDB is full: available is less than required. Give it more space, or a larger plan; calls that write are answered 503",
      ],
    ],
  );
});
