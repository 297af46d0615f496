import { type Static, Type } from "typebox";
import { LabelServer } from "../../schemas/label-server.ts";
import { LabelType } from "../../schemas/label-type.ts";
import { Model } from "../../schemas/model.ts";
import { Role } from "../../schemas/role.ts";
import { type Store, StoreRecord } from "../../schemas/store.ts";
import { Subscription } from "../../schemas/subscription.ts";
import { Tenant } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const tenants = recordKind("tenant", Tenant);

/**
 * The fields of a store from which pictures are drawn. Their values are the pictures' input, so other changes to a store redraw
 * nothing.
 */
export const drawnFields = [
  "name",
  "timeZone",
  "currency",
  "locale",
  "parameters",
] as const satisfies readonly (keyof Store)[];

export const stores = recordKind("store", StoreRecord, {
  // Only stores that name a label server, either themselves or for a department.
  indexes: [
    { keys: { labelServer: 1 }, sparse: true },
    { keys: { "linkDepartments.labelServer": 1 }, sparse: true },
  ],
});

/**
 * The fields of a label type from which pictures are drawn. `pages` decides which uploaded images a label shows: they are merged
 * with its picture when the picture is drawn again.
 */
export const drawnTypeFields = [
  "width",
  "height",
  "dpi",
  "colors",
  "display",
  "pages",
] as const satisfies readonly (keyof LabelType)[];

export const labelTypes = recordKind("labeltype", LabelType);

export const models = recordKind("model", Model);

export const labelServers = recordKind("labelserver", LabelServer);

/** The scrypt hash of a password with its cost parameters, so that later hashes may have different parameters. */
const PasswordHash = Type.Object({
  cost: Type.Integer(),
  blockSize: Type.Integer(),
  parallelization: Type.Integer(),
  /** Salt and hash are in base64. */
  salt: Type.String(),
  hash: Type.String(),
});
export type PasswordHash = Static<typeof PasswordHash>;

/** A user who obtains tokens with a name and password. The name is unique across all tenants. */
const ApiUser = Type.Object({
  name: Type.String(),
  tenant: Type.String(),
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** Separated by spaces, or `*`; the role's scopes, if there is a role. */
  scope: Type.String(),
  role: Type.Optional(Role),
  /** Absent until an invited user has chosen a password. */
  password: Type.Optional(PasswordHash),
  /** The pending invitation: the SHA-256 of its code in base64url, when it expires, and who sent it. */
  invitation: Type.Optional(Type.Object({ digest: Type.String(), until: Type.String(), by: Type.String() })),
  /** When the user was last active, to within about a quarter of an hour. */
  seenAt: Type.Optional(Type.String()),
});
export type ApiUser = Static<typeof ApiUser>;

export const apiUsers = recordKind("apiuser", ApiUser);

/** The tokens of a tenant's subject that are no longer valid, even if they have not expired. */
const Revocation = Type.Object({
  subject: Type.String(),
  /** Tokens issued before this time are revoked; in seconds, like the `iat` claim. */
  before: Type.Integer(),
});
export type Revocation = Static<typeof Revocation>;

export const revocations = recordKind("revocation", Revocation);

export const subscriptions = recordKind("subscription", Subscription);
