import test from "ava";
import { isSigned, keyInLink, keyOfPerson, linkTo } from "../../../domain/notifications/mail-links.ts";
import { afterAttempt } from "../../../domain/notifications/retry-mail.ts";
import { mailMessages } from "../../../domain/notifications/texts/texts.ts";
import { lastMonday } from "../../../domain/notifications/weekly.ts";
import { rightsNow, watchedBy } from "../../../domain/notifications/who-is-notified.ts";
import { writeDigest } from "../../../domain/notifications/write-mail.ts";
import { isMailAddress, mailServerOf, senderOf } from "../../../schemas/mail-address.ts";
import type { Mail, NotificationEntry } from "../../../schemas/notification.ts";

const now = new Date("2026-03-02T08:00:00Z");
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const mail: Mail = {
  ...{ id: "one", kind: "DIGEST", to: "ana@chain.example", entries: [], left: 0, attempts: 0 },
  ...{ since: now, due: now },
};
const present = { collected: [], left: 0, mails: [mail], sent: [], address: "ana@chain.example" };

for (const [rule, attempt, at, expected] of [
  ["a sent e-mail is done", { kind: "sent" }, now, { mails: [] }],
  [
    "an e-mail that may be accepted later waits a minute",
    { kind: "later", reason: "451", isAway: false },
    now,
    { due: hours(1 / 60) },
  ],
  [
    "an e-mail that is not accepted within a day is abandoned, with the reason",
    { kind: "later", reason: "451", isAway: false },
    hours(24),
    { mails: [] },
  ],
  [
    "a refused e-mail is abandoned immediately",
    { kind: "refused", reason: "554", isAddress: false },
    now,
    { mails: [] },
  ],
] as const)
  test(rule, (t) => {
    const result = afterAttempt(present, "one", attempt, at, 0) as typeof present & { failure?: { reason: string } };
    t.like(result, expected);
    const isGivenUp = result.mails.length === 0 && attempt.kind !== "sent";
    t.is(result.failure?.reason, isGivenUp ? ("reason" in attempt ? attempt.reason : undefined) : undefined);
  });

const entries: NotificationEntry[] = [
  { id: "late a", kind: "LATE_LABELS", store: "a", event: "BEGUN", at: now, since: now, count: 3, minutes: 30 },
];
const stores = new Map([["a", { name: 'Main <b>"street"\r\nBcc: x@y.z', timeZone: "Europe/Zagreb" }]]);
const key = keyOfPerson({ tenant: "demo", caller: "sub ana" });
const around = { key, stores, origin: "https://labels.example" };

for (const [language, sentence] of [
  ["en", "3 labels have been waiting for their pictures for more than 30 minutes."],
  ["de", "3 Etiketten warten seit mehr als 30 Minuten auf ihre Bilder."],
  ["hr", "3 etikete čekaju svoje slike dulje od 30 min."],
] as const)
  test(`an e-mail is written in the person's language, and no name becomes a header or HTML: ${language}`, (t) => {
    const written = writeDigest({ entries, left: 2 }, { ...around, notification: { language, secret: "s" } });
    t.true(written.text.includes(sentence));
    t.true(written.html.includes(sentence));
    t.true(written.html.includes("Main &lt;b&gt;&quot;street&quot;"));
    const single = writeDigest({ entries, left: 0 }, { ...around, notification: { language, secret: "s" } });
    t.notRegex(single.subject, /[\r\n]/);
    t.true(single.subject.endsWith(sentence));
    for (const link of [`${around.origin}/work?store=a`, `${around.origin}/account`])
      t.true(written.text.includes(link));
    t.false(written.html.includes("<b>"));
  });

test("every message in the e-mails has the same values in each language as in English", (t) => {
  const valuesOf = (message: unknown) => [...new Set(JSON.stringify(message).match(/\{\w+\}/g))].toSorted();
  for (const [name, english] of Object.entries(mailMessages.en))
    for (const language of ["de", "hr"] as const)
      t.deepEqual(valuesOf(mailMessages[language][name as "look"]), valuesOf(english), `${language} ${name}`);
});

test("a link is valid for its action, its secret and, if it confirms an address, for that address and a limited time", (t) => {
  const signed = { secret: "one", pending: { address: "a@b.c", until: hours(1) } };
  const partsOf = (act: "confirm" | "stop") => new URL(linkTo(act, around.origin, key, signed)).searchParams;
  for (const act of ["confirm", "stop"] as const) {
    const signature = partsOf(act).get("signature");
    t.is(keyInLink(partsOf(act).get("of")), key);
    t.true(isSigned(act, signature, signed, now));
    t.false(isSigned(act, signature, { ...signed, secret: "two" }, now));
    t.false(isSigned(act === "stop" ? "confirm" : "stop", signature, signed, now));
  }
  const signature = partsOf("confirm").get("signature");
  t.false(isSigned("confirm", signature, signed, hours(1)));
  t.false(isSigned("confirm", signature, { ...signed, pending: { ...signed.pending, address: "x@b.c" } }, now));
  for (const named of [undefined, ["x"], "demo", "../x/y", `demo/${"x".repeat(42)}`]) t.is(keyInLink(named), undefined);
});

test("a user has their current permissions, and any other person those of the last login while it is valid", (t) => {
  const user = { tenant: "demo", stores: ["a"], scope: "", role: "shop" } as const;
  const ana = { caller: "sub ana" };
  const person = { caller: "person 7", login: { stores: ["a"], scope: "items:read", until: hours(1) } };
  t.is(rightsNow(ana, "demo", undefined, now), undefined);
  t.is(rightsNow(ana, "other", user, now), undefined);
  t.is(rightsNow(person, "demo", user, hours(1)), undefined);
  t.true(rightsNow(person, "demo", undefined, now)?.scopes.has("items:read"));
  const rights = rightsNow(ana, "demo", user, now);
  if (rights === undefined) return t.fail();
  const chosen = { chosen: ["LATE_LABELS", "HELD"] as ("LATE_LABELS" | "HELD")[], stores: "*" as const };
  t.deepEqual(watchedBy(chosen, rights, ["a", "b"]), [{ kind: "LATE_LABELS", store: "a" }]);
  t.deepEqual(watchedBy({ ...chosen, stores: ["b"] }, rights, ["a", "b"]), []);
});

for (const [at, monday] of [
  ["2026-03-02T05:59:59Z", "2026-02-23T06:00:00Z"],
  ["2026-03-02T06:00:00Z", "2026-03-02T06:00:00Z"],
  ["2026-03-29T12:00:00Z", "2026-03-23T06:00:00Z"],
  ["2026-03-30T05:00:00Z", "2026-03-30T05:00:00Z"],
] as const)
  test(`batteries to replace are reported on Mondays at seven by the store's clock: ${at}`, (t) => {
    t.deepEqual(lastMonday(new Date(at), "Europe/Zagreb"), new Date(monday));
  });

test("an address has exactly one mailbox, and can pass no options to mail servers", (t) => {
  for (const good of ["a@b.c", "ana.b+c@mail.chain.example", "root@localhost"]) t.true(isMailAddress(good), good);
  for (const bad of [
    "",
    "ana",
    "a@b@c",
    "a b@c.d",
    "a@b.c\r\nBcc: d@e.f",
    "a@b.c,d@e.f",
    "<a@b.c>",
    `a@${"b".repeat(300)}`,
    "a@-b.c",
  ])
    t.false(isMailAddress(bad), bad);
  t.deepEqual(senderOf("Shelfwire <a@b.c>"), { name: "Shelfwire", address: "a@b.c" });
  t.is(senderOf("Shelf\nwire <a@b.c>"), undefined);
  t.deepEqual(mailServerOf("smtps://me:p%40ss@mail.example"), {
    ...{ host: "mail.example", port: 465, isSecure: true, auth: { user: "me", pass: "p@ss" } },
  });
  for (const bad of [
    "http://mail.example",
    "smtp://",
    "smtp://mail.example?pool=true",
    "smtp://a:%zz@mail.example",
    "mail",
  ])
    t.is(mailServerOf(bad), undefined, bad);
});
