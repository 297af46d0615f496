import { call, element } from "../../call.ts";
import { newKey } from "../../new-key.ts";
import { personText } from "../../person-text.ts";
import { button, make } from "../make.ts";
import { type Difference, differenceText, type Saying } from "./differences.ts";
import { momentText, type PublishingPage, refusalOf } from "./page.ts";

interface Version {
  number: number;
  author: string | null;
  note: string | null;
  at: string;
  isDeletion: boolean;
}

interface Differences {
  differences: readonly Difference[];
  isCut: boolean;
}

interface VersionedPage extends Saying {
  /** The entity tag of the draft; undefined if there is none. */
  draftTag(): string | undefined;
  /** Opens the publication of the stored draft. */
  publish?: (() => unknown) | undefined;
}

const MAX_LISTED = 50;

/** Lists the versions, newest first, each with its changes; each can be restored as the draft, or published again. */
export function openVersions(page: PublishingPage, { draftTag, publish, ...saying }: VersionedPage): void {
  const { manage, subject, id, text, mayWrite } = page;
  const dialog = element<HTMLDialogElement>("#versions-dialog");
  const address = `${manage}/${subject}/${encodeURIComponent(id)}/versions`;
  const say = (said: string) => {
    element("#versions-outcome").textContent = said;
  };

  element("#versions").addEventListener("click", async () => {
    say("");
    const found = await call("GET", `${address}?limit=${MAX_LISTED}`).catch(() => undefined);
    // A pack or design that was never published has no versions.
    const isKnown = found?.ok === true || found?.status === 404;
    if (!isKnown) say(text("form.failed"));
    const versions = found?.ok ? ((await found.json()) as Version[]) : [];
    const rows = versions.map((one, index) => row(one, index === 0));
    const none = isKnown ? [make("li", {}, text("publishing.noVersions"))] : [];
    element("#versions-list").replaceChildren(...(rows.length > 0 ? rows : none));
    dialog.showModal();
  });

  function row({ number, author, note, at, isDeletion }: Version, isLive: boolean): HTMLElement {
    const named = text("publishing.version", { number });
    const made = [...(author === null ? [] : [personText(author, text)]), momentText(at, page)].join(" · ");
    const states = [...(isLive ? [text("publishing.live")] : []), ...(isDeletion ? [text("publishing.deletion")] : [])];
    const list = make("ul", { class: "differences" });
    const changes = make("details", {}, make("summary", {}, text("publishing.differences")), list);
    changes.addEventListener(
      "toggle",
      () => changes.open && list.childElementCount === 0 && void compare(number, list),
    );
    const canRestore = mayWrite && !isDeletion && !isLive;
    return make(
      "li",
      {},
      make("p", {}, make("strong", {}, named), ` ${made}`, make("span", { class: "muted" }, ` ${states.join(", ")}`)),
      ...(note === null ? [] : [make("p", { class: "muted" }, note)]),
      changes,
      ...(canRestore ? [acts(number, named)] : []),
    );
  }

  const acts = (number: number, named: string): HTMLElement =>
    make(
      "div",
      { class: "buttons" },
      ...(["restore", "publishAgain"] as const).map((name) => {
        const label = text(`publishing.${name}`);
        return button(label, () => void restore(number, name === "publishAgain"), {
          "aria-label": `${label}: ${named}`,
        });
      }),
    );

  async function compare(number: number, list: HTMLElement): Promise<void> {
    const found = await call("GET", `${address}/${number}/differences`).catch(() => undefined);
    if (!found?.ok) {
      // Compared again when it is reopened.
      say(text(found?.status === 404 ? "publishing.noFormer" : "form.failed"));
      return;
    }
    const { differences, isCut } = (await found.json()) as Differences;
    const said = differences.map((one) => differenceText(one, text, saying));
    const all = said.length === 0 ? [text("publishing.noDifference")] : said;
    list.replaceChildren(...[...all, ...(isCut ? ["…"] : [])].map((one) => make("li", {}, one)));
  }

  async function restore(number: number, publishes: boolean): Promise<void> {
    const tag = draftTag();
    const headers = { "idempotency-key": newKey(), ...(tag !== undefined && { "if-match": tag }) };
    const path = `${address}/${number}/restore`;
    const answer = await fetch(path, { method: "POST", headers }).catch(() => undefined);
    if (!answer?.ok) return say(await refusalOf(answer, page));
    dialog.close();
    // The page no longer shows the draft.
    if (!publishes || publish === undefined) return location.reload();
    element("#publish-dialog").addEventListener("close", () => location.reload(), { once: true });
    publish();
  }
}
