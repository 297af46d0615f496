import test from "ava";
import { CONTENT_TTL_MS } from "../../../queues/clean-up/publication-contents.ts";
import { newPublicationId } from "../../../queues/publishing/begin-publication.ts";
import { publicationContents, publications } from "../../../records/kinds/publishing.ts";
import { publicationContentKey, publicationKey } from "../../../schemas/keys.ts";
import type { Publication } from "../../../schemas/publication.ts";
import { ownSystem } from "../../harness/own.ts";
import { ago, cleanUpOf, NOW, TENANT } from "./a-clean-up.ts";

const world = ownSystem();

test("contents are removed after an hour if their publication was never stored or has ended", async (t) => {
  const { set, runCleanUp } = cleanUpOf(world);
  const begunBefore = async (ms: number, publication?: Partial<Publication>) => {
    const key = publicationKey(TENANT, newPublicationId(ago(ms)()));
    const content = publicationContentKey(key, `${TENANT}/designs/new`);
    await set(publicationContents, content, { body: "{}" });
    const usual: Publication = { state: "DONE", author: "somebody", createdAt: ago(ms)(), changes: [] };
    if (publication) await set(publications, key, { ...usual, ...publication });
    return content;
  };
  const left = [await begunBefore(2 * CONTENT_TTL_MS), await begunBefore(2 * CONTENT_TTL_MS, { state: "REFUSED" })];
  const kept = [
    await begunBefore(CONTENT_TTL_MS / 2),
    await begunBefore(2 * CONTENT_TTL_MS, { state: "SCHEDULED", due: NOW }),
  ];
  await runCleanUp();
  const stored = await world.system.records.readRevs(publicationContents, [...left, ...kept]);
  t.deepEqual([...stored.keys()].toSorted(), kept.toSorted());
});
