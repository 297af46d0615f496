import test from "ava";
import { withMails } from "../../../domain/notifications/mails.ts";
import type { Attempt } from "../../../domain/notifications/retry-mail.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import type { Mail, Notification, NotificationEntry } from "../../../schemas/notification.ts";
import { createSendMails } from "../../../workers/notifier/mails/send-mails.ts";
import { ownSystem } from "../../harness/own.ts";
import { notifiedPeople } from "./notified-people.ts";

const own = ownSystem();
const people = notifiedPeople(own);
const sent: string[] = [];
const set = { attempt: { kind: "sent" } as Attempt, isClosing: false };
const sendMails = () =>
  createSendMails({
    ...own.system,
    databaseNow: people.now,
    origin: "https://labels.example",
    random: () => 0,
    async send({ subject }) {
      sent.push(subject);
      return set.attempt;
    },
    isClosing: () => set.isClosing,
  })();

/** Prepares an e-mail to a person about states of these kinds. */
async function mailTo(name: string, ...kinds: NotificationEntry["kind"][]): Promise<void> {
  const at = people.now();
  const entries = kinds.map(
    (kind): NotificationEntry => ({ ...{ id: kind, kind, store: "main", event: "BEGUN", at, since: at }, count: 1 }),
  );
  const mail: Mail = {
    ...{ id: `of ${name}`, kind: "DIGEST", to: `${name}@chain.example`, entries, left: 0 },
    ...{ since: at, attempts: 0, due: at },
  };
  await own.system.commit.change(
    notifications,
    [people.keyOf(`sub ${name}`)],
    (_, one: Notification | undefined) => one && withMails(one, [mail]),
    "bulk",
  );
}
const join = async (name: string) => {
  await people.setUser(name, ["main"], "manager");
  await people.choose(`sub ${name}`, ["HELD", "LATE_LABELS"], { address: `${name}@chain.example` });
};

test.serial.before(async () => void (await people.addStore("main", "UTC")));

test.serial("a waiting e-mail omits the kinds that its recipient no longer wants", async (t) => {
  await join("ana");
  await mailTo("ana", "HELD", "LATE_LABELS");
  await people.choose("sub ana", ["HELD"], { address: "ana@chain.example" });
  await sendMails();
  t.is(sent.length, 1);
  t.regex(sent[0] ?? "", /approval/);
  await mailTo("ana", "LATE_LABELS");
  await sendMails();
  t.deepEqual([sent.length, (await people.read("sub ana"))?.mails], [1, []]);
});

test.serial(
  "an unreachable mail server is called once per round, and no e-mail is lost or loses an attempt",
  async (t) => {
    sent.length = 0;
    for (const name of ["eva", "ivo", "max"]) {
      await join(name);
      await mailTo(name, "HELD");
    }
    set.attempt = { kind: "later", reason: "ECONNECTION", isAway: true };
    await sendMails();
    t.is(sent.length, 1);
    set.attempt = { kind: "sent" };
    await sendMails();
    t.is(sent.length, 3);
    await people.look(2);
    await sendMails();
    t.is(sent.length, 4);
  },
);

test.serial("a process that ends begins no e-mail", async (t) => {
  sent.length = 0;
  await mailTo("eva", "HELD");
  set.isClosing = true;
  await sendMails();
  t.deepEqual(sent, []);
  set.isClosing = false;
  await sendMails();
  t.is(sent.length, 1);
});
