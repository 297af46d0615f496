/**
 * The stored parts of the aisle page for use without a network: the page itself and its files, but no responses from the
 * interface.
 */
const SHELL = "shelfwire-aisle";

interface FetchEvent extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method !== "GET") return;
  const answer = respondWith.bind(event);
  if (request.mode === "navigate") answer(page(request));
  // The address of a file changes with its content, so a stored one is as good as the server's.
  else if (/\/assets\/[0-9a-f]+\//.test(request.url)) answer(stored(request).then((kept) => kept ?? fetch(request)));
});

/** Returns the page from the server; without a network the stored one, which is deleted with the session. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.status === 401) await caches.delete(SHELL);
    return answer;
  } catch {
    return (await stored(request)) ?? Response.error();
  }
}

const stored = (request: Request): Promise<Response | undefined> =>
  caches.open(SHELL).then((cache) => cache.match(request));
