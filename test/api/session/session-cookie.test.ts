import test from "ava";
import { deleteSessionCookie, sessionIdOf } from "../../../api/session/session-cookie.ts";

const [own, planted] = ["a".repeat(43), "b".repeat(43)];
const both = `shelfwire-session=${planted}; __Host-shelfwire-session=${own}`;
const host = "labels.example";

test("over HTTPS a session uses the cookie that no neighbouring host can plant", (t) => {
  const opened = { host, "sec-fetch-site": "none" };
  t.is(sessionIdOf({ headers: { ...opened, cookie: both } }), own);
  t.is(sessionIdOf({ headers: { ...opened, cookie: `shelfwire-session=${planted}` } }), undefined);
  t.is(
    sessionIdOf({ headers: { host, origin: `https://${host}`, cookie: `shelfwire-session=${planted}` } }),
    undefined,
  );
});

test("over plain HTTP and on localhost a session uses the plain cookie", (t) => {
  const cookie = `theme=dark; shelfwire-session=${own}`;
  t.is(sessionIdOf({ headers: { host, cookie } }), own);
  t.is(sessionIdOf({ headers: { host, origin: `http://${host}`, cookie } }), own);
  t.is(sessionIdOf({ headers: { host: "localhost:8080", "sec-fetch-site": "same-origin", cookie } }), own);
});

test("a logout deletes the cookie of either kind", (t) => {
  const set: string[] = [];
  deleteSessionCookie({ append: (_, text) => void set.push(String(text)) });
  t.deepEqual(
    set.map((text) => text.split(";")[0]),
    ["__Host-shelfwire-session=", "shelfwire-session="],
  );
  for (const text of set) t.regex(text, /Max-Age=0/);
});

test("a malformed ID identifies no session", (t) => {
  for (const id of ["", "a", `${own}a`, `${own.slice(1)}!`])
    t.is(sessionIdOf({ headers: { host, cookie: `shelfwire-session=${id}` } }), undefined);
});
