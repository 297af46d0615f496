import { AnnouncedSwitch, Switch } from "../../schemas/switch.ts";
import { recordKind } from "../kind.ts";

export const switches = recordKind("switch", Switch, {
  indexes: [
    // Only switches with something left to do.
    { keys: { open: 1, _id: 1 }, partial: { open: true } },
    // For clean-up.
    { keys: { showAt: 1 } },
  ],
});

/** A switch as callers see it. It changes, and an event is sent, only if there is news. */
export const switchStates = recordKind("switchstate.v1", AnnouncedSwitch);
