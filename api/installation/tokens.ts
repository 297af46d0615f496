import type { Records } from "../../records/records.ts";
import { tenantIdOf } from "../../schemas/keys.ts";
import { TokenOrder } from "../../schemas/token.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { type Signer, signToken } from "../access/sign-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { assertFaultless } from "../management/find-records.ts";
import { unknownStores } from "./known-stores.ts";

const checkOrder = compileCheck(TokenOrder);

/**
 * Signs a token for a tenant, identified by its key. Throws `no-login` if there is no signer, because tokens are then
 * signed and verified with another issuer's keys. Throws `invalid-request` for an order with faults.
 */
export async function issueToken(
  { records, signer }: { records: Records; signer: Signer | undefined },
  tenant: string,
  order: TokenOrder,
): Promise<string> {
  if (signer === undefined)
    throw new ProblemError(
      "no-login",
      "This server does not issue tokens. Get one from the issuer whose keys it uses.",
    );
  assertFaultless(checkOrder(order));
  assertFaultless(await unknownStores(records, tenant, order.stores));
  const { stores, scope, lifetime, subject } = order;
  const term = { lifetime: `${lifetime}s`, ...(subject !== undefined && { subject }) };
  return signToken({ ...signer, ...term, tenant: tenantIdOf(tenant), stores, scope });
}
