import { Type } from "typebox";
import { calledOff, committed, DECIDE_AHEAD_MS } from "../../domain/labels/decide-switch.ts";
import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import { pageLimit, Start } from "../../schemas/paging.ts";
import type { Stored } from "../../schemas/record.ts";
import {
  Readiness,
  type Switch,
  SwitchAnswer,
  SwitchId,
  SwitchLabel,
  SwitchOrder,
  switchIdOf,
} from "../../schemas/switch.ts";
import { createDateText } from "../http/date-text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { Nothing, route } from "../http/route.ts";
import { countLabels, type LabelOfSwitch, type SwitchesWorld } from "./switch-reads.ts";

const SwitchPath = Type.Object({ switchId: SwitchId });
const MAX_LIMIT = 10_000;

/**
 * Operations on switches: scheduled changes with the same time, which a store's labels show together
 * (docs/integrators/switches.md).
 */
export const switches = (world: SwitchesWorld) => {
  const { now, readSwitch, listSwitches, changeSwitch, labelsOfSwitch } = world;

  async function answer(store: string, timeZone: string, found: Stored<Switch>): Promise<SwitchAnswer> {
    const { showAt, deadline, atDeadline, state, reason = null, isAutomatic = false, commit, readyPercent } = found;
    const dateText = createDateText(timeZone, false);
    const switchId = switchIdOf(showAt);
    const labels = await countLabels(found, labelsOfSwitch(store, switchId));
    const times = { validFrom: dateText(showAt), deadline: dateText(deadline) };
    const asked = { ...(commit && { commit }), ...(readyPercent !== undefined && { readyPercent }) };
    return { switchId, ...times, atDeadline, state, reason, ...asked, isAutomatic, labels };
  }

  async function existing(store: string, switchId: string): Promise<Stored<Switch>> {
    const found = await readSwitch(store, switchId);
    if (found === undefined) throw new ProblemError("not-found", `The switch "${switchId}" does not exist.`);
    return found;
  }

  return [
    route({
      method: "POST",
      path: "/switches",
      operationId: "prepareSwitch",
      changes: "records",
      summary: "Prepare the store's labels to show their scheduled changes for one time together",
      description:
        "Labels whose type stores several pictures (`images`) receive theirs in advance and show them at that second; all others are " +
        "sent theirs from that second on. Repeating the call with another deadline changes the switch until it is decided. Without a call, scheduled " +
        "changes form a switch by themselves in the last two hours before their time, which goes ahead at its deadline.",
      scope: "items:write",
      body: SwitchOrder,
      answers: { 200: SwitchAnswer },
      problems: ["conflict"],
      async handle({ store, settings: { timeZone }, body }) {
        const { validFrom, deadline: until, awaitsCommit = false, readyPercent } = body;
        const { atDeadline = awaitsCommit ? "GO_AHEAD" : "CALL_OFF" } = body;
        const showAt = new Date(instantOfStoreTime(validFrom, timeZone));
        const deadline = new Date(
          until === undefined ? showAt.getTime() - DECIDE_AHEAD_MS : instantOfStoreTime(until, timeZone),
        );
        assertFuture("validFrom", validFrom, showAt > now(), "must be in the future");
        assertFuture("deadline", until ?? "", deadline < showAt, `must be before "validFrom", ${validFrom}`);
        const asked: Switch = { showAt, deadline, atDeadline, state: "PREPARING", open: true };
        const found = await changeSwitch(store, switchIdOf(showAt), (current) => {
          if (current !== undefined && current.state !== "PREPARING") return undefined;
          const commit = awaitsCommit ? (current?.commit ?? "AWAITED") : undefined;
          return { ...current, ...asked, isAutomatic: undefined, commit, readyPercent };
        });
        if (found?.state !== "PREPARING")
          throw new ProblemError("conflict", `The switch at ${validFrom} has been decided: it is ${found?.state}.`);
        return { status: 200, body: await answer(store, timeZone, found) };
      },
    }),

    route({
      method: "GET",
      path: "/switches",
      operationId: "listSwitches",
      summary: "List switches, latest first",
      scope: "items:read",
      answers: { 200: Type.Array(SwitchAnswer) },
      async handle({ store, settings: { timeZone } }) {
        const found = await listSwitches(store);
        return { status: 200, body: await Promise.all(found.map((one) => answer(store, timeZone, one))) };
      },
    }),

    route({
      method: "GET",
      path: "/switches/:switchId",
      operationId: "getSwitch",
      summary: "Get a switch, and how many of its labels are ready",
      scope: "items:read",
      params: SwitchPath,
      answers: { 200: SwitchAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings: { timeZone }, params: { switchId } }) => ({
        status: 200,
        body: await answer(store, timeZone, await existing(store, switchId)),
      }),
    }),

    route({
      method: "GET",
      path: "/switches/:switchId/labels",
      operationId: "listSwitchLabels",
      summary: "List the labels of a switch with their progress",
      scope: "items:read",
      params: SwitchPath,
      query: Type.Object({
        readiness: Type.Optional(
          Type.Array(Readiness, {
            minItems: 1,
            description: "Only labels with this progress; several values are allowed",
          }),
        ),
        start: Type.Optional(Start),
        limit: Type.Optional(pageLimit(MAX_LIMIT)),
      }),
      answers: { 200: Type.Array(SwitchLabel) },
      problems: ["not-found"],
      async handle({ store, params: { switchId }, query: { readiness, start = 0, limit = 100 } }) {
        await existing(store, switchId);
        const asked = readiness && new Set(readiness);
        const found: LabelOfSwitch[] = [];
        for await (const batch of labelsOfSwitch(store, switchId)) {
          found.push(...batch.filter((label) => asked?.has(label.readiness) ?? true));
          if (found.length >= start + limit) break;
        }
        return { status: 200, body: found.slice(start, start + limit) };
      },
    }),

    route({
      method: "POST",
      path: "/switches/:switchId/commit",
      operationId: "commitSwitch",
      changes: "records",
      summary: "Commit a switch, so that items and labels change at its time",
      description:
        "Only for a switch with `awaitsCommit`, before its deadline. A commit is final: items change at the time of the switch, and so do the labels that " +
        "store their pictures; all others are sent theirs from that time on. The call can be repeated.",
      scope: "items:write",
      params: SwitchPath,
      answers: { 200: SwitchAnswer },
      problems: ["not-found", "conflict"],
      async handle({ store, settings: { timeZone }, params: { switchId } }) {
        await existing(store, switchId);
        const found = await changeSwitch(store, switchId, (current) => current && committed(current, now()));
        if (found?.commit !== "COMMITTED")
          throw new ProblemError(
            "conflict",
            found?.commit === undefined
              ? `The switch "${switchId}" awaits no commit: its changes take effect at their time.`
              : `The switch "${switchId}" cannot be committed: its deadline has passed, or it is ${found.state}.`,
          );
        return { status: 200, body: await answer(store, timeZone, found) };
      },
    }),

    route({
      method: "DELETE",
      path: "/switches/:switchId",
      operationId: "callOffSwitch",
      changes: "records",
      summary: "Call off a switch before its time",
      description:
        "Its changes still take effect at their time, and labels are then sent their pictures as usual; changes of a switch that awaits a commit are " +
        "dropped. A committed switch cannot be called off. Scheduled updates are cancelled with `DELETE /items/{itemId}/scheduled/{requestId}`.",
      scope: "items:write",
      params: SwitchPath,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      async handle({ store, params: { switchId } }) {
        await existing(store, switchId);
        const found = await changeSwitch(store, switchId, (current) =>
          current && current.state !== "CALLED_OFF" && current.commit !== "COMMITTED" && now() < current.showAt
            ? calledOff(current, "BY_CALLER")
            : undefined,
        );
        if (found?.state !== "CALLED_OFF")
          throw new ProblemError(
            "conflict",
            `The switch "${switchId}" cannot be called off: its time has passed, or it is committed.`,
          );
        return { status: 204 };
      },
    }),
  ];
};

function assertFuture(field: string, value: string, isRight: boolean, detail: string): void {
  if (isRight) return;
  const errors = [{ pointer: `/${field}`, detail: `"${value}" ${detail}` }];
  throw new ProblemError("invalid-request", `The field "${field}" is invalid.`, { errors });
}
