import { readFile, writeFile } from "node:fs/promises";
import type { Derivation } from "../../queues/changes/derivation.ts";
import { assetFileDerivation } from "../../queues/derivations/asset-file.ts";
import { designerLinkDerivation } from "../../queues/derivations/designer-link.ts";
import { eccEslImageDerivation } from "../../queues/derivations/ecc-esl-image.ts";
import { eccLinkDerivation } from "../../queues/derivations/ecc-link.ts";
import { eslImageDerivation } from "../../queues/derivations/esl-image.ts";
import { renderedImageDerivation } from "../../queues/derivations/rendered-image.ts";
import { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { type ProcessName, type QueueName, queueNames, rowOf, subscribers } from "../../queues/topology.ts";
import { readCommandLine } from "./command-line.ts";
import { insertPart } from "./documents/insert-part.ts";

/** `npm run architecture` writes the generated parts of docs/architecture.md. A test fails if they are out of date. */
const file = new URL("../../docs/architecture.md", import.meta.url);

/** Only the kinds of each derivation are read, so the derivation is created without a world. */
const made = <World, Facts, Body>(make: (world: World) => Derivation<Facts, Body>) =>
  make({} as World) as Derivation<never, never>;
const derivations: readonly { worker: ProcessName; derivation: Derivation<never, never> }[] = [
  { worker: "evaluator", derivation: made(studioLinkDerivation) },
  { worker: "link", derivation: made(designerLinkDerivation) },
  { worker: "link", derivation: made(eccLinkDerivation) },
  { worker: "pages", derivation: made(assetFileDerivation) },
  { worker: "renderer", derivation: made(renderedImageDerivation) },
  { worker: "renderer", derivation: made(eccEslImageDerivation) },
  { worker: "merger", derivation: made(eslImageDerivation) },
];

/** The kinds of records that each worker derives, for the test that compares them with the topology. */
export const derivedKinds = derivations.map(({ worker, derivation }) => ({ worker, kind: derivation.kind.name }));

/**
 * The queues whose jobs another queue enqueues instead of the web process. Page images are drawn when the upload's turn comes,
 * and in other sizes when a label needs them.
 */
const orderers: Partial<Record<QueueName, QueueName>> = { pages: "item", sizes: "merger" };

/** Returns arrows from queue to queue, labelled with the topics that are published. */
function priceDiagram(): string[] {
  const arrows = queueNames.flatMap((from) => {
    const topicsTo = new Map<string, string[]>();
    for (const topic of rowOf(from).publishes) {
      const targets = new Set(
        (["CREATED", "UPDATED", "DELETED"] as const).flatMap((operation) => subscribers(topic, { operation })),
      );
      for (const to of targets)
        if (to !== from && !rowOf(to).observes) topicsTo.set(to, [...(topicsTo.get(to) ?? []), topic]);
    }
    return [...topicsTo].map(([to, named]) => `  ${from} -->|${named.join("<br>")}| ${to}`);
  });
  const jobs = queueNames.filter((queue) => Object.keys(rowOf(queue).jobs).length > 0);
  return [
    "flowchart LR",
    "  caller([caller]) -->|HTTP| web[web]",
    ...queueNames.filter((queue) => !rowOf(queue).observes).map((queue) => `  ${queue}(${queue})`),
    ...jobs.map((queue) => `  ${orderers[queue] ?? "web"} -.->|jobs| ${queue}`),
    ...arrows,
    "  transmitter -->|pictures| server[label server]",
    "  flash -->|flashes, pages| server",
    "  server -->|reports| web",
  ];
}

/** Returns arrows from record kind to record kind, labelled with the worker that derives it. */
function recordDiagram(): string[] {
  return [
    "flowchart LR",
    ...derivations.flatMap(({ worker, derivation: { kind, from } }) =>
      from.map((source) => `  ${nodeOf(source.name)} -->|${worker}| ${nodeOf(kind.name)}`),
    ),
    `  ${nodeOf("eslimage.v1")} -->|transmitter| ${nodeOf("labelstate")}`,
  ];
}

const nodeOf = (kind: string): string => `${kind.replace(/\W/g, "")}["${kind}"]`;

const mermaid = (lines: readonly string[]): string[] => ["```mermaid", ...lines, "```"];

/** Returns the stored document. */
export const storedArchitecture = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with its generated parts updated. */
export async function writeArchitecture(text: string): Promise<string> {
  const parts = {
    "the-way-of-a-price": mermaid(priceDiagram()),
    "records-and-who-derives-them": mermaid(recordDiagram()),
  };
  return Object.entries(parts).reduce(
    (document, [name, lines]) => insertPart("docs/architecture.md", document, name, lines),
    text,
  );
}

if (import.meta.main) {
  readCommandLine("npm run architecture --", {
    arguments: [],
    means: "write the generated parts of docs/architecture.md",
    options: {},
  });
  await writeFile(file, await writeArchitecture(await storedArchitecture()));
}
