import { issueToken } from "../../../../api/installation/tokens.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import { assertTenant } from "../assert-tenant.ts";
import { command, countOf } from "../command.ts";
import { readSigner } from "../read-signer.ts";

/** `token issue`: none is stored, so there is nothing to list or to take back. */
export const tokenIssue = command({
  name: "token issue",
  arguments: ["TENANT"],
  means: "sign a token for a tenant; it is shown once, and good until its lifetime is over",
  options: {
    stores: { takes: "STORES", initial: "*", means: "ids of stores with commas, or * for all of them" },
    scope: { takes: "SCOPE", initial: "*", means: "scopes with blanks, or * for all of them" },
    lifetime: { takes: "SECONDS", initial: "86400", means: "for how many seconds it is good" },
    subject: { takes: "NAME", means: "who has it: calls of one subject count together" },
  },
  async run({ arguments: [tenant = ""], options: { stores, scope, lifetime, subject }, isDryRun, open }) {
    const { records } = await open();
    const key = await assertTenant(records, tenant);
    const order = {
      stores: stores === "*" ? ("*" as const) : stores.split(","),
      scope,
      lifetime: countOf("--lifetime", lifetime),
      ...(subject !== undefined && { subject }),
    };
    const token = await issueToken(
      { records, signer: readSettings(["JWKS_URL"]).JWKS_URL === undefined ? readSigner() : undefined },
      key,
      order,
    );
    return isDryRun
      ? { data: { tenant, ...order }, lines: [`A token for ${tenant} would be signed.`] }
      : { data: { tenant, ...order, token }, lines: [token] };
  },
});
