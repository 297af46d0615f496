import { type Checked, checkProof, type PublicKey } from "./check-proof.ts";

/** What the page contains: the messages in each language, and the public keys of the installation that served it. */
interface PageData {
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  keys: readonly PublicKey[];
}

interface ShownProof {
  barcode: string;
  storeId: string;
  at: string;
  timeZone: string;
  certainty: string;
  shown: { since: string; until: string | null; items: { itemId: string; price: string | null }[] } | null;
  png: string | null;
}

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const data: PageData = JSON.parse(byId("data").textContent ?? "{}");
const languages = Object.keys(data.texts);
let language = languages.find((one) => navigator.language.startsWith(one)) ?? "en";
let last: Checked | undefined;
let keys: readonly PublicKey[] = data.keys;

const text = (key: string): string => data.texts[language]?.[key] ?? "";

function show(): void {
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll<HTMLElement>("[data-text]"))
    one.textContent = text(one.dataset.text ?? "");
  for (const button of document.querySelectorAll<HTMLElement>("[data-language]"))
    button.setAttribute("aria-pressed", String(button.dataset.language === language));
  document.title = text("proof.verify");
  byId("own-keys").hidden = data.keys.length === 0;
  const outcome = byId("outcome");
  outcome.textContent = last === undefined ? "" : text(`verify.${last.is}`);
  outcome.dataset.is = last?.is === "valid" ? "valid" : last === undefined ? "" : "refused";
  byId("facts").replaceChildren(
    ...(last?.is === "valid" ? factsOf(last.proof as unknown as ShownProof, last.keyId) : []),
  );
  const png = last?.is === "valid" ? (last.proof.png as string | null) : null;
  const picture = byId<HTMLImageElement>("picture");
  picture.hidden = png === null;
  picture.alt = text("proof.picture");
  if (png !== null) picture.src = `data:image/png;base64,${png}`;
}

function factsOf({ barcode, storeId, at, timeZone, certainty, shown }: ShownProof, keyId: string): HTMLElement[] {
  const time = (iso: string) =>
    new Intl.DateTimeFormat(language, { timeZone, dateStyle: "medium", timeStyle: "long" }).format(new Date(iso));
  const prices = shown?.items.map(({ itemId, price }) => `${itemId}: ${price ?? text("proof.noPrice")}`).join("\n");
  const rows: (readonly [string, string])[] = [
    ["verify.label", barcode],
    ["verify.store", storeId],
    ["proof.time", time(at)],
    ["proof.picture", shown === null ? text("proof.none") : prices || text("proof.background")],
    ...(shown === null
      ? []
      : [
          ["proof.since", time(shown.since)] as const,
          ["proof.until", shown.until === null ? text("proof.still") : time(shown.until)] as const,
        ]),
    ["proof.certain", text(`proof.${certainty}`)],
    ["verify.signedBy", keyId],
  ];
  return rows.flatMap(([name, value]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = text(name);
    description.textContent = value;
    return [term, description];
  });
}

async function check(): Promise<void> {
  const file = byId<HTMLInputElement>("proof").files?.[0];
  last = file && (await checkProof(await file.text(), keys));
  show();
}

byId("proof").addEventListener("change", check);
byId("keys").addEventListener("change", async () => {
  const file = byId<HTMLInputElement>("keys").files?.[0];
  try {
    keys = file === undefined ? data.keys : (JSON.parse(await file.text()).keys ?? []);
  } catch {
    keys = [];
  }
  await check();
});
for (const button of document.querySelectorAll<HTMLElement>("[data-language]"))
  button.addEventListener("click", () => {
    language = button.dataset.language ?? language;
    show();
  });
show();
