import { type Static, Type } from "typebox";

/**
 * The kind of actor that makes a change. A `user` is a person who is logged in to the pages, and an `sso-user` a person who
 * logged in with the identity provider. An `api-user` is a program with a token or a password, and a `till` a program that was
 * registered as a till. `file`, `schedule` and `rule` act for the person who stored them. The `operator` is above all tenants.
 */
const ActorKind = Type.Enum(["user", "sso-user", "api-user", "till", "file", "schedule", "rule", "operator"], {
  description:
    "A person who is logged in to the pages, a person from the identity provider, a program with a token, a till, an imported file, scheduled changes that are due, a rule, or the operator",
});

/** The channel through which a change arrives. */
const Channel = Type.Enum(["pages", "interface", "file", "schedule", "rule", "command"], {
  description: "The pages, the API, an imported file, scheduled changes that are due, a rule, or an operator's command",
});

/**
 * Who makes a change, and through which channel. The actor is part of a request's cause, whose fields `request` and `call`
 * identify the request and the call (docs/architecture/activity.md).
 */
export const Actor = Type.Object(
  {
    kind: ActorKind,
    id: Type.String({
      description: "Name of the user, the subject of the token, or the time up to which scheduled changes are due",
      examples: ["ana"],
    }),
    channel: Channel,
  },
  { title: "Actor" },
);
export type Actor = Static<typeof Actor>;
