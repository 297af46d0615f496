import { readFile } from "node:fs/promises";
import { signToken } from "../../../api/access/sign-token.ts";
import { type Credentials, Shelfwire } from "../../../docs/typescript-client/index.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { type CommandOption, Refusal, type Values } from "../admin/command.ts";
import { readSigner } from "../admin/read-signer.ts";

/** The options by which a connector finds its store and authenticates. */
export const storeOptions = {
  tenant: { takes: "TENANT", initial: "demo", means: "tenant of the store" },
  store: { takes: "STORE", initial: "main", means: "id of the store" },
  origin: { takes: "URL", means: "address of the API (http://127.0.0.1 with PORT)" },
  token: { takes: "TOKEN", means: "access token; without one and without a user, tokens are signed with JWT_SECRET" },
  user: { takes: "USER", means: "API user, whose password is in --password-file" },
  "password-file": { takes: "FILE", means: "file with the password of --user" },
} as const satisfies Record<string, CommandOption>;

/** Reads the password from a file, whose last line may end with a line break. */
export const readPassword = async (file: string): Promise<string> =>
  (await readFile(file, "utf8")).replace(/\r?\n$/, "");

const TOKEN_LIFETIME = "1h";
const RENEW_AFTER_MS = 30 * 60_000;
/** How long the client waits for the result of a large request. A connector that waits longer reads the result again. */
const RESULT_TIMEOUT_MS = 600_000;

/** Opens the client of a store, for a connector that runs for months. `name` is the subject of the tokens that it signs. */
export async function openStore(
  { tenant, store, origin, ...access }: Values<typeof storeOptions>,
  { name, scope }: { name: string; scope: string },
): Promise<Shelfwire> {
  const { PORT } = readSettings(["PORT"]);
  const address = `${origin ?? `http://127.0.0.1:${PORT}`}/t/${tenant}/s/${store}`;
  const credentials = await credentialsOf(access, () => ({ tenant, stores: [store], scope, subject: name }));
  return new Shelfwire({ store: address, resultTimeoutMs: RESULT_TIMEOUT_MS, ...credentials });
}

async function credentialsOf(
  { token, user, "password-file": file }: Pick<Values<typeof storeOptions>, "token" | "user" | "password-file">,
  claims: () => { tenant: string; stores: string[]; scope: string; subject: string },
): Promise<Credentials> {
  if ((user === undefined) !== (file === undefined)) throw new Refusal("--user and --password-file belong together");
  if (user !== undefined && file !== undefined) return { user, password: await readPassword(file) };
  if (token !== undefined) return { token };
  const signer = readSigner();
  let signed = { token: Promise.resolve(""), until: 0 };
  return {
    token: () => {
      if (Date.now() > signed.until)
        signed = {
          token: signToken({ ...signer, ...claims(), lifetime: TOKEN_LIFETIME }),
          until: Date.now() + RENEW_AFTER_MS,
        };
      return signed.token;
    },
  };
}
