import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { PasswordHash } from "../../../records/kinds/tenants.ts";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const COSTS = { cost: 2 ** 15, blockSize: 8, parallelization: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Compared when the user does not exist, so that the check takes as long as for an existing user. */
const unknownUserHash: PasswordHash = {
  ...COSTS,
  salt: randomBytes(SALT_BYTES).toString("base64"),
  hash: randomBytes(HASH_BYTES).toString("base64"),
};

/** Hashes a password with scrypt and a new random salt. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, optionsOf(COSTS));
  return { ...COSTS, salt: salt.toString("base64"), hash: hash.toString("base64") };
}

/** Whether a password matches a user's hash. Without a hash (an unknown user) returns false after the same time. */
export async function isPasswordOf(known: PasswordHash | undefined, password: string): Promise<boolean> {
  const { salt, hash, ...costs } = known ?? unknownUserHash;
  const expected = Buffer.from(hash, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), expected.length, optionsOf(costs));
  return timingSafeEqual(given, expected) && known !== undefined;
}

/** scrypt needs 128 * cost * blockSize bytes and some overhead; Node refuses to run above `maxmem`. */
const optionsOf = (costs: typeof COSTS): ScryptOptions => ({
  ...costs,
  maxmem: 2 * 128 * costs.cost * costs.blockSize * costs.parallelization,
});
