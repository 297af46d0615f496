import { Notification } from "../../schemas/notification.ts";
import { recordKind } from "../kind.ts";

export const notifications = recordKind("notification", Notification, {
  // Only records with an e-mail under way.
  indexes: [{ keys: { due: 1 }, sparse: true }],
});
