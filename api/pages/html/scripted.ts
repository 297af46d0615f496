import { html } from "./html.ts";

/** The attributes of a button that is disabled until its page's script has loaded and listens. */
export const scripted = [html` data-scripted`, html` disabled`];
