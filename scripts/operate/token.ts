import { signPlatformToken, signToken } from "../../api/access/sign-token.ts";
import { PLATFORM, scopes } from "../../schemas/token.ts";
import { command, Refusal } from "./admin/command.ts";
import { dataOptions, type Program } from "./admin/parse-call.ts";
import { readSigner } from "./admin/read-signer.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/** Prints an access token to standard output, without any other text. */
const token = command({
  name: "",
  arguments: [],
  means: `sign an access token for a tenant, or with --scope ${PLATFORM} for the operator, whose token belongs to no tenant`,
  options: {
    tenant: { takes: "TENANT", means: "tenant of the token (demo)" },
    stores: { takes: "STORES", means: "ids of stores, separated by commas, or * for all (*)" },
    scope: { takes: "SCOPE", initial: "*", means: "scopes, separated by spaces, or * for all" },
    lifetime: { takes: "TIME", initial: "30d", means: "lifetime, such as 12h or 30d" },
  },
  async run({ options: { tenant, stores = "*", scope, lifetime } }) {
    const granted = scope.split(" ");
    const unknown = granted.filter((name) => ![...scopes, PLATFORM, "*"].includes(name));
    if (unknown.length > 0)
      throw new Refusal(
        `Unknown scope ${unknown.join(", ")}: the scopes are ${scopes.join(", ")}, * for all of them, and ${PLATFORM}.`,
      );
    const isOfPlatform = granted.includes(PLATFORM);
    if (isOfPlatform && (granted.length > 1 || tenant !== undefined || stores !== "*"))
      throw new Refusal(
        `A token with the scope ${PLATFORM} belongs to no tenant and has no other scope: omit the other options.`,
      );
    const signer = { ...readSigner(), lifetime };
    const signed = isOfPlatform
      ? await signPlatformToken({ ...signer, scope: PLATFORM })
      : await signToken({
          ...signer,
          tenant: tenant ?? "demo",
          stores: stores === "*" ? "*" : stores.split(","),
          scope,
        });
    return { lines: [signed], data: { token: signed } };
  },
});

/** `npm run token`. */
export const program: Program = { call: "npm run token --", commands: [token], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
