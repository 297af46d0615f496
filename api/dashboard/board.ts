import type { Queue } from "bullmq";
import type { Middleware } from "koa";
import { type BoardJob, describeData, describeJob } from "./describe-job.ts";

export interface BoardWorld {
  queues: readonly Queue[];
  now(): Date;
}

/** Where the board's page shows it: `mount` in this process, `basePath` in the browser. */
interface BoardPlace {
  mount: string;
  basePath: string;
  isReadOnly: boolean;
}

/** The host from which bull-board's page loads its fonts. Without them the page uses the system's. */
const FOREIGN_FONTS = /<link href="https:\/\/fonts\.[^<>]*>/g;
/** The content of bull-board's page until its script runs: the only inline style of the page. */
const PLACEHOLDER = /<div id="root">.*<\/div>(?=\s*<script)/s;

/**
 * bull-board over the queues. Its packages are loaded with the first board, since few processes of the API ever show
 * one. Jobs are described in terms of requests, stores and rows.
 */
export async function openBoard(
  { queues, now }: BoardWorld,
  { mount, basePath, isReadOnly }: BoardPlace,
): Promise<Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import("@bull-board/api"),
    import("@bull-board/api/bullMQAdapter"),
    import("@bull-board/koa"),
  ]);
  const serverAdapter = new KoaAdapter().setBasePath(basePath);
  const adapters = queues.map((queue) => {
    const adapter = new BullMQAdapter(queue, { readOnlyMode: isReadOnly });
    adapter.setFormatter("name", (job: BoardJob) => describeJob(job, now()));
    adapter.setFormatter("data", describeData);
    return adapter;
  });
  createBullBoard({
    queues: adapters,
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: "Shelfwire",
        hideDocsLink: true,
        miscLinks: [{ text: "Log out", url: `${basePath.replace(mount, "")}/logout` }],
      },
    },
  });
  return serverAdapter.registerPlugin({ mount }) as unknown as Middleware;
}

/**
 * Hides the buttons of actions that the dashboard refuses (`boardAction`): of a job to edit, duplicate, reschedule and
 * reprioritise it and to remove its children, of a queue to add a job, to bound it (in its menu and next to the text of
 * its dialog), to empty and to remove it. bull-board has no setting for them; their icons and the name of a class
 * distinguish them, in the pinned release.
 */
export const OFFERED_ONLY = `
ul[class*="jobActions"] li:has(${icons(["pencil", "files", "clock", "arrow-up-down", "list-x"])}),
[role="menuitem"]:has(${icons(["plus", "chart-no-axes-gantt", "gauge", "trash-2", "ban"])}),
[role="dialog"] button[class*="editButton"] { display: none; }
`;

function icons(names: readonly string[]): string {
  return names.map((name) => `svg.lucide-${name}`).join(", ");
}

/** The board's page with nothing of another host, no inline style, and these styles and this script of our own. */
export const tidyPage = (page: string, styles: string, script: string): string =>
  page
    .replaceAll(FOREIGN_FONTS, "")
    .replace(PLACEHOLDER, '<div id="root"></div>')
    .replace("</head>", `<link rel="stylesheet" href="${styles}"><script defer src="${script}"></script></head>`);
