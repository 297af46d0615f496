import type { ApiUser } from "../../records/kinds/tenants.ts";
import { ProblemError } from "../http/problem-error.ts";
import { BASIC_CHALLENGE } from "./credentials.ts";
import type { Attempt, LoginPauses } from "./login/login-pauses.ts";
import { isPasswordOf } from "./login/passwords.ts";
import { BusyError, createSlots } from "./slots.ts";

/** The dependencies of a password check. */
export interface UserCheckWorld {
  findUser(name: string): Promise<ApiUser | undefined>;
  pauses: LoginPauses;
}

/**
 * Returns the user with a name and a password. Throws a ProblemError if they are wrong, if a pause applies, or if too
 * many checks are running.
 */
export type CheckUser = (attempt: Attempt, password: string) => Promise<ApiUser>;

/** A check keeps a core busy for tens of milliseconds (scrypt), and a flood of logins must leave time for other calls. */
const MAX_CONCURRENT_CHECKS = 2;
const MAX_WAITING_CHECKS = 50;

/**
 * The only place where a process checks passwords. Neither the response nor its duration reveals whether a user name
 * exists.
 */
export function createUserCheck({ findUser, pauses }: UserCheckWorld): CheckUser {
  const withSlot = createSlots(MAX_CONCURRENT_CHECKS, MAX_WAITING_CHECKS);

  /** The pause is checked inside the slot, so concurrent guesses cannot pass it together. */
  const check: CheckUser = async (attempt, password) => {
    await refusePaused(pauses, attempt);
    const user = await findUser(attempt.userName);
    if (await isPasswordOf(user?.password, password)) {
      await pauses.succeeded(attempt);
      if (user) return user;
    }
    await pauses.failed(attempt);
    throw new ProblemError("wrong-credentials", "The user name or password is wrong.", {
      headers: { "www-authenticate": BASIC_CHALLENGE },
    });
  };

  return (attempt, password) =>
    withSlot(() => check(attempt, password)).catch((error: unknown) => {
      if (!(error instanceof BusyError)) throw error;
      throw new ProblemError("busy", "Too many logins are in progress. Try again later.", {
        headers: { "retry-after": "5" },
      });
    });
}

async function refusePaused(pauses: LoginPauses, attempt: Attempt): Promise<void> {
  const seconds = await pauses.left(attempt);
  if (seconds === 0) return;
  throw new ProblemError("too-many-failed-logins", `Too many logins have failed. Try again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });
}
