import { untilTaken } from "../../../api/calls.ts";

/** A request to the web process, with its session and its expected response. */
export interface AskedPage {
  path: string;
  /** The user whose session is used; without one, the caller is not logged in. */
  by?: "operator" | "office" | "shop";
  language?: "en" | "de" | "hr";
  method?: "GET" | "POST" | "PATCH" | "PUT";
  /** Sends the login form with that session's token. */
  logsIn?: true;
  /** The body of a call by a page's script. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The expected status of the response. */
  ends: number;
  says: readonly RegExp[];
}

/** Requests pages as a browser does, with these sessions' cookies. */
export function openBrowser(
  origin: string,
  sessions: Readonly<Record<string, string>>,
  tokens: Readonly<Record<string, string>> = {},
) {
  return {
    async ask({ path, by, language = "en", logsIn, body, headers, ...asked }: AskedPage) {
      const method = asked.method ?? (logsIn ? "POST" : "GET");
      const answer = await fetch(`${origin}${path}`, {
        method,
        redirect: "manual",
        headers: {
          accept: body === undefined ? "text/html,application/xhtml+xml,*/*;q=0.8" : "application/json",
          "accept-language": language,
          ...(by !== undefined && !logsIn && { cookie: sessions[by] ?? "" }),
          ...(method !== "GET" && { origin }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(logsIn && { body: new URLSearchParams({ token: tokens[by ?? ""] ?? "" }) }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { code: answer.status, text: `${answer.headers.get("content-type")}\n${await answer.text()}` };
    },

    /** Logs in; returns the session's cookie. */
    async logIn(form: Record<string, string>): Promise<string> {
      const body = new URLSearchParams(form);
      const headers = { origin, accept: "text/html" };
      const answer = await untilTaken(() =>
        fetch(`${origin}/login`, { method: "POST", redirect: "manual", headers, body }),
      );
      const [cookie] = answer.headers.getSetCookie();
      if (answer.status !== 303 || cookie === undefined) throw new Error(`no login: ${await answer.text()}`);
      return cookie.split(";")[0] ?? "";
    },
  };
}
