interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}
interface Item {
  name: string;
  item?: readonly Item[];
  request?: {
    method: string;
    auth?: { basic: readonly Pair[] };
    header: readonly Pair[];
    url: { host: readonly string[]; path: readonly string[]; query?: readonly Pair[]; variable?: readonly Pair[] };
    body?: { mode: string; raw?: string; formdata?: readonly Pair[] };
  };
}
export interface Collection {
  variable: readonly Pair[];
  item: readonly Item[];
}
export interface CollectionRequest {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
}

/**
 * Returns a collection's requests as Postman sends them: `{{variables}}` and `:parameters` are replaced, requests without their
 * own authorization use the collection's token, and forms include a file. Throws if a variable is missing.
 */
export function requestsOf(
  collection: Collection,
  values: Readonly<Record<string, string>>,
  file: Blob,
): CollectionRequest[] {
  const known = { ...Object.fromEntries(collection.variable.map(({ key, value }) => [key, value])), ...values };
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`no variable ${name}`);
      return value;
    });
  const leaves = (item: Item): Item[] => [...(item.request ? [item] : []), ...(item.item ?? []).flatMap(leaves)];
  return collection.item.flatMap(leaves).flatMap(({ name, request }) => {
    if (request === undefined) return [];
    const { method, url, auth, header, body } = request;
    const parameters = Object.fromEntries((url.variable ?? []).map(({ key, value }) => [key, value]));
    const segments = [...url.host, ...url.path].map((segment) => {
      if (!segment.startsWith(":")) return filled(segment);
      const value = parameters[segment.slice(1)];
      if (value === undefined) throw new Error(`${name}: no value for ${segment}`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams(
      (url.query ?? []).filter(({ disabled }) => !disabled).map(({ key, value }): [string, string] => [key, value]),
    );
    const [user = "", password = ""] = auth?.basic.map(({ value }) => filled(value)) ?? [];
    const authorization = auth ? `Basic ${btoa(`${user}:${password}`)}` : `Bearer ${known.token}`;
    const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]));
    return {
      name,
      method,
      url: `${segments.join("/")}${query.size > 0 ? `?${query}` : ""}`,
      headers: { authorization, ...headers },
      body: body?.formdata ? formOf(body.formdata, file) : body?.raw,
    };
  });
}

function formOf(fields: readonly Pair[], file: Blob): FormData {
  const form = new FormData();
  for (const { key } of fields) form.set(key, file);
  return form;
}
