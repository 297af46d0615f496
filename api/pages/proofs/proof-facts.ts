import type { Proof } from "../../../schemas/proof.ts";
import { exactText } from "../layout/time-text.ts";
import type { Language, Texts } from "../messages/texts.ts";

/** The language of a proof's reader, on a page or on paper. */
export interface ProofReader {
  texts: Texts;
  language: Language;
}

/** A fact: its name and its value. */
export type Fact = readonly [name: string, value: string];

/** Formats instants of a proof exactly, as the clock of its store shows them. */
export const timeOf =
  ({ language }: ProofReader, { timeZone }: Pick<Proof, "timeZone">) =>
  (iso: string): string =>
    exactText(iso, language, timeZone);

/** Returns the period in which the label showed the picture. */
export function periodOf(reader: ProofReader, proof: Proof, { since, until }: NonNullable<Proof["shown"]>): Fact[] {
  const { texts } = reader;
  const time = timeOf(reader, proof);
  return [
    [texts("proof.since"), time(since)],
    [texts("proof.until"), until === null ? texts("proof.still") : time(until)],
  ];
}

/** Returns the periods in which the label's contents are not known, with the reasons. */
export function gapsOf(reader: ProofReader, proof: Proof): string[] {
  const { texts } = reader;
  const time = timeOf(reader, proof);
  const span = ({ from, until }: Proof["gaps"][number]) => {
    if (from === null) return until === null ? texts("proof.always") : texts("proof.before", { until: time(until) });
    if (until === null) return texts("proof.from", { from: time(from) });
    return texts("proof.between", { from: time(from), until: time(until) });
  };
  return proof.gaps.map((gap) => `${span(gap)}. ${texts(`proof.gap.${gap.reason}`)}`);
}

/** Returns the facts about the acknowledgement, and what the picture was made from; none if either is unknown. */
export function evidenceOf(reader: ProofReader, proof: Proof): Fact[] {
  const { texts } = reader;
  const { acknowledgement, shown } = proof;
  if (acknowledgement === null || shown === null) return [];
  const time = timeOf(reader, proof);
  const { begunAt, deliveredAt, receivedAt, labelServer, transmission } = acknowledgement;
  const made = shown.items.flatMap(({ rev, rule, design }): Fact[] => [
    [texts("proof.rev"), time(new Date(rev).toISOString())],
    ...(rule === null ? [] : [[texts("proof.rule"), rule.scenarioId] as const]),
    ...(design === null ? [] : [[texts("proof.design"), designText(texts, design)] as const]),
  ]);
  return [
    ...(begunAt === null ? [] : [[texts("proof.begun"), time(begunAt)] as const]),
    [texts("proof.delivered"), time(deliveredAt)],
    ...(receivedAt === null ? [] : [[texts("proof.received"), time(receivedAt)] as const]),
    [texts("proof.server"), labelServer ?? texts("proof.sharedServer")],
    [texts("proof.number"), `${transmission}`],
    [texts("proof.hash"), shown.image],
    ...made,
  ];
}

const designText = (texts: Texts, { designId, version }: { designId: string; version: number | null }): string =>
  version === null ? designId : texts("proof.version", { name: designId, version: `${version}` });
