export type Mode = "link" | "unlink" | "replace" | "find" | "check";

/** The meaning of a code; if unknown, the current step decides. */
export type Kind = "label" | "product" | "unknown";

/** The current step: the task, and what was scanned for it. */
export interface Steps {
  mode: Mode;
  label?: string;
  product?: string;
  /** Position on a label with several products, from 0. */
  position?: number;
}

/** A change, which may be sent later; a `Now` happens immediately or not at all. */
export type Act =
  | { do: "link"; label: string; product: string; position?: number }
  | { do: "unlink"; label: string }
  | { do: "replace"; label: string; by: string };
export type Now = { do: "flashLabel" | "flashItem"; code: string } | { do: "check"; label: string };

export interface Scan {
  code: string;
  kind: Kind;
  /** Whether a camera read it; a camera may also read codes that nobody pointed it at. */
  isSeen: boolean;
}

/** The result of a scan: the next step, the change to make, or why it is rejected. */
export interface Taken {
  steps: Steps;
  act?: Act;
  now?: Now;
  refused?: "notLabel" | "sameLabel";
}

/** Returns what to scan next, as the end of a message's key. */
export function askedOf({ mode, label, product }: Steps): string {
  if (mode === "link") return label !== undefined ? "product" : product !== undefined ? "itsLabel" : "label";
  if (mode === "unlink") return label === undefined ? "label" : "confirm";
  if (mode === "replace") return label === undefined ? "oldLabel" : "newLabel";
  return mode === "find" ? "item" : "wrongLabel";
}

/** Processes a scanned code. With a scanner, the label and product of a link may be scanned in either order. */
export function take(steps: Steps, scan: Scan): Taken {
  const { mode, label } = steps;
  const { code, kind } = scan;
  if (mode === "link") return takeForLink(steps, scan);
  if (mode === "find") return { steps, now: kind === "label" ? { do: "flashLabel", code } : { do: "flashItem", code } };
  if (kind === "product") return { steps, refused: "notLabel" };
  if (mode === "check") return { steps, now: { do: "check", label: code } };
  if (mode === "unlink" || label === undefined) return { steps: { mode, label: code } };
  if (code === label) return { steps, refused: "sameLabel" };
  return { steps: { mode }, act: { do: "replace", label, by: code } };
}

function takeForLink(steps: Steps, { code, kind, isSeen }: Scan): Taken {
  const { label, product, position } = steps;
  const isLabel = kind === "label" || (kind === "unknown" && label === undefined);
  if (isLabel)
    return product === undefined
      ? { steps: { mode: "link", label: code } }
      : { steps: { mode: "link" }, act: { do: "link", label: code, product } };
  if (label !== undefined) {
    const act = { do: "link" as const, label, product: code, ...(position !== undefined && { position }) };
    return { steps: { mode: "link" }, act };
  }
  // The display of the next label also shows the code of that label's product.
  if (isSeen) return { steps, refused: "notLabel" };
  return { steps: { mode: "link", product: code } };
}
