import { unlessRedis, unlessStalled } from "./conditions.ts";
import { type Alert, databaseAlerts } from "./database-alerts.ts";

export const alerts: readonly Alert[] = [
  {
    name: "ShelfwireUnreachable",
    expression: "absent(shelfwire_mongodb_up)",
    for: "2m",
    severity: "critical",
    summary: "No web process answers /metrics?all",
    reason: "Without a web process callers get no answer, label servers cannot report, and no other alert can fire.",
    steps: [
      "`curl https://{origin}/healthz`: where it answers, compare `METRICS_TOKEN` with Prometheus's credentials, and see that the scrape asks for `?all`.",
      "Where it does not, read the last lines of the `web` processes: a missing setting is named there. Start them, or roll back the release.",
    ],
  },
  ...databaseAlerts,
  {
    name: "ShelfwireWorkerStalled",
    expression: "shelfwire:queue_stalled:seconds",
    for: "30s",
    severity: "critical",
    summary: "Work waits in a queue and none of it is finished",
    reason:
      "The label `stage` names the queue. Every price that must pass it stops there, and shelves show old prices.",
    steps: [
      'Is a process of that name running (`process_start_time_seconds{process="..."}`)? `flash` is served by `transmitter`. Start it, or raise its number from 0.',
      "Where it runs, restart it: its jobs go on in another process, and nothing is done twice. It should have ended itself after a minute: keep its log.",
      "Where it ends again and again, its log names the reason; `out of memory` asks for a larger process.",
    ],
  },
  {
    name: "ShelfwireRowsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="accepted rows"} > 900 ${unlessRedis} ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Rows that were accepted have waited for a quarter of an hour",
    reason: "The workers run and are slower than what comes in, or a store's request waits for an earlier one.",
    steps: [
      "Which tenants send so much: `topk(5, sum by (tenant) (rate(shelfwire_rows_accepted_total[15m])))`. Ask them for fewer, larger requests.",
      "Are the processes `item` and `link` busy (`rate(process_cpu_seconds_total[5m])` near 1)? Run more of them.",
      "A store that waits alone: its oldest request is in `journal` (`{open: true, store: ...}`), its reason in the log of `item` or `link`.",
    ],
  },
  {
    name: "ShelfwireChangesUnpublished",
    expression: `shelfwire_oldest_waiting_seconds{stage="unpublished changes"} > 900 ${unlessRedis}`,
    for: "1m",
    severity: "warning",
    summary: "Changes in the outbox are not published",
    reason:
      "What was written did not reach the next stage, and the sweep did not publish it: labels may show old prices.",
    steps: [
      "Read the log for `sweep`: each process sweeps every `SWEEP_EVERY` seconds and says why it cannot.",
      "`npm run audit -- --tenant ... --store ...` finds and enqueues what is stale meanwhile.",
    ],
  },
  {
    name: "ShelfwireReportsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="label reports"} > 300 ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Reports of label servers are not applied",
    reason: "Labels that show their picture read PENDING, and are sent it again.",
    steps: [
      "The process `transmitter` applies them: is one running? Its log names reports that cannot be applied.",
      "Where it runs and is busy, run another one.",
    ],
  },
  {
    name: "ShelfwireEventsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="events"} > 300`,
    for: "1m",
    severity: "warning",
    summary: "Events for subscribers are not delivered",
    reason: "Subscribers learn late of changes. Nothing is lost: events wait in MongoDB.",
    steps: [
      "The process `notifier` makes deliveries of them: is one running? Where it is busy, run another one.",
      "A receiver that is away does not fire this alert: its deliveries wait at its subscription.",
    ],
  },
  {
    name: "ShelfwireLabelServerAway",
    expression: "shelfwire:label_server_unanswered:calls",
    for: "30s",
    severity: "critical",
    summary: "The label server answers no call",
    reason: "No picture reaches a label. Prices wait, and are sent as soon as it answers: labels need no refresh.",
    steps: [
      "Can `LABEL_SERVER_URL` be reached from where the transmitter runs? The log of `transmitter` has the calls that failed, with the address and the reason.",
      "Tell whoever runs the label server. Five calls without an answer open the circuit, for a second first and for five at most; nothing needs a restart.",
    ],
  },
  {
    name: "ShelfwireOneLabelServerAway",
    expression: "max(shelfwire_label_servers_away) > 0 unless on () shelfwire:label_server_unanswered:calls",
    for: "3m",
    severity: "critical",
    summary: "One of several label servers answers no call",
    reason: "The labels of its stores keep their old prices; those of other stores get theirs.",
    steps: [
      "`/stores` (with the operator's token) and `GET /t/{tenantId}/api/management/v1/label-server-health` name it, with its last answer and failure.",
      "Can its address be reached from where the transmitter runs? Where it has moved, put its new address (`npm run admin -- label-server put`).",
      "Nothing needs a restart: what waits for it is sent as soon as it answers.",
    ],
  },
  {
    name: "ShelfwireLabelServerDenies",
    expression: "max(shelfwire_label_servers_denying) > 0",
    for: "1m",
    severity: "critical",
    summary: "A label server does not take the secret of Shelfwire",
    reason:
      "It answers 401 or 403. No picture reaches the labels of its stores. Prices wait, and are sent within seconds once it agrees.",
    steps: [
      "`/stores` (with the operator's token) and `GET /t/{tenantId}/api/management/v1/label-server-health` name it (`DENIES`), the log of `transmitter` its address (`labelServer`).",
      "Give both the same secret ([Replacing secrets](tokens.md#replacing-secrets)): `LABEL_SERVER_SECRET` for the installation's, `npm run admin -- label-server put` for one of a tenant.",
      "Nothing needs a refresh, and no label is given up for it.",
    ],
  },
  {
    name: "ShelfwirePicturesRefused",
    expression: `sum(increase(shelfwire_label_server_answers_total{call="page", answer="refused"}[15m])) > 10`,
    for: "1m",
    severity: "warning",
    summary: "The label server refuses pictures",
    reason: "A label whose picture is refused reads ERROR and keeps the old price; it is sent to about once an hour.",
    steps: [
      "`GET /labels/{barcode}/history` of a label in ERROR has the status of the label server's answer; `GET /t/{tenantId}/api/management/v1/label-server-health` has its text, with the operator's token.",
      "404: the label server does not know the label. 413 or 422: its type does not fit.",
    ],
  },
  {
    name: "ShelfwirePicturesWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="pictures to send"} > 300 unless on () max(shelfwire_label_servers_away) > 0 unless on () max(shelfwire_label_servers_denying) > 0 unless on () shelfwire:label_server_unanswered:calls ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Pictures that are due are not sent",
    reason: "Drawn prices wait to be sent: the label server is slower than what is drawn.",
    steps: [
      "`rate(shelfwire_label_server_answers_total[5m])` by `answer`: many `busy` say that the label server is at its limit.",
      "Where its calls are fast, raise `LABEL_SERVER_CONCURRENCY`, or run another `transmitter`.",
    ],
  },
  {
    name: "ShelfwireLabelsInError",
    expression: `sum(shelfwire_labels{state="ERROR"}) > 0.02 * sum(shelfwire_labels) and sum(shelfwire_labels{state="ERROR"}) >= 10`,
    for: "15m",
    severity: "warning",
    summary: "More than 2 % of the labels are in ERROR",
    reason: "They cannot show what they should: their design has a fault, or they took no picture in ten tries.",
    steps: [
      "`GET /labels?filters=plState=ERROR` of the stores; `GET /labels/{barcode}` names the reason.",
      "One design: correct it. One place in a shop: its transceiver or its power. All of a release: roll it back.",
    ],
  },
  {
    name: "ShelfwireLabelsOffline",
    expression: `sum(shelfwire_labels{state="OFFLINE"}) > 0.05 * sum(shelfwire_labels) and sum(shelfwire_labels{state="OFFLINE"}) >= 10`,
    for: "15m",
    severity: "warning",
    summary: "More than 5 % of the labels are OFFLINE",
    reason: "They were not heard for `OFFLINE_AFTER` seconds, and prices that change now do not reach them.",
    steps: [
      "Group them by store and transceiver: one transceiver is a cable or a power supply, a whole store its network.",
      "Single labels that are scattered have empty batteries: `batteryState` in `GET /labels`.",
    ],
  },
  {
    name: "ShelfwireJobsFail",
    expression: "sum by (queue) (increase(shelfwire_jobs_failed_total[15m])) > 5",
    for: "1m",
    severity: "warning",
    summary: "Jobs of a queue fail",
    reason:
      "Whole jobs fail for errors that no single record caused. Each is tried five times; then audits repair what it left.",
    steps: ["The log has each of them (`a job failed`) with its error.", "After a release: roll it back."],
  },
  {
    name: "ShelfwireKeysFail",
    expression: "sum by (queue) (increase(shelfwire_keys_failed_total[15m])) > 10",
    for: "1m",
    severity: "warning",
    summary: "Records cannot be handled and wait alone",
    reason: "A record that fails alone is set aside and tried again, at most hourly; its label keeps the old price.",
    steps: [
      "The collection `failure` has their keys and reasons, the log a line for each (`a key could not be processed`).",
      "They go on by themselves once the reason is gone.",
    ],
  },
  {
    name: "ShelfwireApiErrors",
    expression: `sum(rate(shelfwire_http_answers_total{status="5xx"}[5m])) > 0.05 * sum(rate(shelfwire_http_answers_total[5m])) unless on () shelfwire_mongodb_up == 0`,
    for: "5m",
    severity: "warning",
    summary: "More than 5 % of the answers are 5xx",
    reason: "Callers must repeat their calls, and those that do not lose price changes.",
    steps: [
      "The log of `web` has each of them with its path and `X-Request-Id`; a 500 has its error (`a request failed`).",
      "503 with a slow database: look at `shelfwire_mongodb_command_seconds`.",
    ],
  },
  {
    name: "ShelfwireEventLoopBlocked",
    expression: `max by (process) (shelfwire_event_loop_delay_seconds{statistic="p99"}) > 0.25`,
    for: "10m",
    severity: "warning",
    summary: "A process does not keep up",
    reason: "Its timers and answers are a quarter of a second late: all that passes it is slow.",
    steps: [
      "Is it busy (`rate(process_cpu_seconds_total[5m])` near 1)? Run more processes of that name.",
      "Where it is not, its machine is: give it a processor of its own. `web` logs which operation stood still.",
    ],
  },
  {
    name: "ShelfwireExpressionFaults",
    expression: "increase(shelfwire_expression_faults_total[1h]) > 1000",
    for: "1m",
    severity: "warning",
    summary: "Expressions of rules cannot be evaluated",
    reason:
      "A scenario whose expression fails does not hold: labels show another design than the rule's author wanted.",
    steps: [
      "The log of `evaluator` names the packs and scenarios, with one error of each.",
      "Tell the tenant: usually a text stands where the expression expects a number.",
    ],
  },
];
