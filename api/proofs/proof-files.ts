import Router from "@koa/router";
import { staticAnswer } from "../http/answers/static-answer.ts";
import type { ProofKeys } from "./proof-keys.ts";
import { KEYS_PATH, VERIFY_POLICY, verifyPage } from "./verify-page.ts";

/**
 * Serves what the recipient of a proof needs, without authentication: the public keys, and the page that verifies it.
 * Neither contains a tenant's data.
 */
export function proofFiles({ proofKeys }: { proofKeys: Pick<ProofKeys, "published"> }): Router {
  const router = new Router({ strict: true, sensitive: true });
  const keys = async () => `${JSON.stringify(proofKeys.published)}\n`;
  router.get(KEYS_PATH, staticAnswer({ read: keys, type: "application/json" }));
  router.get(
    "/api/proofs/verify.html",
    staticAnswer({
      read: () => verifyPage(proofKeys),
      type: "text/html; charset=utf-8",
      headers: { "content-security-policy": VERIFY_POLICY, "referrer-policy": "no-referrer" },
    }),
  );
  return router;
}
