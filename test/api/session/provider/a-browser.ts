import { PUBLIC_URL } from "./an-id-provider.ts";

/** A response, and where a browser would go next. */
export interface Seen {
  status: number;
  text: string;
  /** The address that a browser would open next, because of a redirect or the page itself; empty if there is none. */
  to: string;
}

/** A browser with cookies that finds `PUBLIC_URL` at this origin. It does not follow redirects unless a test says so. */
export function aBrowser(origin: string) {
  const cookies = new Map<string, Map<string, string>>();
  const hostOf = (address: string) => new URL(address).host;

  async function call(address: string, init: RequestInit = {}): Promise<Seen> {
    const url = address.replace(PUBLIC_URL, origin);
    const jar = cookies.get(hostOf(url)) ?? new Map<string, string>();
    cookies.set(hostOf(url), jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", cookie, ...(init.headers as Record<string, string>) };
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await answer.text();
    const page = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    const to = answer.headers.get("location") ?? page ?? "";
    return { status: answer.status, text, to: to && new URL(to, address).href };
  }

  return {
    get: (path: string) => call(path.startsWith("http") ? path : `${PUBLIC_URL}${path}`),
    post: (path: string, fields: Record<string, string>) =>
      call(path.startsWith("http") ? path : `${PUBLIC_URL}${path}`, {
        method: "POST",
        headers: path.startsWith("http") ? { origin: new URL(path).origin } : { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams(fields),
      }),
    /** Returns the value of a Shelfwire cookie. */
    cookie: (name: string) => cookies.get(hostOf(origin))?.get(name),
    setCookie: (name: string, value: string) => void cookies.get(hostOf(origin))?.set(name, value),
    /** Logs in at the provider as this person; returns the address to which the provider redirects the browser. */
    async toProvider(who: string, next = "/"): Promise<string> {
      const begun = await call(`${PUBLIC_URL}/login/provider?next=${encodeURIComponent(next)}`);
      const at = new URL(begun.to);
      at.searchParams.set("login_hint", who);
      let seen = await call(at.href);
      while (!seen.to.startsWith(PUBLIC_URL) && seen.to !== "") seen = await call(seen.to);
      return seen.to;
    },
  };
}
