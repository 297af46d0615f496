import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

/** Returns every report that arrived, with the time of its arrival and the call to which it belongs, if there is one. */
const answersTo = (trial: Trial) =>
  trial.endpoint.calls.flatMap(({ at, reports }) =>
    reports
      .filter(({ kind }) => kind !== "check-in")
      .map((report) => ({ report, at, call: trial.numbers.get(report.transmission ?? 0) })),
  );

type Received = ReturnType<typeof answersTo>[number];

/** Fails for the first report for which `expectation` returns what would be right. */
function assertEach(trial: Trial, expectation: (received: Received) => string | undefined): void {
  const all = answersTo(trial);
  if (all.length === 0) throw new NotTried("no report arrived");
  for (const received of all) {
    const expected = expectation(received);
    const { report, call } = received;
    const sent = call ? `the number ${call.number} to ${call.barcode} of ${call.store}` : "no call with this number";
    if (expected !== undefined) throw new Broken({ sent, expected, came: JSON.stringify(report) });
  }
}

const pageOf = ({ call }: Received): number | undefined => {
  if (call === undefined || "order" in call.content) return undefined;
  return "page" in call.content ? call.content.page : 0;
};

const isOfItsLabel = ({ report, call }: Received): boolean =>
  call === undefined || (call.store === report.store && call.barcode === report.barcode);

/** Trials of everything that arrived while the others ran. They come last. */
export const receivedTries: readonly Try[] = [
  {
    rule: "answered-in-time",
    async run({ late, endpoint }) {
      const [first] = late;
      if (!first && endpoint.calls.length === 0) throw new NotTried("nothing was accepted and reported");
      if (first) throw new Broken({ sent: first.sent, expected: "an answer", came: first.came });
    },
  },
  {
    rule: "report-form",
    async run({ endpoint }) {
      if (endpoint.calls.length === 0) throw new NotTried("no report arrived");
      const wrong = endpoint.calls.find(({ faults }) => faults.length > 0);
      if (wrong)
        throw new Broken({
          sent: "pictures",
          expected: wrong.faults.slice(0, 3).join("; "),
          came: wrong.body.slice(0, 300),
        });
    },
  },
  {
    rule: "report-secret",
    async run({ endpoint, settings }) {
      if (endpoint.calls.length === 0) throw new NotTried("no report arrived");
      const wrong = endpoint.calls.find(({ headers }) => headers.authorization !== `Bearer ${settings.secret}`);
      const came = wrong?.headers.authorization === undefined ? "no Authorization" : "another Authorization";
      if (wrong) throw new Broken({ sent: "pictures", expected: "Authorization: Bearer and the secret", came });
    },
  },
  {
    rule: "report-label",
    async run(trial) {
      assertEach(trial, (received) => {
        const { store, barcode } = received.call ?? {};
        return isOfItsLabel(received) ? undefined : `the store ${store} and the barcode ${barcode}`;
      });
    },
  },
  {
    rule: "report-number",
    async run(trial) {
      assertEach(trial, ({ call }) => (call ? undefined : "the number of a call as transmission"));
    },
  },
  {
    rule: "report-page",
    async run(trial) {
      assertEach(trial, (received) => {
        const page = pageOf(received);
        return page === undefined || received.report.page === page ? undefined : `the page ${page}`;
      });
    },
  },
  {
    rule: "report-time",
    async run(trial) {
      const { clockMs } = trial.settings;
      assertEach(trial, ({ report, at, call }) => {
        const reported = Date.parse(report.at);
        if (reported > at + clockMs) return `a time up to ${new Date(at).toISOString()}, when it arrived`;
        if (call && reported < call.at - clockMs)
          return `a time from ${new Date(call.at).toISOString()}, when it was sent`;
        return undefined;
      });
    },
  },
  {
    rule: "reported-once",
    async run(trial) {
      if (trial.endpoint.calls.length === 0) throw new NotTried("no report arrived");
      for (const { number, times, barcode } of trial.numbers.values()) {
        const came = trial.reportsOf(number).length;
        if (came > times)
          throw new Broken({
            sent: `the number ${number} to ${barcode}, ${times} time${times === 1 ? "" : "s"}`,
            expected: "no acknowledgement after one that was answered 204",
            came: `${came} acknowledgements`,
          });
      }
    },
  },
];
