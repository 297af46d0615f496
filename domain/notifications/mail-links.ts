import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { idOf, notificationKey, tenantIdOf, tenantKey, tenantOf } from "../../schemas/keys.ts";
import type { Notification } from "../../schemas/notification.ts";

/** The action of a link in an e-mail. */
export type LinkAct = "confirm" | "stop";

/** The path of the page that a link opens. */
export const linkPath = (act: LinkAct): string => `/notifications/${act}`;

/** Returns the key of a person's notifications. `tenantId` and `caller` are the same as in the person's sessions. */
export const keyOfPerson = ({ tenant, caller }: { tenant: string; caller: string }): string =>
  notificationKey(tenantKey(tenant), hash("sha256", caller, "base64url"));

/**
 * Returns the address of a link, below `origin`. It names no person. Only a person who has the e-mail can know the address's
 * signature, which is made with the secret of this person's notifications and, for a confirmation, with the e-mail address and
 * the expiry.
 */
export function linkTo(act: LinkAct, origin: string, key: string, signed: Signed): string {
  const of = `${tenantIdOf(tenantOf(key))}/${idOf(key)}`;
  return `${origin}${linkPath(act)}?${new URLSearchParams({ of, signature: signatureOf(act, signed) })}`;
}

/** Returns the key in a link. Undefined if the text is not in the format of a key. */
export function keyInLink(of: unknown): string | undefined {
  const [, tenant, digest] = (typeof of === "string" && /^([\w-]{1,64})\/([\w-]{43})$/.exec(of)) || [];
  return tenant === undefined || digest === undefined ? undefined : notificationKey(tenantKey(tenant), digest);
}

/** Whether a link is valid at a given time. */
export function isSigned(act: LinkAct, signature: unknown, signed: Signed, now: Date): boolean {
  if (act === "confirm" && !(signed.pending && signed.pending.until > now)) return false;
  const [given, right] = [
    Buffer.from(typeof signature === "string" ? signature : ""),
    Buffer.from(signatureOf(act, signed)),
  ];
  return given.length === right.length && timingSafeEqual(given, right);
}

type Signed = Pick<Notification, "secret" | "pending">;

function signatureOf(act: LinkAct, { secret, pending }: Signed): string {
  const content = act === "stop" ? [act] : [act, pending?.address ?? "", pending?.until.getTime() ?? 0];
  return createHmac("sha256", secret).update(JSON.stringify(content)).digest("base64url");
}
