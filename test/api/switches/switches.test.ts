import test from "ava";
import type { SwitchAnswer } from "../../../schemas/switch.ts";
import { servedStack } from "../../harness/served-stack.ts";

const stack = servedStack({ workers: [] });

const post = (body: object) => stack.call("POST", "/switches", body);
const read = async (answer: Response) => (await answer.json()) as SwitchAnswer & { errors?: { pointer: string }[] };
const none = { prepared: 0, ready: 0, asleep: 0, waiting: 0, shown: 0, others: 0 };

test("a switch has the ID of its time in UTC, and a deadline one minute earlier unless another is given", async (t) => {
  const made = await read(await post({ validFrom: "2090-01-09 06:00:00" }));
  t.deepEqual(made as object, {
    switchId: "20900109T050000Z",
    validFrom: "2090-01-09 06:00:00",
    deadline: "2090-01-09 05:59:00",
    ...{ atDeadline: "CALL_OFF", state: "PREPARING", reason: null, isAutomatic: false, labels: none },
  });
  const again = await read(await post({ validFrom: "2090-01-09 06:00:00", deadline: "2090-01-09 05:30:00" }));
  t.is(again.deadline, "2090-01-09 05:30:00");
  const listed = (await (await stack.call("GET", "/switches")).json()) as SwitchAnswer[];
  t.deepEqual(
    listed.filter(({ switchId }) => switchId === made.switchId),
    [again],
  );
  t.deepEqual(await (await stack.call("GET", `/switches/${made.switchId}/labels`)).json(), []);
});

test("a switch is in the future, and its deadline is before it", async (t) => {
  const past = await post({ validFrom: "2020-01-09 06:00:00" });
  t.is(past.status, 400);
  t.is((await read(past)).errors?.[0]?.pointer, "/validFrom");
  const late = await post({ validFrom: "2090-01-10 06:00:00", deadline: "2090-01-10 06:00:00" });
  t.is(late.status, 400);
  t.is((await read(late)).errors?.[0]?.pointer, "/deadline");
});

test("a switch requires a time; an empty deadline counts as none", async (t) => {
  const refused = await post({ validFrom: "" });
  t.is(refused.status, 400);
  t.is((await read(refused)).errors?.[0]?.pointer, "/validFrom");
  const taken = await read(await post({ validFrom: "2090-01-12 06:00:00", deadline: "" }));
  t.is(taken.deadline, "2090-01-12 05:59:00");
});

test("a switch that was called off stays called off", async (t) => {
  const order = { validFrom: "2090-01-11 06:00:00" };
  const { switchId } = await read(await post(order));
  t.is((await stack.call("DELETE", `/switches/${switchId}`)).status, 204);
  t.is((await stack.call("DELETE", `/switches/${switchId}`)).status, 204);
  t.like(await read(await stack.call("GET", `/switches/${switchId}`)), { state: "CALLED_OFF", reason: "BY_CALLER" });
  t.is((await post(order)).status, 409);
});

test("an unknown switch is not found", async (t) => {
  for (const [method, path] of [
    ["GET", "/switches/20300109T050000Z"],
    ["GET", "/switches/20300109T050000Z/labels"],
    ["DELETE", "/switches/20300109T050000Z"],
  ] as const)
    t.is((await stack.call(method, path)).status, 404);
});

test("a user who may read items may see switches, but not create them", async (t) => {
  const headers = { authorization: `Bearer ${await stack.token({ scope: "items:read" })}` };
  t.is((await stack.call("GET", "/switches", undefined, headers)).status, 200);
  t.is((await stack.call("POST", "/switches", { validFrom: "2090-01-12 06:00:00" }, headers)).status, 403);
});
