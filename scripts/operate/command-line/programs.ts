import type { Program } from "../admin/parse-call.ts";

/** A program of the command line. It is loaded only if it runs, because most programs load the drivers of the databases. */
interface ListedProgram {
  means: string;
  load(): Promise<{ program: Program }>;
}

/** The programs of `shelfwire`, in the order of its help text. A new program is a row here. */
export const programs: Readonly<Record<string, ListedProgram>> = {
  release: {
    means: "prepare the database for a new version",
    load: () => import("../release.ts"),
  },
  admin: {
    means: "tenants, stores, labels, archives, proofs: each has its own commands",
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
    means: "show a store's labels as Home Assistant devices",
    load: () => import("../home-assistant.ts"),
  },
  audit: {
    means: "make the workers audit one store now",
    load: () => import("../audit.ts"),
  },
  load: {
    means: "play a day of calls, and measure an installation's capacity",
    load: () => import("../../develop/load.ts"),
  },
  designs: {
    means: "draw designs with the items that are hardest to draw",
    load: () => import("../../develop/designs.ts"),
  },
  "label-server-check": {
    means: "test a label server against the rules of the protocol",
    load: () => import("../label-server-check.ts"),
  },
};
