import { createHook } from "node:async_hooks";
import test from "ava";
import { hashPassword, isPasswordOf } from "../../../../api/access/login/passwords.ts";

/** Counts how often scrypt runs during a function call. */
async function countScrypt(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "SCRYPTREQUEST") count += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
}

test.serial("only a user's own password matches", async (t) => {
  const known = await hashPassword("correct horse: battery štäple");
  t.true(await isPasswordOf(known, "correct horse: battery štäple"));
  for (const other of ["", "correct horse: battery staple", "correct horse: battery štäple ", "x".repeat(10_000)])
    t.false(await isPasswordOf(known, other), other.slice(0, 40));
});

test.serial("an unknown user matches no password", async (t) => {
  t.false(await isPasswordOf(undefined, ""));
  t.false(await isPasswordOf(undefined, "correct horse"));
});

test.serial(
  "the stored hash does not reveal the password, and differs for two users with the same password",
  async (t) => {
    const [one, other] = [await hashPassword("correct horse"), await hashPassword("correct horse")];
    t.not(one.hash, other.hash);
    t.not(one.salt, other.salt);
    t.false(JSON.stringify(one).includes("correct horse"));
  },
);

test.serial("checking a password costs the same whether or not the user exists", async (t) => {
  const known = await hashPassword("correct horse");
  for (const [user, password] of [
    [known, "correct horse"],
    [known, "wrong"],
    [undefined, "wrong"],
  ] as const)
    t.is(await countScrypt(() => isPasswordOf(user, password)), 1);
});

test.serial("a password hashed with other cost parameters is still valid", async (t) => {
  const cheap = {
    cost: 16,
    blockSize: 8,
    parallelization: 1,
    salt: Buffer.from("NaCl").toString("base64"),
    hash: "",
  };
  const { scryptSync } = await import("node:crypto");
  const hash = scryptSync("password", "NaCl", 64, { cost: 16, blockSize: 8, parallelization: 1 }).toString("base64");
  t.true(await isPasswordOf({ ...cheap, hash }, "password"));
  t.false(await isPasswordOf({ ...cheap, hash }, "passwort"));
});
