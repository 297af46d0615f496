/** A request to the web process: on whose behalf, and the response that it must get. */
export interface AskedPage {
  path: string;
  /** Whose session; a stranger without one. */
  by?: "operator" | "office" | "shop";
  language?: "en" | "de" | "hr";
  method?: "GET" | "POST" | "PATCH" | "PUT";
  /** Sends the login form with the token of that session. */
  logsIn?: true;
  /** Of a call of a page's script. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The status of the response. */
  ends: number;
  says: readonly RegExp[];
}

/** Requests pages as a browser does, with the cookies of these sessions. */
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

    /** Logs in; returns the cookie of the session. */
    async logIn(form: Record<string, string>): Promise<string> {
      const answer = await fetch(`${origin}/login`, {
        method: "POST",
        redirect: "manual",
        headers: { origin, accept: "text/html" },
        body: new URLSearchParams(form),
      });
      const [cookie] = answer.headers.getSetCookie();
      if (answer.status !== 303 || cookie === undefined) throw new Error(`no login: ${await answer.text()}`);
      return cookie.split(";")[0] ?? "";
    },
  };
}
