/** A list that a script fills: its search, and how many entries it shows. */
interface KeptList {
  form: HTMLFormElement;
  /** How many entries are shown, if a reader can request more. */
  limit?: { get(): number; set(limit: number): void };
}

interface Place {
  top: number;
  limit?: number;
  fields: [name: string, value: string][];
}

const keyOf = ({ pathname, search }: Location): string => `place ${pathname}${search}`;

/**
 * When a reader returns to a list, restores the search and the place in the list. Browsers restore the place of a page before
 * its script has filled it. Returns a function to call after each drawing.
 */
export function keepPlace({ form, limit }: KeptList): () => void {
  addEventListener("pagehide", () => {
    const fields = [...new FormData(form)].map(([name, value]): Place["fields"][number] => [name, String(value)]);
    const place: Place = { top: scrollY, fields, ...(limit && { limit: limit.get() }) };
    sessionStorage.setItem(keyOf(location), JSON.stringify(place));
  });
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const kept = visit?.type === "back_forward" ? sessionStorage.getItem(keyOf(location)) : null;
  if (kept === null) return () => {};
  history.scrollRestoration = "manual";
  const place = JSON.parse(kept) as Place;
  for (const [name, value] of place.fields) setField(form, name, value);
  if (place.limit !== undefined) limit?.set(place.limit);
  let isDue = true;
  // A reader who has started to read elsewhere stays there.
  for (const event of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(event, () => (isDue = false), { once: true, passive: true });
  return () => {
    if (!isDue || document.documentElement.scrollHeight < place.top + innerHeight) return;
    scrollTo(0, place.top);
    isDue = false;
  };
}

/** Sets a field. An option that is offered only after the list has been read is added. */
function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
  else if (field instanceof HTMLInputElement && field.type !== "hidden") field.value = value;
  else if (field instanceof HTMLSelectElement) {
    if (!Array.from(field.options).some((option) => option.value === value)) field.add(new Option(value, value));
    field.value = value;
  }
}
