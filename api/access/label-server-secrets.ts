import { timingSafeEqual } from "node:crypto";
import { digestOf, type LabelServerDirectory } from "../../records/label-server-directory.ts";

/** Returns the keys of those stores about which the label server must not report. */
type ForeignStores = (stores: readonly string[]) => Promise<string[]>;

/** Finds the label server with this secret; undefined if there is none. */
export type FindReporter = (secret: string) => Promise<ForeignStores | undefined>;

const MAX_AGE_MS = 5_000;

/**
 * A label server reports of the stores that are on it: one of a tenant of the stores that name it, the installation's, which
 * has one of `secrets`, of all others.
 */
export function createFindReporter(
  secrets: readonly string[],
  readDirectory: (maxAgeMs: number) => Promise<LabelServerDirectory>,
): FindReporter {
  const ofInstallation = secrets.map((secret) => Buffer.from(digestOf(secret)));

  return async (text) => {
    const digest = digestOf(text);
    const given = Buffer.from(digest);
    // All are compared, so that the duration does not reveal which one matches.
    const isInstallation = ofInstallation.filter((known) => timingSafeEqual(known, given)).length > 0;
    const isForeign = ({ serverOf, withSecret }: LabelServerDirectory, store: string): boolean => {
      const server = serverOf.get(store);
      return server === undefined ? !isInstallation : !withSecret.get(digest)?.includes(server);
    };
    const isKnown = async (maxAgeMs: number) => (await readDirectory(maxAgeMs)).withSecret.has(digest);
    if (!isInstallation && !(await isKnown(MAX_AGE_MS)) && !(await isKnown(0))) return undefined;
    return async (stores) => {
      const directory = await readDirectory(MAX_AGE_MS);
      if (!stores.some((store) => isForeign(directory, store))) return [];
      // A label server that has just been set up is not rejected.
      const newest = await readDirectory(0);
      return stores.filter((store) => isForeign(newest, store));
    };
  };
}
