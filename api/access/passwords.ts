import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { PasswordHash } from "../../records/kinds/api-user.ts";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const COSTS = { cost: 2 ** 15, blockSize: 8, parallelization: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** What is compared with where there is no such user: it must take as long as with one. */
const nobody: PasswordHash = {
  ...COSTS,
  salt: randomBytes(SALT_BYTES).toString("base64"),
  hash: randomBytes(HASH_BYTES).toString("base64"),
};

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, optionsOf(COSTS));
  return { ...COSTS, salt: salt.toString("base64"), hash: hash.toString("base64") };
}

/** Whether a password is that of a user; of nobody it never is, which takes as long to find out. */
export async function isPasswordOf(known: PasswordHash | undefined, password: string): Promise<boolean> {
  const { salt, hash, ...costs } = known ?? nobody;
  const expected = Buffer.from(hash, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), expected.length, optionsOf(costs));
  return timingSafeEqual(given, expected) && known !== undefined;
}

/** scrypt needs 128 bytes times cost and block size, and a little more. */
const optionsOf = (costs: typeof COSTS): ScryptOptions => ({
  ...costs,
  maxmem: 2 * 128 * costs.cost * costs.blockSize * costs.parallelization,
});
