import { createRequire } from "node:module";
import type { LabelShown, Proof, SignedProof } from "../../schemas/proof.ts";
import { priceText } from "../pages/browser/prices/price-text.ts";
import { type Language, textsOf } from "../pages/messages/texts.ts";
import { evidenceOf, type Fact, gapsOf, type ProofReader, periodOf, timeOf } from "../pages/proofs/proof-facts.ts";

/** The language of a proof, and the currency of its prices. */
interface PdfOptions {
  language: Language;
  /** ISO 4217 code. */
  currency: string | undefined;
}

/** In points; A4 is 595 by 842. */
const MARGIN = 50;
const NAME_WIDTH = 150;
const PICTURE = [495, 200] as const;
const SIZES = { title: 18, heading: 12, text: 9.5 } as const;
const VERIFY_PAGE = "/api/proofs/verify.html";

const require = createRequire(import.meta.url);
const fontFile = (name: string): string => require.resolve(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`);

/**
 * Creates the PDF of a proof for people: the picture, the facts about it, and how to verify it. The response that
 * programs verify is attached. The library is loaded for the first PDF, since most processes never make one.
 */
export async function proofPdf(signed: SignedProof, { language, currency }: PdfOptions): Promise<Buffer> {
  const { default: PdfDocument } = await import("pdfkit");
  const { proof, jws } = signed;
  const madeAt = new Date(proof.madeAt);
  const texts = textsOf(language);
  const reader: ProofReader = { texts, language };
  const title = `${texts("proof.title")}: ${proof.barcode}`;
  const document = new PdfDocument({
    ...{ size: "A4", margin: MARGIN, lang: language, font: fontFile("400Regular") },
    info: { Title: title, Creator: texts("brand"), CreationDate: madeAt, ModDate: madeAt },
  });
  const file = `proof-${proof.barcode}.json`;
  document.registerFont("bold", fontFile("700Bold")).registerFont("text", fontFile("400Regular"));
  document.file(Buffer.from(JSON.stringify(signed)), {
    ...{ name: file, type: "application/json", relationship: "Source" },
    ...{ creationDate: madeAt, modifiedDate: madeAt },
  });
  const paper = createPaper(document);
  paper.title(title);
  paper.text(`${timeOf(reader, proof)(proof.at)} · ${proof.tenantId} / ${proof.storeId}`);
  paper.text(texts("proof.zone", { zone: proof.timeZone }));
  writeShown(paper, reader, proof, currency);
  paper.heading(texts("proof.certain"));
  for (const text of [texts(`proof.${proof.certainty}`), ...gapsOf(reader, proof)]) paper.text(text);
  writeOthers(paper, reader, proof, currency);
  const evidence = evidenceOf(reader, proof);
  if (evidence.length > 0) paper.heading(texts("proof.acknowledgement"));
  paper.facts(evidence);
  paper.heading(texts("proof.how"));
  const command = `npm run admin -- verify-proof ${file}`;
  paper.text(texts(jws === null ? "proof.howUnsigned" : "proof.howSigned", { file, page: VERIFY_PAGE, command }));
  paper.facts([[texts("proof.made"), timeOf(reader, proof)(proof.madeAt)]]);
  return ended(document);
}

type Paper = ReturnType<typeof createPaper>;

/** Writes from the top of a page down; what does not fit starts the next page. */
function createPaper(document: PDFKit.PDFDocument) {
  const width = document.page.width - 2 * MARGIN;
  const write = (text: string, size: number, font = "text") =>
    document.font(font).fontSize(size).text(text, MARGIN, document.y, { width });
  function fact([name, value]: Fact): void {
    document.font("text").fontSize(SIZES.text);
    const valueWidth = width - NAME_WIDTH;
    const height = Math.max(
      document.heightOfString(name, { width: NAME_WIDTH - 10 }),
      document.heightOfString(value, { width: valueWidth }),
    );
    if (document.y + height > document.page.height - MARGIN) document.addPage();
    const top = document.y;
    document.fillColor("#555").text(name, MARGIN, top, { width: NAME_WIDTH - 10 });
    document.fillColor("#000").text(value, MARGIN + NAME_WIDTH, top, { width: valueWidth });
    document.y = top + height + 2;
  }
  return {
    title: (text: string) => void write(text, SIZES.title, "bold"),
    heading(text: string): void {
      document.moveDown();
      write(text, SIZES.heading, "bold");
    },
    text: (text: string) => void write(text, SIZES.text),
    facts: (facts: readonly Fact[]) => facts.forEach(fact),
    picture(png: Buffer): void {
      document.moveDown();
      if (document.y + PICTURE[1] > document.page.height - MARGIN) document.addPage();
      document.image(png, MARGIN, document.y, { fit: [...PICTURE] });
      document.y += 10;
    },
  };
}

/** Writes the picture, its items with their prices, and the period in which it was shown. */
function writeShown(paper: Paper, reader: ProofReader, proof: Proof, currency: string | undefined): void {
  const { texts } = reader;
  const { shown, png } = proof;
  if (shown === null) {
    paper.text(texts("proof.none"));
    return;
  }
  if (png === null) paper.text(texts("proof.gone"));
  else paper.picture(Buffer.from(png, "base64"));
  writeItems(paper, reader, shown, currency);
  paper.facts(periodOf(reader, proof, shown));
}

type Shown = Pick<NonNullable<LabelShown["shown"]>, "items" | "uploaded" | "fault">;

function writeItems(paper: Paper, { texts, language }: ProofReader, shown: Shown, currency: string | undefined): void {
  if (shown.items.length === 0) paper.text(`${texts("proof.background")} ${shown.fault ?? ""}`);
  paper.facts(
    shown.items.map(
      ({ itemId, price }): Fact => [
        texts("label.itemNumber", { item: itemId }),
        price === null ? texts("proof.noPrice") : priceText(price, currency, language),
      ],
    ),
  );
  if (shown.uploaded) paper.text(texts("proof.uploaded"));
}

/** Writes which other pictures the label may have shown. */
function writeOthers(paper: Paper, reader: ProofReader, { others, shown }: Proof, currency: string | undefined): void {
  const { texts } = reader;
  if (others === null && shown !== null) paper.text(texts("proof.any"));
  if (others === null || others.length === 0) return;
  paper.heading(texts("proof.others"));
  for (const other of others) writeItems(paper, reader, other, currency);
}

/** Ends a document; returns its bytes. */
async function ended(document: PDFKit.PDFDocument): Promise<Buffer> {
  document.end();
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>));
}
