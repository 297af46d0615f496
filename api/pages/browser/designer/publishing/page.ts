import { element } from "../../call.ts";
import { type Problem, refusalReason } from "../../notice-text.ts";
import { type Texts, textsIn } from "../../texts.ts";

export type Subject = "communication-packs" | "designs" | "canvas-designs";

/** What publishing needs from the page of a pack, a design or a canvas design. */
export interface PublishingPage {
  subject: Subject;
  id: string;
  /** Address of the management interface. */
  manage: string;
  text: Texts & { language: string };
  mayWrite: boolean;
  stores: readonly { id: string; name: string }[];
}

/** Reads the publishing part of the page that the server has rendered. */
export function publishingPage(subject: Subject, id: string): PublishingPage {
  const { dataset } = element("#publications");
  return {
    ...{ subject, id, manage: dataset.manage ?? "", text: textsIn({ dataset }) },
    mayWrite: dataset.mayWrite === "true",
    stores: JSON.parse(dataset.stores ?? "[]") as PublishingPage["stores"],
  };
}

/** Formats a moment as the page writes it. */
export const momentText = (time: string, { text }: PublishingPage): string =>
  new Intl.DateTimeFormat(text.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

interface Detailed {
  detail?: string;
}

/** Returns why the interface refused a call: a sentence for each fault or, if there are none, the reason for the whole call. */
export async function refusalOf(answer: Response | undefined, { text }: PublishingPage): Promise<string> {
  if (answer?.status === 412) return text("publishing.taken");
  const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem & Detailed;
  const faults: readonly (object & Detailed)[] = problem.errors ?? [];
  const details = faults.flatMap(({ detail }) => detail ?? []);
  // A draft's faults name its rules or elements, which the page's own sentences cannot do.
  return details.join(" ") || problem.detail || refusalReason(problem, text, () => undefined) || text("form.failed");
}
