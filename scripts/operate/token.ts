import { parseArgs } from "node:util";
import { signToken } from "../../api/access/sign-token.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { scopes } from "../../schemas/token.ts";
import { readSecrets } from "../start/secrets.ts";

/** Prints an access token on standard output, without any other text. */
const { values } = parseArgs({
  options: {
    tenant: { type: "string", default: "demo" },
    stores: { type: "string", default: "*" },
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
const unknown = values.scope.split(" ").filter((scope) => scope !== "*" && !scopes.some((known) => known === scope));
if (unknown.length > 0) {
  process.stderr.write(`There is no scope ${unknown.join(", ")}; there are ${scopes.join(", ")}, and * for all.\n`);
  process.exit(1);
}
const token = await signToken({
  secret,
  issuer: settings.JWT_ISSUER,
  audience: settings.JWT_AUDIENCE,
  lifetime: values.lifetime,
  tenant: values.tenant,
  stores: values.stores === "*" ? "*" : values.stores.split(","),
  scope: values.scope,
});
process.stdout.write(`${token}\n`);
