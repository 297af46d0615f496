import { Subscription } from "../../schemas/subscription.ts";
import { recordKind } from "../kind.ts";

export const subscriptions = recordKind("subscription", Subscription);
