const SHELL = "shelfwire-aisle";
const FILES = /\/assets\/[0-9a-f]+\//;

/**
 * Stores the page and its files, so that it opens without a network, and deletes those of earlier releases. The stored
 * page contains no prices or pictures, which come only from the interface.
 */
export async function storeShell(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { pathname, href } = location;
  await navigator.serviceWorker.register(new URL("./service-worker.ts", import.meta.url), { scope: pathname });
  const cache = await caches.open(SHELL);
  const files = performance.getEntriesByType("resource").flatMap(({ name }) => (FILES.test(name) ? [name] : []));
  const wanted = new Set([href, ...files]);
  const release = FILES.exec(import.meta.url)?.[0] ?? "";
  for (const { url } of await cache.keys()) if (!wanted.has(url) && !url.includes(release)) await cache.delete(url);
  await cache.addAll([...wanted]);
}
