import test from "ava";
import { collectMail, MAILS_PER_HOUR } from "../../../domain/notifications/mails.ts";
import { type Observed, observe, placeOf, type StateNow } from "../../../domain/notifications/observe.ts";
import type { Mail, Notification, NotificationEntry } from "../../../schemas/notification.ts";
import { MAX_ENTRIES } from "../../../schemas/notification.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 8, minute));
const late = (count: number): StateNow => ({
  ...{ id: "late main", kind: "LATE_LABELS", store: "main", minutes: 30, count },
  since: at(0),
});
const place = placeOf(late(1));
const looking = (states: StateNow[], more: Partial<Observed> = {}): Observed => ({
  ...{ watched: new Set([place]), known: new Set([place]), states, happened: [] },
  ...more,
});
const nothing = { open: [], collected: [], left: 0 };
/** The notifications after several checks a minute apart; `"reported"` sends what was collected. */
function after(...looks: (Observed | "reported")[]) {
  let present: Pick<Notification, "open" | "collected" | "left"> = nothing;
  for (const [minute, look] of looks.entries())
    present = look === "reported" ? { ...present, collected: [], left: 0 } : observe(present, look, at(minute));
  return present;
}
const said = ({ collected }: { collected: NotificationEntry[] }) =>
  collected.map(({ event, count = 0 }) => `${event} ${count}`);

for (const [rule, looks, expected] of [
  ["a state that begins is collected", [looking([late(3)])], ["BEGUN 3"]],
  ["a state that lasts is collected once", [looking([late(3)]), looking([late(4)])], ["BEGUN 3"]],
  ["a state that was reported is not repeated", [looking([late(3)]), "reported", looking([late(9)])], []],
  [
    "a state that became much worse is reported again",
    [looking([late(3)]), "reported", looking([late(13)])],
    ["BEGUN 13"],
  ],
  [
    "a state that improved greatly is reported again when it becomes much worse",
    [looking([late(200)]), "reported", looking([late(1)]), looking([late(190)])],
    ["BEGUN 190"],
  ],
  ["the end of a reported state is reported", [looking([late(3)]), "reported", looking([])], ["OVER 0"]],
  ["a state that ends before anybody was notified leaves nothing", [looking([late(3)]), looking([])], []],
  [
    "a state that is currently unknown is not over",
    [looking([late(3)]), "reported", looking([], { known: new Set() })],
    [],
  ],
  [
    "a state that is currently unknown is not over, even if similar states are known",
    [looking([late(3)]), "reported", looking([], { unknown: new Set(["late main"]) })],
    [],
  ],
  ["a state that is no longer watched is forgotten", [looking([late(3)]), looking([], { watched: new Set() })], []],
  ["a state that nobody watches is not collected", [looking([late(3)], { watched: new Set() })], []],
] as const)
  test(rule, (t) => {
    t.deepEqual(said(after(...looks)), expected);
  });

test("an event is collected once, however often it is found, and events beyond the limit are counted", (t) => {
  const failed = (request: number): NotificationEntry => ({
    ...{ id: `failed ${request}`, kind: "LATE_LABELS", store: "main", event: "HAPPENED", at: at(0) },
  });
  const twice = looking([], { happened: [failed(1)] });
  t.is(after(twice, twice).collected.length, 1);
  const many = looking([], { happened: Array.from({ length: MAX_ENTRIES + 5 }, (_, index) => failed(index)) });
  t.like(after(many), { left: 5 });
  t.is(after(many).collected.length, MAX_ENTRIES);
});

test("the end of a hold is not reported, since the person who decides already knows", (t) => {
  const held: StateNow = { id: "held main 7", kind: "HELD", store: "main", request: 7, since: at(0), count: 2 };
  const places = new Set([placeOf(held)]);
  const look = (states: StateNow[]) => looking(states, { watched: places, known: places });
  t.deepEqual(said(after(look([held]), "reported", look([]))), []);
});

const entry: NotificationEntry = { ...late(3), event: "BEGUN", at: at(0) };
const waiting = { collected: [entry], left: 0, mails: [], sent: [], address: "ana@chain.example" };
const refused = { at: at(0), address: "ana@chain.example", reason: "550", isAddress: true };
const underWay: Mail = {
  ...{ id: "one", kind: "DIGEST", to: "ana@chain.example", entries: [], left: 0, attempts: 0 },
  ...{ since: at(0), due: at(9) },
};
for (const [rule, given, minute, isMade] of [
  ["an e-mail waits some minutes for more events", waiting, 4, false],
  ["after those minutes the e-mail is made", waiting, 5, true],
  ["nothing is sent to an unconfirmed address", { ...waiting, address: undefined }, 5, false],
  ["nothing is sent to a refused address", { ...waiting, failure: refused }, 5, false],
  ["no second e-mail is made while one is being sent", { ...waiting, mails: [underWay] }, 5, false],
  [
    "at most a few e-mails are made within an hour",
    { ...waiting, sent: Array.from({ length: MAILS_PER_HOUR }, () => at(0)) },
    59,
    false,
  ],
  [
    "after an hour the next e-mail is made",
    { ...waiting, sent: Array.from({ length: MAILS_PER_HOUR }, () => at(0)) },
    60,
    true,
  ],
] as const)
  test(rule, (t) => {
    const { mails, collected } = collectMail(given as typeof waiting, "new", at(minute));
    t.is(
      mails.some(({ id }: { id: string }) => id === "new"),
      isMade,
    );
    t.is(collected.length, isMade ? 0 : 1);
  });
