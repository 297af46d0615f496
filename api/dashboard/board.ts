import type { Queue } from "bullmq";
import type { Middleware } from "koa";
import { type BoardJob, describeData, describeJob } from "./describe-job.ts";

export interface BoardWorld {
  queues: readonly Queue[];
  now(): Date;
}

/** The addresses of the board's page: `mount` in this process, `basePath` in the browser. */
interface BoardPlace {
  mount: string;
  basePath: string;
  isReadOnly: boolean;
}

/** The host from which bull-board's page loads its fonts. Without them, the page uses the system's fonts. */
const FOREIGN_FONTS = /<link href="https:\/\/fonts\.[^<>]*>/g;
/** The page's content until bull-board's script runs, with the page's only inline style. */
const PLACEHOLDER = /<div id="root">.*<\/div>(?=\s*<script)/s;

/**
 * Opens bull-board for the queues. Its packages are loaded with the first board, since few API processes ever show one.
 * Jobs are described in terms of requests, stores and rows.
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
 * Hides the buttons of actions that the dashboard refuses (`boardAction`). For a job: edit, duplicate, reschedule,
 * reprioritise and remove its children. For a queue: add a job, limit the queue (in its menu and next to the text of
 * its dialog), empty it and remove it. bull-board has no setting for this; in the pinned release, the buttons can be
 * identified by their icons and a class name.
 */
export const OFFERED_ONLY = `
ul[class*="jobActions"] li:has(${icons(["pencil", "files", "clock", "arrow-up-down", "list-x"])}),
[role="menuitem"]:has(${icons(["plus", "chart-no-axes-gantt", "gauge", "trash-2", "ban"])}),
[role="dialog"] button[class*="editButton"] { display: none; }
`;

function icons(names: readonly string[]): string {
  return names.map((name) => `svg.lucide-${name}`).join(", ");
}

/** The board's page with nothing from another host, no inline style, and our own styles and script. */
export const tidyPage = (page: string, styles: string, script: string): string =>
  page
    .replaceAll(FOREIGN_FONTS, "")
    .replace(PLACEHOLDER, '<div id="root"></div>')
    .replace("</head>", `<link rel="stylesheet" href="${styles}"><script defer src="${script}"></script></head>`);
