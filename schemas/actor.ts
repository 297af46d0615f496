import { type Static, Type } from "typebox";

/**
 * Who makes a change. A `user` is a person with a session of the pages, an `sso-user` one who logged in by the identity provider, an
 * `api-user` a program with a token or a password, a `till` one that was entered as a till; `file`, `schedule` and `rule` act for those who stored them; the `operator` is above tenants.
 */
const ActorKind = Type.Enum(["user", "sso-user", "api-user", "till", "file", "schedule", "rule", "operator"], {
  description:
    "A person with a session of the pages, a person of the identity provider, a program with a token, a till, an imported file, scheduled changes that are due, a rule, or the operator",
});

/** The way by which a change comes in. */
const Channel = Type.Enum(["pages", "interface", "file", "schedule", "rule", "command"], {
  description:
    "The pages, the interface, an imported file, scheduled changes that are due, a rule, or a command of the operator",
});

/**
 * Who makes a change, and by which way. It is part of the cause of a request, whose fields `request` and `call` name what came in
 * (docs/architecture/activity.md).
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
