import type { Db } from "mongodb";
import { Type } from "typebox";
import { differencesOf } from "../../../domain/publishing/differences.ts";
import { type Thing, thingOf } from "../../../queues/publishing/things.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { versions as kind } from "../../../records/kinds/publishing.ts";
import { listVersions } from "../../../records/publishing/read-versions.ts";
import type { Records } from "../../../records/records.ts";
import { versionKey } from "../../../schemas/keys.ts";
import { pageLimit, Start } from "../../../schemas/paging.ts";
import { plainId } from "../../../schemas/text.ts";
import {
  type Content,
  Differences,
  DraftAnswer,
  type Subject,
  type Version,
  VersionAnswer,
  VersionSummary,
} from "../../../schemas/version.ts";
import { authorOf } from "../../access/actor-of.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Route, tenantRoute } from "../../http/route.ts";
import { missing } from "../find-records.ts";
import { createDraftStore, type DraftStore, type DraftStoreWorld, draftAnswer } from "./draft-store.ts";
import { NoteQuery } from "./made-by.ts";
import { subjectNames, subjects } from "./subjects.ts";

export interface VersionsWorld extends DraftStoreWorld {
  db: Db;
  records: Records;
  versions: Versions;
}

const number = Type.String({
  pattern: "^[1-9][0-9]{0,8}$",
  errorMessage: "must be the number of a version, from 1",
  description: "Number of the version, from 1",
  examples: ["1"],
});

/** Operations on versions of packs, designs and canvas designs (docs/integrators/publishing.md#versions). */
export function versionRoutes(world: VersionsWorld): Route[] {
  const reads = createVersionReads(world);
  const store = createDraftStore(world);
  return subjectNames.flatMap((subject) => versionsOf(reads, store, subject));
}

/** Reads versions; the live one counts even if no copy of it is stored yet. */
function createVersionReads({ db, records, versions }: VersionsWorld) {
  async function live(thing: Thing): Promise<Version> {
    const record = (await records.read(thing.kind, [thing.key])).get(thing.key);
    const version = await versions.live(thing, record);
    if (version === undefined) throw missing(thing.noun, thing.id);
    return version;
  }

  return {
    async list(thing: Thing, start: number, limit: number) {
      const newest = await live(thing);
      const isStored = (await records.readRevs(kind, [versionKey(thing.key, newest.number)])).size > 0;
      const isFirst = !isStored && start === 0;
      const page = { start: Math.max(0, start - (isStored ? 0 : 1)), limit: limit - (isFirst ? 1 : 0) };
      return [...(isFirst ? [newest] : []), ...(await listVersions(db, thing.key, page))];
    },

    async one(thing: Thing, asked: number): Promise<Version> {
      const key = versionKey(thing.key, asked);
      const stored = (await records.read(kind, [key])).get(key);
      if (stored) return stored;
      const newest = await live(thing);
      if (newest.number === asked) return newest;
      throw missing(`version of the ${thing.noun} "${thing.id}"`, String(asked));
    },
  };
}

function versionsOf(reads: ReturnType<typeof createVersionReads>, store: DraftStore, subject: Subject): Route[] {
  const { noun, param, title } = subjects[subject];
  const path = `/${subject}/:${param}/versions`;
  const id = plainId(`Id of the ${noun}`);
  const params = Type.Object({ [param]: id });
  const oneParams = Type.Object({ [param]: id, number });
  const idIn = (values: Record<string, unknown>) => String(values[param]);

  return [
    tenantRoute({
      method: "GET",
      path,
      operationId: `list${title}Versions`,
      summary: `List the versions of a ${noun}, newest first, without their contents`,
      scope: "design:read",
      params,
      query: Type.Object({ start: Type.Optional(Start), limit: Type.Optional(pageLimit()) }),
      answers: { 200: Type.Array(VersionSummary) },
      problems: ["not-found"],
      async handle({ tenant, params: values, query: { start = 0, limit = 100 } }) {
        const found = await reads.list(thingOf(tenant, subject, idIn(values)), start, limit);
        return { status: 200, body: found.map(summaryOf) };
      },
    }),

    tenantRoute({
      method: "GET",
      path: `${path}/:number`,
      operationId: `get${title}Version`,
      summary: `Get a version of a ${noun}`,
      scope: "design:read",
      params: oneParams,
      answers: { 200: VersionAnswer },
      problems: ["not-found"],
      async handle({ tenant, params: values }) {
        const version = await reads.one(thingOf(tenant, subject, idIn(values)), Number(values.number));
        return { status: 200, body: { ...summaryOf(version), content: contentOfVersion(version) ?? null } };
      },
    }),

    tenantRoute({
      method: "GET",
      path: `${path}/:number/differences`,
      operationId: `compare${title}Versions`,
      summary: `List the differences between two versions of a ${noun}`,
      scope: "design:read",
      params: oneParams,
      query: Type.Object({
        from: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 2 ** 31 - 1,
            description: "The version to compare with, 0 for nothing; the previous one if absent",
          }),
        ),
      }),
      answers: { 200: Differences },
      problems: ["not-found"],
      async handle({ tenant, params: values, query }) {
        const thing = thingOf(tenant, subject, idIn(values));
        const to = Number(values.number);
        const { from = to - 1 } = query;
        const after = contentOfVersion(await reads.one(thing, to)) ?? {};
        const before = (from === 0 ? undefined : contentOfVersion(await reads.one(thing, from))) ?? {};
        return { status: 200, body: { from, to, ...differencesOf(before, after) } };
      },
    }),

    tenantRoute({
      method: "POST",
      path: `${path}/:number/restore`,
      operationId: `restore${title}Version`,
      summary: `Make a version of a ${noun} its draft`,
      description: "An existing draft is replaced only if its ETag is sent as `If-Match`.",
      scope: "design:write",
      params: oneParams,
      query: NoteQuery,
      isGuarded: true,
      answers: { 200: DraftAnswer },
      problems: ["not-found", "conflict"],
      async handle({ tenant, permit, params: values, query: { note }, header }) {
        const thing = thingOf(tenant, subject, idIn(values));
        const version = await reads.one(thing, Number(values.number));
        const content = contentOfVersion(version);
        if (content === undefined)
          throw new ProblemError("conflict", `Version ${version.number} deleted the ${noun} "${thing.id}".`);
        const order = { content, author: authorOf(permit), note: note ?? `Version ${version.number}` };
        const draft = await store.save(
          thing,
          order,
          (present) => {
            assertSeen(header, present && draftAnswer(present), `The draft of the ${noun} "${thing.id}"`);
            if (present === undefined || header("if-match") !== "") return;
            const detail = `The ${noun} "${thing.id}" has a draft by ${present.author}. Discard it, or send its ETag as If-Match.`;
            throw new ProblemError("conflict", detail);
          },
          true,
        );
        const shown = draftAnswer(draft);
        return taggedAnswer(200, shown);
      },
    }),
  ];
}

/** The content of a version; undefined if the version deleted its subject. */
const contentOfVersion = ({ content }: Version): Content | undefined =>
  content === undefined ? undefined : (JSON.parse(content) as Content);

const summaryOf = ({ number, author, note, at, publication, isDeletion }: Version): VersionSummary => ({
  number,
  author: author ?? null,
  note: note ?? null,
  at: at.toISOString(),
  publication: publication ?? null,
  isDeletion: isDeletion ?? false,
});
