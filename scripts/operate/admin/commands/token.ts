import { issueToken } from "../../../../api/installation/tokens.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import { assertTenant } from "../assert-tenant.ts";
import { command, countOf } from "../command.ts";
import { readSigner } from "../read-signer.ts";

/** `token issue`. Tokens are not stored, so they cannot be listed, and a subject's tokens can only be revoked all at once. */
export const tokenIssue = command({
  name: "token issue",
  arguments: ["TENANT"],
  means: "sign a token for a tenant; it is shown once and valid for its lifetime",
  options: {
    stores: { takes: "STORES", initial: "*", means: "ids of stores, separated by commas, or * for all" },
    scope: { takes: "SCOPE", initial: "*", means: "scopes, separated by spaces, or * for all" },
    lifetime: { takes: "SECONDS", initial: "86400", means: "lifetime in seconds" },
    subject: { takes: "NAME", means: "who uses the token: rate limits apply to all calls of one subject together" },
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
