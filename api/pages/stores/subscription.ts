import { type ObservedTopic, observedTopics, type TEST_EVENT } from "../../../schemas/events.ts";
import { idOf } from "../../../schemas/keys.ts";
import type { Notice } from "../../../schemas/notice.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { noticeText } from "../layout/notice-text.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { instantText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";
import { onePage, resourceForm, textField } from "./resource-form.ts";
import { deliveryStates, readOfTenant, type ShownSubscription } from "./stores.ts";

interface DeadLetter {
  deadLetterId: string;
  event: { type: ObservedTopic | typeof TEST_EVENT; data?: { key?: string } };
  since: string;
  attempts: number;
  reason: string;
  notice?: Notice;
}

const common = { below: "stores", styles: ["label.css", "items.css", "stores.css"] } as const;

/** One subscription: its topics, the state of its deliveries, and the events whose delivery was abandoned. */
export const subscriptionPage: Page = {
  ...common,
  path: "/subscriptions/:subscriptionId",
  scripts: ["stores/subscription.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    const { texts, manage, link } = visit;
    const params = { subscriptionId: visit.params.subscriptionId ?? "" };
    const [one, letters] = await Promise.all([
      readOfTenant<ShownSubscription>(visit, "getSubscription", params),
      readOfTenant<DeadLetter[]>(visit, "listDeadLetters", params),
    ]);
    const address = `${manage}/subscriptions/${encodeURIComponent(one.subscriptionId)}`;
    const content = html`<div id="subscription" class="columns-2" data-address="${address}" data-back="${link("/stores", { store: "" })}" data-texts="${scriptTexts(visit, scriptKeys)}">
${facts(visit, one)}
${deadLetters(visit, letters)}
</div>`;
    return { title: texts("subscriptions.title"), content: onePage(visit, one.url, content) };
  },
};

function facts(visit: Visit, one: ShownSubscription): Html {
  const { texts, language, store, mayWrite } = visit;
  const { topics, createdAt, stopped, stoppedNotice, lastFailure, lastFailureNotice } = one;
  return html`<section class="card" aria-labelledby="state-title"><h2 id="state-title">${texts("subscription.state")}</h2>
<div id="state" data-live class="facts-live"><p class="states">${deliveryStates(visit, one)}</p>
${stopped !== null && html`<p class="trouble">${texts("subscription.stoppedWhy")} ${noticeText(stoppedNotice, stopped, texts)}</p>`}
${lastFailure !== null && html`<p>${texts("subscription.failure")} ${noticeText(lastFailureNotice, lastFailure, texts)}</p>`}</div>
<p class="muted">${texts("subscription.since", { time: instantText(createdAt, language, store?.timeZone) })}</p>
<div><p class="muted">${texts("subscription.topics")}</p><ul class="topics">${topics.map((topic) => html`<li>${texts(`topic.${topic}`)}</li>`)}</ul></div>
${
  mayWrite &&
  html`<form id="address-form" class="readdress">${textField("url", texts("subscription.url"), one.url, { type: "url", maxlength: "2048" })}<button${scripted}>${texts("subscription.readdress")}</button></form>
<div class="buttons">${stopped !== null && html`<button${scripted} type="button" data-act="resume">${texts("subscription.resume")}</button>`}<button${scripted} type="button" data-act="test">${texts("subscription.test")}</button><button${scripted} type="button" class="danger" data-act="remove">${texts("subscription.remove")}</button></div>
<dialog id="remove-dialog" aria-labelledby="remove-title"><form method="dialog"><h2 id="remove-title">${texts("form.sure")}</h2><p>${texts("subscription.removeWhat")}</p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${texts("subscription.remove")}</button></div></form></dialog>`
}
<p class="outcome" role="status" id="outcome" tabindex="-1"></p></section>`;
}

/** The events whose delivery was abandoned, each with a button to retry it. */
function deadLetters({ texts, language, store, mayWrite }: Visit, letters: readonly DeadLetter[]): Html {
  const row = ({ deadLetterId, event, since, attempts, reason, notice }: DeadLetter) =>
    html`<li><div><p><time datetime="${since}">${instantText(since, language, store?.timeZone)}</time> ${texts(`topic.${event.type}`)} <span class="muted">${event.data?.key && idOf(event.data.key)}</span></p><p class="muted">${texts("dead.row", { count: attempts })} – ${noticeText(notice, reason, texts)}</p></div>${mayWrite && html`<button${scripted} type="button" data-act="replay" data-letter="${deadLetterId}">${texts("dead.replay")}</button>`}</li>`;
  return html`<section class="card" id="dead" data-live aria-labelledby="dead-title"><header class="bar"><h2 id="dead-title">${texts("dead.title")}</h2>${letters.length > 0 && mayWrite && html`<button${scripted} type="button" data-act="replay">${texts("dead.replayAll")}</button>`}</header>
${letters.length === 0 ? html`<p>${texts("dead.none")}</p>` : html`<ul class="letters">${letters.map(row)}</ul>`}<p class="hint">${texts("dead.hint")}</p></section>`;
}

const scriptKeys = ["subscription.tested", "dead.replayed", "form.failed", "form.refused", ...refusalKeys] as const;

/** A new subscription. */
export const newSubscriptionPage: Page = {
  ...common,
  path: "/new/subscription",
  scripts: ["stores/save-resource.ts"],
  async show(visit) {
    const { texts, mayWrite } = visit;
    await readOfTenant(visit, "listSubscriptions");
    const title = texts("subscriptions.new");
    const fields = html`${textField("url", texts("subscription.url"), undefined, { type: "url", maxlength: "2048" })}
<label class="field when"><span>${texts("subscription.together")}</span><input name="eventsACall" type="number" min="1" max="100" value="1" required></label>
<fieldset class="boxes"><legend>${texts("subscription.topics")}</legend>${observedTopics.map((topic) => html`<label class="check"><input type="checkbox" name="topics" value="${topic}"><span>${texts(`topic.${topic}`)}</span></label>`)}</fieldset>`;
    return {
      title,
      content: onePage(visit, title, resourceForm(visit, { list: "/subscriptions", fields, isOpen: mayWrite })),
    };
  },
};
