import { readSettings } from "../../../runtime/read-settings.ts";
import { readSecrets } from "../../start/secrets.ts";
import { Refusal } from "./command.ts";

/**
 * Returns the secret with which the API signs tokens: from the environment, otherwise from the instance that runs in
 * DATA_DIR. Throws a Refusal if there is none.
 */
export function readSigner() {
  const settings = readSettings(["DATA_DIR", "JWT_SECRET", "JWT_ISSUER", "JWT_AUDIENCE"]);
  const secret = settings.JWT_SECRET ?? readSecrets(settings.DATA_DIR)?.jwt;
  if (secret === undefined)
    throw new Refusal(
      `JWT_SECRET is not set, and ${settings.DATA_DIR} contains no secret: set it to the API's secret, or run npm start first.`,
    );
  return { secret, issuer: settings.JWT_ISSUER, audience: settings.JWT_AUDIENCE };
}
