/** The resource in a form: its strings, and values combined from several fields. */
export interface Resource {
  id?: string;
  [field: string]: unknown;
}

/** Returns the resource in a form, in the format of the management interface; an empty string is left out. */
export function resourceIn(form: HTMLFormElement): Resource {
  const data = new FormData(form);
  const texts = [...data].flatMap(([name, value]): [string, unknown][] => {
    const text = String(value).trim();
    if (text === "" || lists.includes(name)) return [];
    return [[name, name === "eventsACall" ? Number(text) : text]];
  });
  const has = (name: string) => form.querySelector(`[name="${name}"]`) !== null;
  const all = (name: string) => data.getAll(name).map(String);
  return {
    ...Object.fromEntries(texts),
    ...(has("allStores") && { stores: data.has("allStores") ? "*" : all("stores") }),
    // A role replaces individual permissions.
    ...(has("scopes") && !data.get("role") && { scope: all("scopes").join(" ") }),
    ...(data.has("renewPassword") && { password: newPassword() }),
    ...(has("topics") && { topics: all("topics") }),
    ...quietHoursOf(form),
    ...(form.querySelector("#departments") && { linkDepartments: departmentsOf(form) }),
  };
}

const lists = ["allStores", "stores", "scopes", "topics", "renewPassword"];
const PASSWORD_BYTES = 24;

/** Generates a password of the same length as the interface does for new users. */
const newPassword = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");

/** Returns both times, or neither if both are empty. */
function quietHoursOf(form: HTMLFormElement): { quietHours?: object } {
  const value = (part: string) =>
    form.querySelector<HTMLInputElement>(`#quiet-hours [data-part="${part}"]`)?.value.trim() ?? "";
  const [from, to] = [value("from"), value("to")];
  return from === "" && to === "" ? {} : { quietHours: { from, to } };
}

function departmentsOf(form: HTMLFormElement): object[] {
  return [...form.querySelectorAll("#departments .department")].flatMap((row) => {
    const value = (part: string) =>
      row.querySelector<HTMLInputElement | HTMLSelectElement>(`[data-part="${part}"]`)?.value.trim() ?? "";
    const [id, alias, labelServer] = [value("id"), value("alias"), value("labelServer")];
    if (id === "") return [];
    return [
      {
        ...{
          id,
          transceivers: value("transceivers")
            .split(/[\s,;]+/)
            .filter(Boolean),
        },
        ...(alias !== "" && { alias }),
        ...(labelServer !== "" && { labelServer }),
      },
    ];
  });
}
