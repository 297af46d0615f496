import { unlessRedis, unlessStalled } from "./conditions.ts";
import { type Alert, databaseAlerts } from "./database-alerts.ts";

export const alerts: readonly Alert[] = [
  {
    name: "ShelfwireUnreachable",
    expression: "absent(shelfwire_mongodb_up)",
    for: "2m",
    severity: "critical",
    summary: "No web process responds at /metrics?all",
    reason:
      "Without a web process, callers get no responses, label servers cannot send reports, and no other alert can fire.",
    steps: [
      "`curl https://{origin}/healthz`: if it responds, compare `METRICS_TOKEN` with Prometheus's credentials, and check that Prometheus scrapes `?all`.",
      "If it does not respond, read the last log lines of the `web` processes, which name any missing setting. Start the processes, or roll back the release.",
    ],
  },
  ...databaseAlerts,
  {
    name: "ShelfwireWorkerStalled",
    expression: "shelfwire:queue_stalled:seconds",
    for: "30s",
    severity: "critical",
    summary: "Work waits in a queue and none is completed",
    reason:
      "The label `stage` names the queue. Every price that must pass through it stops there, and shelves show old prices.",
    steps: [
      'Check that a process of that name is running (`process_start_time_seconds{process="..."}`); `transmitter` serves `flash`. Start it, or increase its number from 0.',
      "If it is running, restart it: another process continues its jobs, and nothing is done twice. It should have exited by itself after a minute: keep its log.",
      "If it exits again and again, its log contains the reason; after `out of memory`, use a larger process.",
    ],
  },
  {
    name: "ShelfwireRowsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="accepted rows"} > 900 ${unlessRedis} ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Accepted rows have been waiting for 15 minutes",
    reason:
      "The workers are running but are slower than the incoming requests, or a request of a store waits for an earlier one.",
    steps: [
      "Find the tenants that send the most: `topk(5, sum by (tenant) (rate(shelfwire_rows_accepted_total[15m])))`. Ask them to send fewer, larger requests.",
      "Check whether the processes `item` and `link` are busy (`rate(process_cpu_seconds_total[5m])` near 1), and run more of them if they are.",
      "If only one store is waiting: its oldest request is in `journal` (`{open: true, store: ...}`), and the reason is in the log of `item` or `link`.",
    ],
  },
  {
    name: "ShelfwireChangesUnpublished",
    expression: `shelfwire_oldest_waiting_seconds{stage="unpublished changes"} > 900 ${unlessRedis}`,
    for: "1m",
    severity: "warning",
    summary: "Changes in the outbox are not published",
    reason:
      "Written changes did not reach the next stage, and the sweep did not publish them: labels may show old prices.",
    steps: [
      "Search the log for `sweep`: each process sweeps every `SWEEP_EVERY` seconds and logs why it fails.",
      "In the meantime, `npm run audit -- --tenant ... --store ...` finds and enqueues stale records.",
    ],
  },
  {
    name: "ShelfwireReportsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="label reports"} > 300 ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Reports of label servers are not applied",
    reason: "Labels that show their picture are still listed as PENDING, and the picture is sent again.",
    steps: [
      "The process `transmitter` applies them: check that one is running. Its log names reports that cannot be applied.",
      "If it is running and busy, run another one.",
    ],
  },
  {
    name: "ShelfwireEventsWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="events"} > 300`,
    for: "1m",
    severity: "warning",
    summary: "Events for subscribers are not delivered",
    reason: "Subscribers are notified of changes late. Nothing is lost: events wait in MongoDB.",
    steps: [
      "The process `notifier` creates deliveries from events: check that one is running. If it is busy, run another one.",
      "A receiver that does not respond does not trigger this alert: its deliveries wait at its subscription.",
    ],
  },
  {
    name: "ShelfwireLabelServerAway",
    expression: "shelfwire:label_server_unanswered:calls",
    for: "30s",
    severity: "critical",
    summary: "The label server does not respond to any call",
    reason:
      "No picture reaches a label. Prices wait and are sent as soon as it responds: labels do not need a refresh.",
    steps: [
      "Check that `LABEL_SERVER_URL` can be reached from the transmitter's machine. The log of `transmitter` contains the failed calls, with the address and the reason.",
      "Inform the operator of the label server. After five unanswered calls the circuit opens, for one second at first and for five at most; no restart is needed.",
    ],
  },
  {
    name: "ShelfwireOneLabelServerAway",
    expression: "max(shelfwire_label_servers_away) > 0 unless on () shelfwire:label_server_unanswered:calls",
    for: "3m",
    severity: "critical",
    summary: "One of several label servers does not respond to any call",
    reason: "The labels of its stores keep their old prices; other stores are not affected.",
    steps: [
      "`/stores` (with the operator's token) and `GET /t/{tenantId}/api/management/v1/label-server-health` name it, with its last response and its last failure.",
      "Check that its address can be reached from the transmitter's machine. If it has moved, set the new address (`npm run admin -- label-server put`).",
      "No restart is needed: what is waiting is sent as soon as it responds.",
    ],
  },
  {
    name: "ShelfwireLabelServerDenies",
    expression: "max(shelfwire_label_servers_denying) > 0",
    for: "1m",
    severity: "critical",
    summary: "A label server rejects Shelfwire's secret",
    reason:
      "It responds with 401 or 403. No picture reaches the labels of its stores. Prices wait and are sent within seconds once it accepts the secret.",
    steps: [
      "`/stores` (with the operator's token) and `GET /t/{tenantId}/api/management/v1/label-server-health` name it (`DENIES`), the log of `transmitter` its address (`labelServer`).",
      "Give both the same secret ([Replacing secrets](replace-secrets.md)): `LABEL_SERVER_SECRET` for the installation's, `npm run admin -- label-server put` for one of a tenant.",
      "Nothing needs a refresh, and no label is given up for it.",
    ],
  },
  {
    name: "ShelfwirePicturesRefused",
    expression: `sum(increase(shelfwire_label_server_answers_total{call="page", answer="refused"}[15m])) > 10`,
    for: "1m",
    severity: "warning",
    summary: "The label server rejects pictures",
    reason:
      "A label whose picture is rejected is listed as ERROR and keeps the old price; the transmission is retried about once an hour.",
    steps: [
      "`GET /labels/{barcode}/history` of a label in ERROR contains the status of the label server's response; `GET /t/{tenantId}/api/management/v1/label-server-health` contains its text, with the operator's token.",
      "404: the label server does not know the label. 413 or 422: the label type does not match.",
    ],
  },
  {
    name: "ShelfwirePicturesWait",
    expression: `shelfwire_oldest_waiting_seconds{stage="pictures to send"} > 300 unless on () max(shelfwire_label_servers_away) > 0 unless on () max(shelfwire_label_servers_denying) > 0 unless on () shelfwire:label_server_unanswered:calls ${unlessStalled}`,
    for: "1m",
    severity: "warning",
    summary: "Pictures that are due are not sent",
    reason: "Drawn prices wait to be sent: the label server is slower than the renderer.",
    steps: [
      "`rate(shelfwire_label_server_answers_total[5m])` by `answer`: many `busy` responses mean that the label server has reached its limit.",
      "If its calls are fast, increase `LABEL_SERVER_CONCURRENCY`, or run another `transmitter`.",
    ],
  },
  {
    name: "ShelfwireLabelsInError",
    expression: `sum(shelfwire_labels{state="ERROR"}) > 0.02 * sum(shelfwire_labels) and sum(shelfwire_labels{state="ERROR"}) >= 10`,
    for: "15m",
    severity: "warning",
    summary: "More than 2% of the labels are in ERROR",
    reason: "They cannot show what they should: their design is faulty, or ten transmissions to them have failed.",
    steps: [
      "List the labels with `GET /labels?filters=plState=ERROR` in each store; `GET /labels/{barcode}` returns the reason.",
      "If one design is affected, correct it. If one part of a store is affected, check its transceiver and the transceiver's power supply. If all labels are affected since a release, roll it back.",
    ],
  },
  {
    name: "ShelfwireLabelsOffline",
    expression: `sum(shelfwire_labels{state="OFFLINE"}) > 0.05 * sum(shelfwire_labels) and sum(shelfwire_labels{state="OFFLINE"}) >= 10`,
    for: "15m",
    severity: "warning",
    summary: "More than 5% of the labels are OFFLINE",
    reason: "They have not been heard from for `OFFLINE_AFTER` seconds, and current price changes do not reach them.",
    steps: [
      "Group them by store and transceiver: if one transceiver is affected, check its cable and power supply; if a whole store is affected, its network.",
      "Single labels in different places usually have empty batteries: see `batteryState` in `GET /labels`.",
    ],
  },
  {
    name: "ShelfwireJobsFail",
    expression: "sum by (queue) (increase(shelfwire_jobs_failed_total[15m])) > 5",
    for: "1m",
    severity: "warning",
    summary: "Jobs of a queue fail",
    reason:
      "Whole jobs fail because of errors that no single record caused. Each is tried five times; then audits repair what is missing.",
    steps: [
      "The log contains each failure (`a job failed`) with its error.",
      "If it began after a release, roll it back.",
    ],
  },
  {
    name: "ShelfwireKeysFail",
    expression: "sum by (queue) (increase(shelfwire_keys_failed_total[15m])) > 10",
    for: "1m",
    severity: "warning",
    summary: "Records cannot be processed and wait for individual retries",
    reason: "A record that fails on its own is set aside and retried at least hourly; its label keeps the old price.",
    steps: [
      "The collection `failure` contains their keys and reasons, and the log has a line for each (`a key could not be processed`).",
      "They are processed automatically once the reason is removed.",
    ],
  },
  {
    name: "ShelfwireApiErrors",
    expression: `sum(rate(shelfwire_http_answers_total{status="5xx"}[5m])) > 0.05 * sum(rate(shelfwire_http_answers_total[5m])) unless on () shelfwire_mongodb_up == 0`,
    for: "5m",
    severity: "warning",
    summary: "More than 5% of the responses are 5xx",
    reason: "Callers must repeat their requests; callers that do not repeat them lose price changes.",
    steps: [
      "The log of `web` contains each of them with its path and `X-Request-Id`; for a 500 also the error (`a request failed`).",
      "If 503s coincide with a slow database, check `shelfwire_mongodb_command_seconds`.",
    ],
  },
  {
    name: "ShelfwireEventLoopBlocked",
    expression: `max by (process) (shelfwire_event_loop_delay_seconds{statistic="p99"}) > 0.25`,
    for: "10m",
    severity: "warning",
    summary: "A process is overloaded",
    reason: "Its event loop lags by more than 250 ms (99th percentile), which delays everything that it handles.",
    steps: [
      "Check whether it is busy (`rate(process_cpu_seconds_total[5m])` near 1), and run more processes of that name if it is.",
      "If it is not busy, its machine is: give it its own processor. `web` logs which operation blocked it.",
    ],
  },
  {
    name: "ShelfwireExpressionFaults",
    expression: "increase(shelfwire_expression_faults_total[1h]) > 1000",
    for: "1m",
    severity: "warning",
    summary: "Expressions of rules cannot be evaluated",
    reason:
      "A scenario whose expression fails does not apply: labels show a different design than the rule's author intended.",
    steps: [
      "The log of `evaluator` names the packs and scenarios, with one error each.",
      "Inform the tenant: usually the expression expects a number but gets a string.",
    ],
  },
];
