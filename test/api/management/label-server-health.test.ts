import test from "ava";
import { openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import { callNotice } from "../../../schemas/call-notice.ts";
import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf } from "../calls.ts";
import { manage, operate } from "./calls.ts";

const shelfwire = ownStack({ workers: [] });

test("a tenant sees why a call to its label server failed, and the operator also sees the response", async (t) => {
  const notice = callNotice("SERVER_ANSWERED", { status: 404 });
  const reason = "the label server answered 404";
  const failure = {
    at: new Date("2026-03-02T08:15:30Z"),
    reason,
    notice,
    detail: "no such label at esl-3.internal:8080",
  };
  await openLabelServerHealth(shelfwire.system.redis).noteCalls("", { failure });
  const path = "/label-server-health";
  const failureIn = async (answer: Response) => (await bodyOf<LabelServerHealth[]>(answer))[0]?.lastFailure;
  const at = failure.at.toISOString();
  t.deepEqual(await failureIn(await manage(shelfwire, "GET", path)), { at, reason, notice });
  const ofOperator = await operate(shelfwire, "GET", `/t/demo/api/management/v1${path}`);
  const { detail } = failure;
  t.deepEqual(await failureIn(ofOperator), { at, reason: `${reason}: ${detail}`, notice, detail });
});
