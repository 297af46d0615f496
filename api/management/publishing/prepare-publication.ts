import { createHash } from "node:crypto";
import { datedPack } from "../../../domain/packs/pack-at.ts";
import type { Live } from "../../../domain/publishing/live.ts";
import { keyOfSubject } from "../../../domain/publishing/subjects.ts";
import type { Part } from "../../../queues/publishing/begin-publication.ts";
import { changedText } from "../../../queues/publishing/run-publications.ts";
import { type Thing, thingOf } from "../../../queues/publishing/things.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { CommunicationPack, Design, DesignOrder } from "../../../schemas/design.ts";
import { communicationPackKey, idOf } from "../../../schemas/keys.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { PublicationOrder } from "../../../schemas/publication.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import type { Content } from "../../../schemas/version.ts";
import { assertFaultless, createFinder } from "../find-records.ts";
import { readActivePack } from "../packs/active-pack.ts";
import { type ContentsWorld, createCheckContent, type Drafted, designOf, formFaults } from "./check-content.ts";
import type { Proposed } from "./count-publication.ts";
import { contentOfDraft, type DraftStore } from "./draft-store.ts";

const limits = {
  "communication-packs": tenantLimits.communicationPacks,
  designs: tenantLimits.designs,
  "canvas-designs": tenantLimits.canvasDesigns,
} as const;

export interface PrepareWorld extends ContentsWorld {
  records: Records;
  versions: Versions;
}

/** Content that is to go live. */
export interface ToPublish {
  thing: Thing;
  content: Content;
  /** Where its faults are in the call's body. */
  pointer: string;
}

/** Checks contents together, as if all were live; throws `invalid-request` with all of their faults. */
export function createCheckTogether(world: ContentsWorld) {
  const checkContent = createCheckContent(world);
  return async (tenant: string, all: readonly ToPublish[]): Promise<Live[]> => {
    const drafted = draftedOf(tenant, all);
    const checked = [];
    for (const { thing, content } of all)
      checked.push(await checkContent(tenant, thing.subject, thing.key, content, drafted));
    const faults = checked.flatMap(({ errors }, index): Fault[] => {
      const { pointer = "", thing } = all[index] ?? {};
      const whose = thing ? `${thing.noun} "${thing.id}": ` : "";
      return errors.map((error) => ({ pointer: `${pointer}${error.pointer}`, detail: `${whose}${error.detail}` }));
    });
    assertFaultless(faults, "publication");
    return checked.flatMap(({ body }) => body ?? []);
  };
}

function draftedOf(tenant: string, all: readonly ToPublish[]): Drafted {
  const sound = all.filter(({ thing, content }) => formFaults(thing.subject, content).length === 0);
  const of = (subject: Thing["subject"]) => sound.filter(({ thing }) => thing.subject === subject);
  return {
    designKeys: of("designs").map(({ thing }) => thing.key),
    designs: new Map(of("designs").map(({ thing, content }) => [thing.key, designOf(tenant, content as DesignOrder)])),
    canvases: new Map(of("canvas-designs").map(({ thing, content }) => [thing.key, content as CanvasDesign])),
  };
}

/** Reads and checks the drafts of an order; throws `invalid-request` with everything that prevents their publication. */
export function createPrepare(world: PrepareWorld, store: DraftStore) {
  const { records, versions } = world;
  const checkTogether = createCheckTogether(world);
  const packs = createFinder(records, {
    kind: communicationPacks,
    noun: "communication pack",
    keyOf: communicationPackKey,
  });

  async function readDrafts(tenant: string, { drafts = [] }: PublicationOrder) {
    const things = drafts.map(({ subject, id }) => thingOf(tenant, subject, id));
    const found = await Promise.all(things.map((thing) => store.read(thing)));
    const lacking = things.flatMap(({ noun, id }, index) =>
      found[index] ? [] : [{ pointer: `/drafts/${index}`, detail: `the ${noun} "${id}" has no draft` }],
    );
    assertFaultless(lacking, "publication");
    return things.flatMap((thing, index) => {
      const draft = found[index];
      return draft ? [{ thing, draft, content: contentOfDraft(draft), pointer: `/drafts/${index}/content` }] : [];
    });
  }

  async function packToActivate(tenant: string, { activate, drafts = [] }: PublicationOrder) {
    if (activate === undefined) return undefined;
    const key = communicationPackKey(tenant, activate);
    const isDrafted = drafts.some(({ subject, id }) => subject === "communication-packs" && id === activate);
    const exists = isDrafted || (await records.readRevs(communicationPacks, [key])).has(key);
    const detail = `the communication pack "${activate}" does not exist`;
    assertFaultless(exists ? [] : [{ pointer: "/activate", detail }], "publication");
    return key;
  }

  return async (tenant: string, order: PublicationOrder) => {
    const read = await readDrafts(tenant, order);
    const pack = await packToActivate(tenant, order);
    const bodies = await checkTogether(tenant, read);
    const parts: Part[] = [];
    const outdated: string[] = [];
    for (const [index, { thing, draft }] of read.entries()) {
      const { subject, id, kind, noun, key } = thing;
      const finder = createFinder(records, { kind, noun, keyOf: (_, own) => keyOfSubject(tenant, subject, own) });
      await finder.assertRoom(tenant, id, limits[subject]);
      const live = await versions.live(thing, (await records.read(kind, [key])).get(key));
      const from = live?.number ?? 0;
      if (from !== draft.basedOn) outdated.push(changedText(thing, draft.basedOn, from));
      parts.push({ thing, body: bodies[index], change: { subject, id, from, draftRev: draft.rev } });
    }
    const activePack = await readActivePack(records, tenant);
    const active = pack ?? activePack?._id;
    const packBody = parts.find(({ thing }) => thing.key === active)?.body as CommunicationPack | undefined;
    const stored = active === undefined || packBody ? undefined : await packs.one(tenant, idOf(active));
    const proposedPack = packBody ? unsavedPack(tenant, packBody) : stored && datedPack(stored);
    const proposed: Proposed = {
      ...(proposedPack && { pack: proposedPack }),
      activePack,
      designs: bodiesOf<Design>(parts, "designs"),
      canvases: bodiesOf<CanvasDesign>(parts, "canvas-designs"),
    };
    return { parts, pack, active, activePack, outdated, proposed };
  };
}

/** The pack's id is a hash of its content, so that the thread for expressions keeps it compiled. */
const unsavedPack = (tenant: string, pack: CommunicationPack) => ({
  ...pack,
  id: `${tenant} ${createHash("sha256").update(JSON.stringify(pack)).digest("hex")}`,
});

const bodiesOf = <Body>(parts: readonly Part[], subject: Thing["subject"]): ReadonlyMap<string, Body> =>
  new Map(
    parts.flatMap(({ thing, body }) => (thing.subject === subject && body ? [[thing.key, body as Body] as const] : [])),
  );
