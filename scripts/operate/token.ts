import { parseArgs } from "node:util";
import { signPlatformToken, signToken } from "../../api/access/sign-token.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { PLATFORM, scopes } from "../../schemas/token.ts";
import { readSecrets } from "../start/secrets.ts";

/**
 * Prints an access token on standard output, without any other text: for a tenant, or with `--scope platform` for the
 * operator, which is for no tenant.
 */
const { values } = parseArgs({
  options: {
    tenant: { type: "string" },
    stores: { type: "string" },
    scope: { type: "string", default: "*" },
    lifetime: { type: "string", default: "30d" },
  },
});
const settings = readSettings(["DATA_DIR", "JWT_SECRET", "JWT_ISSUER", "JWT_AUDIENCE"]);
const secret = settings.JWT_SECRET ?? readSecrets(settings.DATA_DIR)?.jwt;
if (secret === undefined) {
  process.stderr.write(
    `There is no JWT_SECRET, and no secret in ${settings.DATA_DIR}: run npm start first, or set JWT_SECRET.\n`,
  );
  process.exit(1);
}
const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
};
const { tenant = "demo", stores = "*", scope, lifetime } = values;
const granted = scope.split(" ");
const unknown = granted.filter((name) => ![...scopes, PLATFORM, "*"].includes(name));
if (unknown.length > 0)
  refuse(
    `There is no scope ${unknown.join(", ")}; there are ${scopes.join(", ")}, * for all of them, and ${PLATFORM}.`,
  );
const isOfPlatform = granted.includes(PLATFORM);
if (isOfPlatform && (granted.length > 1 || values.tenant !== undefined || values.stores !== undefined))
  refuse(`A token with the scope ${PLATFORM} is for no tenant, and has no other scope: leave out the rest.`);
const signer = { secret, issuer: settings.JWT_ISSUER, audience: settings.JWT_AUDIENCE, lifetime };
const token = isOfPlatform
  ? await signPlatformToken({ ...signer, scope: PLATFORM })
  : await signToken({ ...signer, tenant, stores: stores === "*" ? "*" : stores.split(","), scope });
process.stdout.write(`${token}\n`);
