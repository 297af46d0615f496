import type { Program } from "../admin/parse-call.ts";

/** A program of the command line. It is loaded only if it runs: most of them load the drivers of the databases. */
interface ListedProgram {
  means: string;
  load(): Promise<{ program: Program }>;
}

/** What `shelfwire` runs, in the order of its help text. A new one is a row here. */
export const programs: Readonly<Record<string, ListedProgram>> = {
  release: {
    means: "prepare the database for a new version",
    load: () => import("../release.ts"),
  },
  admin: {
    means: "tenants, stores, labels, archives, proofs: a command of its own for each",
    load: () => import("../admin.ts"),
  },
  "api-user": {
    means: "add, remove, revoke and list the users that may log in",
    load: () => import("../api-user.ts"),
  },
  token: {
    means: "sign an access token",
    load: () => import("../token.ts"),
  },
  import: {
    means: "send a price list to the API, with a label for each item",
    load: () => import("../import.ts"),
  },
  watch: {
    means: "apply each price file that is put into a folder",
    load: () => import("../watch.ts"),
  },
  "home-assistant": {
    means: "show the labels of a store as devices of Home Assistant",
    load: () => import("../home-assistant.ts"),
  },
  audit: {
    means: "have the workers audit one store now",
    load: () => import("../audit.ts"),
  },
  load: {
    means: "play a day of calls, and measure what an installation carries",
    load: () => import("../../develop/load.ts"),
  },
  designs: {
    means: "draw designs with the items that are hardest to draw",
    load: () => import("../../develop/designs.ts"),
  },
  "label-server-check": {
    means: "try a label server by the rules of the protocol",
    load: () => import("../label-server-check.ts"),
  },
};
