import { OPERATOR, roleNames } from "../role.ts";
import { faultOfRoles } from "../role-map.ts";
import { sessions } from "./sessions.ts";
import { matching, type Setting, text } from "./setting.ts";

/** An https address, or an http address on this machine. */
const SAFE_ADDRESS = "^(https://[^/\\s]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?)";

/** How people log in to the pages, and how long they stay logged in. */
export const signOn = {
  PUBLIC_URL: {
    schema: matching(`${SAFE_ADDRESS}$`, 'must be an origin such as "https://labels.example", without a path'),
    optional: true,
    means:
      "Origin under which browsers reach the pages, such as https://labels.example; required with OIDC_ISSUER and SMTP_URL",
  },
  ...sessions,
  OIDC_ISSUER: {
    schema: matching(`${SAFE_ADDRESS}(/\\S*)?$`, 'must be a URL such as "https://login.example/realms/shop"'),
    optional: true,
    means:
      "Issuer of the OpenID Connect provider with which people log in to the pages; if absent, they log in with names and passwords only",
  },
  OIDC_CLIENT_ID: { schema: text, optional: true, means: "Client id of Shelfwire at the OpenID Connect provider" },
  OIDC_CLIENT_SECRET: {
    schema: matching("^.{16,}$", "must have at least 16 characters"),
    optional: true,
    secret: true,
    means: "Client secret of Shelfwire at the OpenID Connect provider",
  },
  OIDC_SCOPE: {
    schema: matching("^openid( \\S+)*$", 'must be "openid" and other scopes, separated by spaces'),
    initial: "openid profile email",
    means: "Scopes that are requested from the OpenID Connect provider",
  },
  OIDC_NAME: {
    schema: text,
    initial: "SSO",
    means: "Name of the OpenID Connect provider on the button of the login page",
  },
  OIDC_USER_CLAIM: {
    schema: text,
    initial: "sub",
    means: "Claim that identifies a person, in the activity log too; people must not be able to change it themselves",
  },
  OIDC_TENANT: {
    schema: matching("^[\\w-]{1,64}$", "must be the id of a tenant"),
    optional: true,
    means: "Tenant of everybody who logs in with the OpenID Connect provider, unless OIDC_TENANT_CLAIM is set",
  },
  OIDC_TENANT_CLAIM: { schema: text, optional: true, means: "Claim with the id of the person's tenant" },
  OIDC_STORES_CLAIM: {
    schema: text,
    initial: "stores",
    means: "Claim with the ids of the person's stores, as a list or separated by spaces or commas; * for all stores",
  },
  OIDC_ROLES_CLAIM: {
    schema: text,
    initial: "roles",
    means: "Claim with the person's roles or groups; dots lead into objects, such as realm_access.roles",
  },
  OIDC_ROLES: {
    schema: text,
    right: `a list such as esl-shop=shop,esl-admins=head-office whose roles are ${roleNames.join(", ")} or ${OPERATOR}`,
    isRight: (list) => faultOfRoles(list) === undefined,
    optional: true,
    means:
      "Roles by the values of OIDC_ROLES_CLAIM, such as esl-shop=shop,esl-admins=head-office; if absent, the values are themselves names of roles, except operator",
  },
} as const satisfies Record<string, Setting>;
