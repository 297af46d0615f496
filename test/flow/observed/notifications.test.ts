import type { AddressInfo } from "node:net";
import test from "ava";
import { SMTPServer } from "smtp-server";
import { openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import type { System } from "../../../queues/system.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import { apiUsers } from "../../../records/kinds/tenants.ts";
import { readAll } from "../../../records/records.ts";
import { apiUserKey } from "../../../schemas/keys.ts";
import type { Person } from "../../../schemas/person.ts";
import { openMails } from "../../../workers/notifier/mails/open-mails.ts";
import { bodyOf } from "../../api/calls.ts";
import { operate } from "../../api/management/calls.ts";
import { assertReadable, browserTests } from "../../api/pages/browser.ts";
import { ownStack } from "../../harness/own.ts";

const PUBLIC_URL = "https://labels.example";
const MAIL_FROM = "Shelfwire <labels@chain.example>";
const ADDRESS = "ana@chain.example";
const MINUTE_MS = 60_000;

/** A real mail server: the e-mails that it accepted, and the response codes with which it refuses e-mails. */
const inbox: string[] = [];
const refusals: { data?: number; recipient?: number } = {};
const refusal = (responseCode: number | undefined) =>
  responseCode === undefined ? null : Object.assign(new Error("not now"), { responseCode });
const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onRcptTo: (_address, _session, done) => done(refusal(refusals.recipient)),
  onData(stream, _session, done) {
    let text = "";
    stream.on("data", (part: Buffer) => {
      text += part.toString("utf8");
    });
    stream.on("end", () => {
      if (refusals.data === undefined) inbox.push(text);
      done(refusal(refusals.data));
    });
  },
});
const shelfwire = ownStack({ workers: [], settings: { MAIL_FROM, PUBLIC_URL } });
test.serial.before(async () => void (await new Promise<void>((open) => server.listen(0, "127.0.0.1", open))));
test.after.always(() => new Promise<void>((closed) => server.close(() => closed())));

const browserTest = browserTests(shelfwire);

/** Milliseconds by which the clock of the notifier's e-mails is ahead. */
let ahead = 0;
const mailsOf = (changed: Partial<System> = {}) => {
  const { port } = server.server.address() as AddressInfo;
  const databaseNow = () => new Date(shelfwire.system.databaseNow().getTime() + ahead);
  const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM, PUBLIC_URL, BASE_PATH: undefined };
  const mails = openMails({ ...shelfwire.system, databaseNow, ...changed }, settings);
  if (mails === undefined) throw new Error("mails are off");
  return mails;
};
/** Runs the notifier once, this many minutes later, and returns the e-mails that arrive. */
async function after(minutes: number): Promise<string[]> {
  ahead += minutes * MINUTE_MS;
  inbox.length = 0;
  const mails = mailsOf();
  await mails.observePeople();
  await mails.sendMails();
  return inbox.splice(0);
}
const health = () => openLabelServerHealth(shelfwire.system.redis);
const AWAY = "{transmitter}:label-server-away:";
/** Reports that the label server is unreachable, in a report that does not expire but is removed by the test. */
const trouble = async () => {
  await health().noteTrouble("away", "", new Date(Date.now() - 10 * MINUTE_MS));
  await shelfwire.system.redis.persist(AWAY);
};
const stored = async () => (await readAll(shelfwire.system.records, notifications, "t/"))[0];

/** Clears the open states and the sent e-mails of a person's record. */
const begin = async () =>
  shelfwire.system.commit.change(
    notifications,
    [(await stored())?._id ?? ""],
    (_, one) => one && { ...one, open: [], sent: [] },
    "bulk",
  );

/** The text of an e-mail, decoded from quoted-printable. */
const decoded = (mail: string): string =>
  mail
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
const headerOf = (mail: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, "im").exec(mail)?.[1]?.replace(/\r\n\s+/g, "") ?? "";
/** Reads a link from an e-mail's body. The headers are not quoted-printable, but a signature in them may look as if it were. */
const linkIn = (mail: string, act: string): string =>
  (
    new RegExp(`${PUBLIC_URL}(/notifications/${act}\\?[^\\s>"]+)`).exec(
      decoded(mail.slice(mail.indexOf("\r\n\r\n"))),
    )?.[1] ?? ""
  ).replaceAll("&amp;", "&");

let cookie = "";
const page = (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${shelfwire.origin}${path}`, {
    redirect: "manual",
    headers: { accept: "text/html", cookie, ...(form && { origin: shelfwire.origin }), ...headers },
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });

test.serial(
  "a person chooses notifications on the account page, and confirms the address with the link in an e-mail",
  async (t) => {
    const authorization = `Bearer ${await shelfwire.token({ subject: "office" })}`;
    const order = { stores: ["main"], role: "manager" };
    const path = "/t/demo/api/management/v1/people/ana/invitation";
    const { path: join } = await bodyOf<{ path: string }>(
      await operate(shelfwire, "POST", path, order, { authorization }),
      201,
    );
    const joined = await page("/join", { code: join.split("=")[1] ?? "", password: "a password of ana's own" });
    cookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
    t.regex(await (await page("/account")).text(), /Notifications by e-mail/);
    const choice = { "kind-LABEL_SERVER": "1", "kind-HELD": "1", minutes: "30", stores: "*" };
    const refused = await page("/account/notifications", { ...choice, address: "ana@chain.example\r\nBcc: x@y.z" });
    t.is(refused.status, 400);
    t.is((await page("/account/notifications", { ...choice, address: ADDRESS })).status, 303);

    // The clocks of two processes may differ a little.
    const [mail = ""] = await after(1);
    t.is(headerOf(mail, "To"), ADDRESS);
    const link = linkIn(mail, "confirm");
    t.is((await page(link.replace("signature=", "signature=x"))).status, 410);
    t.is((await page(link)).status, 200);
    t.is((await stored())?.address, undefined, "opening a link changes nothing");
    t.is((await page(link, {})).status, 200);
    t.is((await page(link, {})).status, 410, "a link works only once");
    t.is((await stored())?.address, ADDRESS);
  },
);

browserTest("the settings are readable on a desktop and a phone", async (t, { page: window, context }) => {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: shelfwire.origin }]);
  await window.goto(`${shelfwire.origin}/account`);
  t.true(await window.getByLabel("the label server does not respond").isChecked());
  t.is(await window.getByLabel("E-mail address").inputValue(), ADDRESS);
  await assertReadable(t, window, "notifications", { sizes: ["desk", "phone"] });
});

test.serial(
  "a state leads to one e-mail, which is sent again after a 4xx response, and not repeated while the state lasts",
  async (t) => {
    await trouble();
    t.deepEqual(await after(0), [], "states of the same few minutes are collected into one e-mail");
    refusals.data = 451;
    await trouble();
    t.deepEqual(await after(6), []);
    delete refusals.data;
    await trouble();
    const [mail = "", ...more] = await after(2);
    t.deepEqual(more, []);
    t.regex(decoded(mail), /The label server has not responded since/);
    t.is(headerOf(mail, "From"), MAIL_FROM);
    t.is(headerOf(mail, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    t.true(headerOf(mail, "List-Unsubscribe").startsWith(`<${PUBLIC_URL}/notifications/stop?`));
    await trouble();
    t.deepEqual(await after(30), []);
  },
);

test.serial(
  "an e-mail says when the state is over, and arrives again under its id if the process dies before recording it",
  async (t) => {
    await health().noteTrouble("away", "", undefined);
    await shelfwire.system.redis.del(AWAY);
    await health().noteCalls("", { answeredAt: new Date() });
    await after(0);
    ahead += 6 * MINUTE_MS;
    await mailsOf().observePeople();
    inbox.length = 0;
    let changes = 0;
    const change: System["commit"]["change"] = (...given) => {
      changes += 1;
      if (changes > 1) throw new Error("killed");
      return shelfwire.system.commit.change(...given);
    };
    await t.throwsAsync(mailsOf({ commit: { ...shelfwire.system.commit, change } }).sendMails(), { message: "killed" });
    const [first = ""] = inbox;
    t.regex(decoded(first), /The label server is responding again/);
    t.deepEqual(await after(0), [], "for some minutes another process may still be sending the mail");
    const [second = ""] = await after(4);
    t.is(headerOf(second, "Message-ID"), headerOf(first, "Message-ID"));
    t.deepEqual(await after(30), []);
  },
);

test.serial(
  "a person who lost access to a store gets no e-mail about it, not even one that is already queued",
  async (t) => {
    const moveTo = (stores: string[]) =>
      shelfwire.system.commit.change(apiUsers, [apiUserKey("ana")], (_, user) => user && { ...user, stores }, "bulk");
    await trouble();
    await after(0);
    await trouble();
    ahead += 6 * MINUTE_MS;
    await mailsOf().observePeople();
    t.is((await stored())?.mails.length, 1);
    await moveTo(["other"]);
    inbox.length = 0;
    await mailsOf().sendMails();
    t.deepEqual([inbox, (await stored())?.mails], [[], []]);
    await moveTo(["main"]);
  },
);

test.serial("an address that the mail server refuses gets no further e-mail, and its owner sees why", async (t) => {
  await begin();
  await trouble();
  await after(0);
  refusals.recipient = 550;
  await trouble();
  t.deepEqual(await after(6), []);
  delete refusals.recipient;
  const text = await (await page("/account")).text();
  t.regex(text, /could not be delivered on .*550 .*not now/s);
  await page("/account/notifications", { "kind-LABEL_SERVER": "1", stores: "*", address: ADDRESS });
  t.notRegex(await (await page("/account")).text(), /could not be delivered/);
});

test.serial("one click without a login stops all e-mails, and nothing is stored about a removed user", async (t) => {
  await begin();
  await trouble();
  await after(0);
  await trouble();
  const [mail = ""] = await after(6);
  const link = linkIn(mail, "stop");
  const clicked = await fetch(`${shelfwire.origin}${link}`, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  t.is(clicked.status, 200);
  t.deepEqual((await stored())?.chosen, []);
  const authorization = `Bearer ${await shelfwire.token({ subject: "office" })}`;
  const people = "/t/demo/api/management/v1/people";
  t.is((await operate(shelfwire, "DELETE", `${people}/ana`, undefined, { authorization })).status, 204);
  t.deepEqual(await bodyOf<Person[]>(await operate(shelfwire, "GET", people, undefined, { authorization })), []);
  t.is(await stored(), undefined);
});
