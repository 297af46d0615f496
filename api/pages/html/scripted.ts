import { html } from "./html.ts";

/** The attributes of a button that does nothing before its page's script has come: the script opens it once it listens. */
export const scripted = [html` data-scripted`, html` disabled`];
