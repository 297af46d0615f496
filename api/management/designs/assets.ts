import { createHash } from "node:crypto";
import { type TObject, type TSchema, Type } from "typebox";
import type { AssetOrder } from "../../../drawing/decoding/decoding.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Uploads } from "../../../records/files/uploads.ts";
import { inputOf } from "../../../records/kind.ts";
import { assetFiles, assets as kind } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import { type Asset, type AssetFile, type AssetType, assetName } from "../../../schemas/asset.ts";
import { assetKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { ReplacementCount, ReplacementQuery } from "../../../schemas/trial.ts";
import { refuseFile } from "../../body/refuse-file.ts";
import { assertTagSeen } from "../../http/preconditions.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { createFinder, missing } from "../find-records.ts";
import type { Replacements } from "../replacement/count-worse.ts";
import { assertNoneWorse } from "./replacements.ts";

export interface AssetsWorld {
  records: Records;
  commit: Commit;
  uploads: Pick<Uploads, "put" | "read">;
  replacements: Replacements;
}

/** What distinguishes one type of asset from another. */
interface AssetSort<Answer, Listed extends Answer> {
  type: AssetType;
  /** Form field of the file. */
  field: string;
  example: string;
  maxBytes: number;
  mediaTypes: readonly [string, ...string[]];
  texts: Record<"list" | "get" | "put" | "description" | "remove", string>;
  schemas: { answer: TObject; listed: TSchema; file: string };
  /** Returns the maximum number per tenant. */
  limit(): number;
  /**
   * Returns the properties found in the file itself. Throws a FileFault if the file is rejected, and a ProblemError if
   * its name is.
   */
  check(file: Buffer, name: string): Promise<Content> | Content;
  answerOf(asset: NamedAsset): Answer;
  /** Counts what replacing the file would make worse. */
  count(tenant: string, name: string, asset: AssetOrder): Promise<ReplacementCount>;
  /** `file` is the decoded form of the asset in its current version. */
  listedOf(answer: Answer, state: State, file: AssetFile | undefined): Listed;
}

type Content = Omit<Asset, "type" | "upload" | "bytes" | "deleted">;
type NamedAsset = Omit<Asset, "type" | "upload" | "deleted"> & { name: string; sha256: string };
type State = { isReady: boolean; fault: string | null };

/** Protects a browser that opens the address of an SVG: nothing in it runs or is loaded. */
const UNTRUSTED = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Operations on the files that a tenant stores for its designs. */
export function assetRoutes<Answer, Listed extends Answer>(
  { records, commit, uploads }: Omit<AssetsWorld, "replacements">,
  sort: AssetSort<Answer, Listed>,
) {
  const { type: noun, texts, schemas, mediaTypes } = sort;
  const keyOf = (tenant: string, name: string) => assetKey(tenant, noun, name);
  const found = createFinder(records, { kind, noun, keyOf });
  const whatIs = (name: string): string => `The ${noun} "${name}"`;
  const answerOf = (tenant: string, asset: Stored<Asset>): Answer => {
    const { _id, upload, ...body } = asset;
    return sort.answerOf({ ...body, name: _id.slice(keyOf(tenant, "").length), sha256: upload });
  };
  const [firstType, ...otherTypes] = mediaTypes;
  const path = `/${noun}s` as const;
  const ofOne = `${path}/:name` as const;
  const Noun = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const params = Type.Object({ name: assetName(`Name of the ${noun}`, sort.example) });

  return [
    tenantRoute({
      method: "GET",
      path,
      operationId: `list${Noun}s`,
      summary: texts.list,
      scope: "design:read",
      answers: { 200: Type.Array(schemas.listed) },
      handle: async ({ tenant }) => {
        const all = await found.all(tenant);
        const files = await records.read(
          assetFiles,
          all.map(({ _id }) => _id),
        );
        const body = all.map((asset) => {
          const file = madeOf(asset, files.get(asset._id));
          const state = { isReady: (file?.image ?? file?.font) !== undefined, fault: file?.fault ?? null };
          return sort.listedOf(answerOf(tenant, asset), state, file);
        });
        return { status: 200, body };
      },
    }),

    tenantRoute({
      method: "GET",
      path: ofOne,
      operationId: `get${Noun}`,
      summary: texts.get,
      scope: "design:read",
      params,
      isTagged: true,
      answers: { 200: Type.Unsafe<Buffer>({ contentMediaType: firstType, title: schemas.file }) },
      alsoAs: otherTypes,
      problems: ["not-found"],
      handle: async ({ tenant, params: { name } }) => {
        const { upload, mediaType } = await found.one(tenant, name);
        const file = await uploads.read(tenant, upload);
        if (file === undefined) throw missing(noun, name);
        return { status: 200, type: mediaType, body: Buffer.from(file), headers: UNTRUSTED };
      },
    }),

    tenantRoute({
      method: "PUT",
      path: ofOne,
      operationId: `put${Noun}`,
      summary: texts.put,
      description: texts.description,
      scope: "design:write",
      params,
      query: ReplacementQuery,
      upload: sort.field,
      uploadBounds: { maxBytes: sort.maxBytes, mediaTypes, noun },
      isGuarded: true,
      answers: { 200: withReplacement(schemas.answer) },
      problems: ["conflict", "too-much-waiting"],
      handle: async ({ tenant, params: { name }, query, upload: file, header }) => {
        const checked = await Promise.try(() => sort.check(file, name)).catch(refuseFile(noun, sort.field));
        await found.assertRoom(tenant, name, sort.limit());
        const key = keyOf(tenant, name);
        const sha256 = createHash("sha256").update(file).digest("hex");
        const present = (await records.read(kind, [key])).get(key);
        assertTagSeen(header, tagOf(present), whatIs(name));
        const isReplaced = present !== undefined && !present.deleted && present.upload !== sha256;
        const replacement = await assertNoneWorse(query, `This ${noun} "${name}"`, isReplaced, () =>
          sort.count(tenant, name, { file, mediaType: checked.mediaType }),
        );
        if (query.dryRun) {
          const proposed = sort.answerOf({ ...checked, bytes: file.length, name, sha256 });
          const etag = tagOf({ type: noun, ...checked, upload: sha256, bytes: file.length }) ?? "";
          return { status: 200, body: { ...proposed, replacement }, headers: { etag } };
        }
        // The file is stored before the record that names it.
        const upload = await uploads.put(tenant, file);
        const save = (_: string, current: Stored<Asset> | undefined): Asset => {
          assertTagSeen(header, tagOf(current), whatIs(name));
          return { type: noun, ...checked, upload, bytes: file.length };
        };
        const saved =
          (await commit.change(kind, [key], save, "interactive")).get(key) ?? (await found.one(tenant, name));
        const body = { ...answerOf(tenant, saved), ...(replacement && { replacement }) };
        return { status: 200, body, headers: { etag: tagOf(saved) ?? "" } };
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: ofOne,
      operationId: `delete${Noun}`,
      summary: texts.remove,
      scope: "design:write",
      params,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found"],
      handle: async ({ tenant, params: { name }, header }) => {
        const { _id } = await found.one(tenant, name);
        const end = (_: string, current: Stored<Asset> | undefined): Asset => {
          if (current === undefined || current.deleted) throw missing(noun, name);
          assertTagSeen(header, tagOf(current), whatIs(name));
          const { _id: __, store: ___, rev, writeId, changedAt, cause, ...body } = current;
          return { ...body, deleted: true };
        };
        await commit.change(kind, [_id], end, "interactive");
        return { status: 204 };
      },
    }),
  ];
}

/** The response schema for a write: it includes what a replacement made worse, if this was counted. */
const withReplacement = ({ properties, title }: TObject & { title?: string }) =>
  Type.Object({ ...properties, replacement: Type.Optional(ReplacementCount) }, title === undefined ? {} : { title });

/** The ETag of a file's bytes, as returned by `GET`; undefined if there is none. */
const tagOf = (asset: Asset | undefined): string | undefined =>
  asset === undefined || asset.deleted ? undefined : `"${Buffer.from(asset.upload, "hex").toString("base64url")}"`;

/** The decoded form of the asset in its current version. */
const madeOf = (asset: Stored<Asset>, file: Stored<AssetFile> | undefined): AssetFile | undefined =>
  file?.inputs?.includes(inputOf(kind, asset._id, asset.rev)) ? file : undefined;
