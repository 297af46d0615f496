import type { PlState } from "../../../schemas/label.ts";
import { type Html, html } from "../html/html.ts";
import type { Texts } from "../messages/texts.ts";

/** Outlines on a 16 by 16 grid; each state has its own shape, so that no state is shown only by colour. */
const outlines = {
  OK: html`<circle cx="8" cy="8" r="6.5"/><path d="m5 8.2 2.1 2.1L11 6.2"/>`,
  PENDING: html`<circle cx="8" cy="8" r="6.5"/><path d="M8 4.2V8l2.6 1.7"/>`,
  ERROR: html`<path d="M8 1.8 15 14H1z"/><path d="M8 6.4v3.4M8 11.8v.2"/>`,
  OFFLINE: html`<circle cx="8" cy="8" r="6.5"/><path d="m3.6 12.4 8.8-8.8"/>`,
  UNKNOWN: html`<circle cx="8" cy="8" r="6.5"/><path d="M6 6.4a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1M8 11.4v.2"/>`,
  NEW: html`<circle cx="8" cy="8" r="6.5" stroke-dasharray="2.6 2.5"/>`,
  battery: html`<rect x="1.5" y="4.5" width="11" height="7" rx="1.5"/><path d="M14.5 7v2M4 7v2"/>`,
  store: html`<path d="M2.5 6.5V14h11V6.5M1.5 6 3 2h10l1.5 4zM6.5 14v-4h3v4"/>`,
  person: html`<circle cx="8" cy="5" r="2.8"/><path d="M2.5 14c.6-3 2.7-4.4 5.5-4.4s4.9 1.4 5.5 4.4"/>`,
  camera: html`<path d="M1.5 5V2.5a1 1 0 0 1 1-1H5M11 1.5h2.5a1 1 0 0 1 1 1V5M14.5 11v2.5a1 1 0 0 1-1 1H11M5 14.5H2.5a1 1 0 0 1-1-1V11M5 5.5v5M8 5.5v5M11 5.5v5"/>`,
  link: html`<path d="m6.5 9.5 3-3M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7"/>`,
  unlink: html`<path d="M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7M2 2l12 12"/>`,
  replace: html`<path d="M2 6h10.5L10 3.5M14 10.5H3.5L6 13"/>`,
  find: html`<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 4 4"/>`,
  check: html`<path d="M3 14.5v-12h9l-2 3.5 2 3.5H3"/>`,
  yes: html`<path d="m3 8.5 3.2 3.2L13 4.6"/>`,
  no: html`<path d="m4 4 8 8m0-8-8 8"/>`,
} as const;

/** A small picture next to a word; screen readers skip it. */
export const mark = (name: keyof typeof outlines): Html =>
  html`<svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${outlines[name]}</svg>`;

/** A label's state: shape, word and colour. */
export const stateMark = (state: PlState, texts: Texts): Html =>
  html`<span class="state" data-state="${state}">${mark(state)}${texts(`state.${state}`)}</span>`;
