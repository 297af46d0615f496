import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import { type Document, pointerTo } from "../document/document.ts";
import { changed, type Path } from "../document/elements.ts";
import { millimetresOf, type Unit } from "../document/lengths.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import type { Property } from "../trial/items.ts";
import type { ShownElement } from "../trial/preview-shapes.ts";
import { type ControlWorld, controlFor } from "./controls.ts";
import type { FormField } from "./form-field.ts";
import { kindName, said } from "./names.ts";

interface SettingsWorld {
  data: EditorData;
  document: Document;
  text: Texts;
  type(): TrialType;
  unit(): Unit;
  catalogue(): readonly Property[];
}

export interface Settings {
  /** Refills the form for a different element, unit or label. */
  show(): void;
  /** Shows how the selected element is drawn. */
  tell(elements: readonly ShownElement[]): void;
}

const sections = ["content", "place", "look", "more"] as const;

/** The form for the selected element, or for the design; each entry takes effect immediately. */
export function openSettings(world: SettingsWorld): Settings {
  const { data, document, text } = world;
  const [form, help, facts] = [element<HTMLFormElement>("#fields"), element("#help"), element("#facts")];
  let shownFor = "";
  let shownValues = "";

  /** Returns the subject of the form: one element, the design, or nothing if several elements are selected. */
  function subject(): { kind: string; values: Readonly<Record<string, unknown>>; path?: Path } | undefined {
    const { selected, layout } = document;
    const [one, ...others] = selected;
    if (others.length > 0) return undefined;
    if (one === undefined) return { kind: "layout", values: layout as unknown as Record<string, unknown> };
    return { kind: one.element.kind, values: one.element as unknown as Record<string, unknown>, path: one.path };
  }

  function show(): void {
    const found = subject();
    const { selected } = document;
    element("#settings-title").textContent =
      found === undefined
        ? text("canvas.ofMany", { count: selected.length })
        : found.path
          ? kindName(text, found.kind)
          : text("canvas.ofDesign");
    if (found === undefined) {
      form.replaceChildren();
      return;
    }
    const { kind, values, path } = found;
    const controls = controlWorld(path);
    const fields = data.fields[kind] ?? [];
    const open = new Set(
      [...form.querySelectorAll("details[open]")].map((one) => (one as HTMLElement).dataset.section),
    );
    const parts = sections.flatMap((section): HTMLElement[] => {
      const own = fields.filter((field) => field.section === section);
      if (own.length === 0) return [];
      const rows = own.map((field) => row(field, values[field.name], controls));
      const grid = make("div", { class: `fields ${section}` }, ...rows);
      const title = text(`canvas.${section}`);
      if (section !== "more") return [make("fieldset", {}, make("legend", {}, title), grid)];
      const details = make(
        "details",
        { "data-section": section, open: open.has(section) },
        make("summary", {}, title),
        grid,
      );
      return [details];
    });
    form.replaceChildren(...parts);
    shownFor = keyOf(path);
    shownValues = JSON.stringify(values);
  }

  function row(field: FormField, value: unknown, controls: ControlWorld): HTMLElement {
    const label = said(text, `canvas.field.${field.name}`, field.name);
    const control = controlFor(field, value, label, controls);
    const named = field.control === "template" ? make("div") : make("label");
    named.className = `field ${field.control}`;
    named.append(make("span", {}, label), control);
    named.addEventListener("focusin", () => {
      help.textContent = field.help;
    });
    named.title = field.help;
    return named;
  }

  const keyOf = (path: Path | undefined): string =>
    JSON.stringify([document.edited.layout, path, world.unit(), world.type().type]);

  function controlWorld(path: Path | undefined): ControlWorld {
    const { colors, dpi } = world.type();
    return {
      ...{ text, colors, dpi, unit: world.unit(), catalogue: world.catalogue(), isOpen: data.mayWrite },
      refuse: (field, entry) => {
        help.textContent = text("canvas.notValid", {
          value: `${said(text, `canvas.field.${field.name}`, field.name)} ${entry}`,
        });
      },
      set(name, value) {
        const { layout, edited } = document;
        const next = path
          ? changed(layout, path, (one) => withField(one, name, value) as LayoutElement)
          : withField(layout, name, value);
        shownValues = "own";
        document.changeLayout(next as typeof layout, edited.selection, `field ${name} ${keyOf(path)}`);
      },
    };
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  document.follow(() => {
    const found = subject();
    const isOwn = shownValues === "own" && form.contains(globalThis.document.activeElement);
    if (found && keyOf(found.path) === shownFor && (isOwn || JSON.stringify(found.values) === shownValues)) {
      shownValues = JSON.stringify(found.values);
      return;
    }
    show();
  });
  return {
    show,
    tell(elements) {
      const [one] = document.selected;
      const shown = one && elements.find((each) => each.element === pointerTo(document.edited.layout, one.path));
      facts.textContent = shown && document.selected.length === 1 ? factsOf(shown, text, world.type().dpi) : "";
    },
  };
}

function withField<Value extends object>(value: Value, name: string, field: unknown): Value {
  if (field !== undefined) return { ...value, [name]: field };
  const { [name as keyof Value]: _, ...rest } = value;
  return rest as Value;
}

/** Describes how an element is drawn: the height of its digits (which laws regulate), its size and its lines. */
function factsOf({ digitHeight, size, lines, isCut }: ShownElement, text: Texts, dpi: number): string {
  return [
    ...(digitHeight === undefined
      ? []
      : [text("canvas.digits", { height: Number(millimetresOf(digitHeight, dpi).toFixed(1)) })]),
    ...(size === undefined ? [] : [text("canvas.drawn", { size })]),
    ...(lines === undefined ? [] : [text("canvas.lines", { count: lines })]),
    ...(isCut ? [text("canvas.cut")] : []),
  ].join(" · ");
}
