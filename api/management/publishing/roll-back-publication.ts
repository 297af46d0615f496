import type { Part } from "../../../queues/publishing/begin-publication.ts";
import { changedText } from "../../../queues/publishing/run-publications.ts";
import { type Thing, thingOf } from "../../../queues/publishing/things.ts";
import { versions as kind } from "../../../records/kinds/publishing.ts";
import { tenantOf, versionKey } from "../../../schemas/keys.ts";
import type { Publication } from "../../../schemas/publication.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Content } from "../../../schemas/version.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { activePackKey } from "../packs/active-pack.ts";
import { createCheckTogether, type PrepareWorld } from "./prepare-publication.ts";

type Change = Publication["changes"][number];

/** The changes that restore the versions from before a publication, and what has been changed since. */
export interface RollBack {
  parts: Part[];
  activation?: Publication["activation"];
  /** What somebody changed since. */
  changed: string[];
}

/** Returns a function that prepares to roll a publication back. Throws `conflict` if an earlier version is no longer kept. */
export function createPrepareRollBack(world: PrepareWorld) {
  const { records, versions } = world;
  const checkTogether = createCheckTogether(world);

  /** Returns the content from before the publication; undefined if it did not exist. */
  async function contentBefore(thing: Thing, { from }: Change): Promise<Content | undefined> {
    if (from === 0) return undefined;
    const key = versionKey(thing.key, from);
    const version = (await records.read(kind, [key])).get(key);
    if (version === undefined)
      throw new ProblemError("conflict", `Version ${from} of the ${thing.noun} "${thing.id}" is no longer kept.`);
    return version.content === undefined ? undefined : (JSON.parse(version.content) as Content);
  }

  return async ({ _id, changes, activation }: Stored<Publication>): Promise<RollBack> => {
    const tenant = tenantOf(_id);
    const changed: string[] = [];
    const before: { thing: Thing; content: Content | undefined; from: number; pointer: string }[] = [];
    for (const change of changes) {
      if (change.to === undefined) continue;
      const thing = thingOf(tenant, change.subject, change.id);
      const live = await versions.live(thing, (await records.read(thing.kind, [thing.key])).get(thing.key));
      const number = live?.number ?? 0;
      if (number !== change.to) changed.push(changedText(thing, change.to, number));
      before.push({ thing, content: await contentBefore(thing, change), from: number, pointer: "" });
    }
    const restored = before.flatMap(({ content, ...others }) => (content ? [{ ...others, content }] : []));
    const bodies = await checkTogether(tenant, restored);
    const bodyOf = new Map(restored.map(({ thing }, index) => [thing.key, bodies[index]]));
    const parts = before.map(({ thing, from }): Part => {
      const { subject, id, key } = thing;
      return { thing, body: bodyOf.get(key), change: { subject, id, from } };
    });
    if (!activation?.before || activation.before === activation.pack) return { parts, changed };
    const active = await activePackKey(records, tenant);
    if (active !== activation.pack) changed.push("Another communication pack has been activated since.");
    return { parts, changed, activation: { pack: activation.before, before: active ?? null } };
  };
}
