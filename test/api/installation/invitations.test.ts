import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { apiUserResource } from "../../../api/installation/api-users.ts";
import { createInvitations } from "../../../api/installation/invitations.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const order = { stores: "*" as const, role: "head-office" as const };

test("an invitation does not take over a user whose name another tenant takes at the same moment", async (t) => {
  const { records, commit } = own.system;
  const users = apiUserResource({ records, commit });
  const change: typeof commit.change = async (...call) => {
    await users.put(tenantKey("other"), "ana", {
      stores: "*",
      role: "linker",
      password: "a password of another tenant",
    });
    return commit.change(...call);
  };
  const invitations = createInvitations({ records, commit: { ...commit, change } }, () => new Date());
  const invite = invitations.invite(tenantKey("demo"), "ana", order, "office", () => {});
  const error = await t.throwsAsync(invite, { instanceOf: ProblemError });
  t.is(error?.problem, "conflict");
  t.is((await users.one(tenantKey("other"), "ana")).role, "linker");
});
