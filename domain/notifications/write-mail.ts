import type { Mail, Notification, NotificationEntry } from "../../schemas/notification.ts";
import type { Language } from "../texts/languages.ts";
import { linkTo } from "./mail-links.ts";
import type { MailKey } from "./texts/mail-messages.ts";
import { type MailTexts, mailTexts } from "./texts/texts.ts";

/** A store, as an e-mail names it. */
export interface NamedStore {
  name: string;
  timeZone: string;
}

/** The facts from which an e-mail is written, in addition to its entries. */
export interface Surroundings {
  /** The key of the person's notifications. */
  key: string;
  notification: Pick<Notification, "language" | "secret" | "pending" | "login">;
  stores: ReadonlyMap<string, NamedStore>;
  /** The origin of the pages, with the path at which they are served. */
  origin: string;
}

/** An e-mail as it is sent. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

const LONGEST_SUBJECT = 150;

/** Writes a notification e-mail: the entries by store, each with a link to its page, and a link to stop the notifications. */
export function writeDigest({ entries, left }: Pick<Mail, "entries" | "left">, around: Surroundings): WrittenMail {
  const { origin, key, notification, stores } = around;
  const { language, texts } = mailTexts(notification.language);
  const stop = linkTo("stop", origin, key, notification);
  const byStore = [...Map.groupBy(entries, ({ store }) => store)].map(([store, group]) => {
    const { name, timeZone } = stores.get(store) ?? { name: store, timeZone: "UTC" };
    const lines = group.map((entry) => ({
      text: entryText(entry, texts, language, timeZone),
      link: pageOf(entry, origin),
    }));
    return { name, lines };
  });
  const [first] = byStore;
  const isSingle = entries.length === 1 && left === 0;
  const subject =
    isSingle && first?.lines[0]
      ? `${first.name}: ${first.lines[0].text}`
      : texts("subject.several", { count: entries.length + left });
  const { login } = notification;
  const notes = [
    ...(left > 0 ? [texts("left", { count: left })] : []),
    texts("why"),
    ...(login
      ? [
          texts("until", {
            time: timeText(login.until, language, first && stores.get(entries[0]?.store ?? "")?.timeZone),
          }),
        ]
      : []),
  ];
  const links = [
    { text: texts("choose"), link: `${origin}/account` },
    { text: texts("stop"), link: stop },
  ];
  const sections = byStore.map(({ name, lines }) => ({
    title: name,
    lines: lines.map(({ text, link }) => ({ text, link, label: texts("look") })),
  }));
  return {
    ...written(subject, language, sections, notes, links),
    headers: { "List-Unsubscribe": `<${stop}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}

/** Writes the e-mail with the link that confirms an address. */
export function writeConfirmation({ key, notification, origin }: Omit<Surroundings, "stores">): WrittenMail {
  const { language, texts } = mailTexts(notification.language);
  const link = linkTo("confirm", origin, key, notification);
  const until = notification.pending?.until ?? new Date(0);
  const sections = [{ title: "", lines: [{ text: texts("confirm.text"), link, label: texts("confirm.go") }] }];
  const notes = [texts("confirm.until", { time: timeText(until, language, undefined) })];
  return { ...written(texts("subject.confirm"), language, sections, notes, []), headers: {} };
}

/** Returns the text of an entry. */
function entryText(entry: NotificationEntry, texts: MailTexts, language: Language, timeZone: string): string {
  const time = (at: Date | undefined) => (at ? timeText(at, language, timeZone) : "");
  const { count = 1, minutes = 0 } = entry;
  return texts(keyOf(entry), { count, minutes, since: time(entry.since), at: time(entry.at) });
}

function keyOf({ kind, event, trouble, of }: NotificationEntry): MailKey {
  if (event === "OVER") return kind === "LATE_LABELS" ? "LATE_LABELS.OVER" : "LABEL_SERVER.OVER";
  if (kind === "LABEL_SERVER") return `${kind}.${trouble ?? "AWAY"}`;
  if (kind === "FAILED_LIST") return `${kind}.${of ?? "LIST"}`;
  return kind === "BATTERIES" ? "BATTERIES.HAPPENED" : `${kind}.BEGUN`;
}

/** Returns the address of the page that shows the cause of an entry. */
function pageOf({ kind, store, request, of }: NotificationEntry, origin: string): string {
  const paths = {
    LATE_LABELS: "/work",
    LABEL_SERVER: "/",
    HELD: `/held/${request ?? ""}`,
    FAILED_LIST: of === "CAMPAIGN" ? "/campaigns" : "/price-lists",
    BATTERIES: "/work",
  };
  const query = new URLSearchParams({ store, ...(kind === "BATTERIES" && { cause: "BATTERY" }) });
  return `${origin}${paths[kind]}?${query}`;
}

interface Line {
  text: string;
  link: string;
  label?: string;
}

/** Returns the parts of an e-mail as plain text, and as HTML without styles, pictures and scripts. */
function written(
  subject: string,
  language: Language,
  sections: readonly { title: string; lines: readonly Line[] }[],
  notes: readonly string[],
  links: readonly Line[],
): Omit<WrittenMail, "headers"> {
  const text = [
    ...sections.map(({ title, lines }) =>
      [...(title === "" ? [] : [oneLine(title)]), ...lines.map(({ text, link }) => `${oneLine(text)}\n${link}`)].join(
        "\n\n",
      ),
    ),
    ["--", ...notes, ...links.map(({ text, link }) => `${text}: ${link}`)].join("\n"),
  ].join("\n\n");
  const paragraphs = sections.flatMap(({ title, lines }) => [
    ...(title === "" ? [] : [`<h2>${escaped(title)}</h2>`]),
    ...lines.map(
      ({ text, link, label = link }) => `<p>${escaped(text)}<br><a href="${escaped(link)}">${escaped(label)}</a></p>`,
    ),
  ]);
  const foot = [
    ...notes.map(escaped),
    ...links.map(({ text, link }) => `<a href="${escaped(link)}">${escaped(text)}</a>`),
  ];
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>
${paragraphs.join("\n")}
<hr>
<p>${foot.join("<br>\n")}</p>
</body></html>`;
  return { subject: oneLine(subject).slice(0, LONGEST_SUBJECT).toWellFormed(), text: `${text}\n`, html };
}

/** Removes line breaks and other control characters, so that a store's name cannot begin a header or a new line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

/** Formats a time with its day in a time zone. Without a known zone, uses UTC and says so. */
const timeText = (at: Date, language: Language, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: timeZone ?? "UTC",
    ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    ...(timeZone === undefined && { timeZoneName: "short" }),
  }).format(at);
