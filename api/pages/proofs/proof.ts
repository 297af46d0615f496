import type { LabelShown, Proof, SignedProof } from "../../../schemas/proof.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Page, Visit } from "../visit.ts";
import { evidenceOf, type Fact, gapsOf, periodOf, timeOf } from "./proof-facts.ts";
import { chosenTime, timeChoice } from "./time-choice.ts";

/** What a label showed at a given time, for people who must answer for it: on screen, on paper and as a signed file. */
export const proofPage: Page = {
  path: "/labels/:barcode/proof",
  below: "shelf",
  styles: ["proofs.css"],
  scripts: ["proofs/print.ts"],
  async show(visit) {
    const { texts, params, store, link, read } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const barcode = params.barcode ?? "";
    const at = chosenTime(visit);
    const found =
      at === undefined
        ? undefined
        : await read<SignedProof>("getLabelProof", { storeId: store.id, params: { barcode }, query: { at } }).catch(
            inFuture,
          );
    const content = html`<div class="page proof-page"><header class="title"><p class="crumb"><a href="${link(`/labels/${encodeURIComponent(barcode)}`)}">${barcode}</a></p>
<h1>${texts("proof.title")}</h1></header>
${timeChoice(visit, at ?? "")}
${found === undefined ? html`<p class="alert" role="alert">${texts("proof.future")}</p>` : proofDocument(visit, found)}
</div>`;
    return { title: texts("proof.title"), content };
  },
};

/** A time in the future is the visitor's mistake; any other rejection applies to the page. */
function inFuture(error: unknown): undefined {
  if (!(error instanceof ProblemError && error.problem === "invalid-request")) throw error;
}

function proofDocument(visit: Visit, { proof, jws }: SignedProof): Html {
  const { texts } = visit;
  const { barcode, shown, certainty, timeZone } = proof;
  const time = timeOf(visit, proof);
  const state = certainty === "CERTAIN" ? "OK" : certainty === "UNKNOWN" ? "ERROR" : "PENDING";
  const query = new URLSearchParams({ at: proof.localTime });
  const address = `${visit.storeBase}/labels/${encodeURIComponent(barcode)}/proof?${query.toString()}`;
  const pdf = `${address}&${new URLSearchParams({ format: "pdf", language: visit.language }).toString()}`;
  return html`<article class="card proof" data-certainty="${certainty}"><header><h2>${barcode} · ${time(proof.at)}</h2>
<p class="muted">${visit.store?.name} · ${texts("proof.zone", { zone: timeZone })}</p></header>
${shown === null ? html`<p>${texts("proof.none")}</p>` : shownThen(visit, shown, proof)}
<section><h3>${texts("proof.certain")}</h3><p class="state" data-state="${state}">${texts(`proof.${certainty}`)}</p>${gaps(visit, proof)}</section>
${evidence(visit, proof)}
<footer class="muted"><p>${texts("proof.made")}: ${time(proof.madeAt)}</p><p>${texts(jws === null ? "proof.unsigned" : "proof.signed")}</p></footer>
<div class="buttons"><a class="button primary" download="proof-${barcode}.json" href="${address}">${texts("proof.save")}</a><a class="button" download="proof-${barcode}.pdf" href="${pdf}">${texts("proof.pdf")}</a><button${scripted} type="button" id="print">${texts("proof.print")}</button><a class="button" href="${visit.link("/api/proofs/verify.html", { store: "", tenant: "" })}">${texts("proof.verify")}</a></div>
</article>`;
}

/** The picture, its items with their prices, and the period in which it was shown. */
function shownThen(visit: Visit, shown: NonNullable<Proof["shown"]>, proof: Proof): Html {
  return html`${picture(visit, proof.png)}${items(visit, shown)}${facts(periodOf(visit, proof, shown))}`;
}

const picture = ({ texts }: Visit, png: string | null): Html =>
  png === null
    ? html`<p class="muted">${texts("proof.gone")}</p>`
    : html`<p class="mat"><img class="pixels" src="data:image/png;base64,${png}" alt="${texts("proof.picture")}"></p>`;

/** The items of a picture with their prices. */
function items(visit: Visit, shown: Pick<NonNullable<LabelShown["shown"]>, "items" | "uploaded" | "fault">): Html {
  const { texts, price } = visit;
  if (shown.items.length === 0) return html`<p>${texts("proof.background")} ${shown.fault}</p>`;
  return html`<ul class="shown-items">${shown.items.map(
    (item) =>
      html`<li><span class="muted">${texts("label.itemNumber", { item: item.itemId })}</span> <strong class="price">${item.price === null ? texts("proof.noPrice") : price(item.price)}</strong></li>`,
  )}</ul>${shown.uploaded && html`<p>${texts("proof.uploaded")}</p>`}`;
}

/** The periods in which the label's contents are not known, and the pictures that it may have shown. */
function gaps(visit: Visit, proof: Proof): Html {
  const { texts } = visit;
  const others = proof.others ?? [];
  return html`${proof.gaps.length > 0 && html`<ul class="gaps">${gapsOf(visit, proof).map((gap) => html`<li>${gap}</li>`)}</ul>`}
${proof.others === null && proof.shown !== null && html`<p>${texts("proof.any")}</p>`}
${others.length > 0 && html`<h4>${texts("proof.others")}</h4>${others.map((one) => items(visit, one))}`}`;
}

/** The acknowledgement, and what the picture was made from. */
function evidence(visit: Visit, proof: Proof): Html | false {
  const rows = evidenceOf(visit, proof);
  return rows.length > 0 && html`<section><h3>${visit.texts("proof.acknowledgement")}</h3>${facts(rows)}</section>`;
}

const facts = (rows: readonly Fact[]): Html =>
  html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
