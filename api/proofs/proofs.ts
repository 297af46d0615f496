import { Type } from "typebox";
import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import { labelKey } from "../../schemas/keys.ts";
import { LabelShown, SignedProof } from "../../schemas/proof.ts";
import { identifier } from "../../schemas/text.ts";
import { createDateText } from "../http/date-text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "../labels/labels.ts";
import { admits } from "../middleware/negotiate.ts";
import { isLanguage, type Language, languages } from "../pages/messages/texts.ts";
import { labelShown, makeProof } from "./make-proof.ts";
import type { ProofKeys } from "./proof-keys.ts";
import { proofPdf } from "./proof-pdf.ts";
import type { ReadShown } from "./read-shown.ts";

export interface ProofsWorld {
  noLabel: NoLabel;
  hasLabel(store: string, barcode: string): Promise<boolean>;
  /** Reads the PNG of a picture of the store's tenant; undefined if it is no longer stored. */
  readPicture(store: string, sha256: string): Promise<Uint8Array | undefined>;
  readShown: ReadShown;
  signProof: ProofKeys["sign"];
  /** How long log entries are kept, in milliseconds. */
  glassHistoryMs: number;
  databaseNow(): Date;
}

const MAX_LABELS = 100;
const LAST_PAGE = 255;
/** Number of acknowledgements around the given time that are read for each label if there are many labels. */
const ENTRIES_OF_MANY = 2;

const languageNames = Object.keys(languages) as Language[];

const UNSIGNED =
  "No key is configured. Set PROOF_KEY in the web processes to the output of `npm run admin -- proof-key`, and keep it secret.";

const At = Type.String({
  format: "local-date-time",
  minLength: 1,
  description: "The time, `YYYY-MM-DD hh:mm:ss` in the store's time zone; not in the future",
  examples: ["2026-03-03 10:00:00"],
});

/** Reports what labels showed at a given time, and the signed proof of it (docs/integrators/proof.md). */
export const proofRoutes = (world: ProofsWorld) => {
  const { hasLabel, readPicture, readShown, signProof, glassHistoryMs, databaseNow, noLabel } = world;

  /** Returns the instant that a caller means, the current time, and the time from which the log is kept. */
  function timesOf(text: string, timeZone: string) {
    const [at, madeAt] = [new Date(instantOfStoreTime(text, timeZone)), databaseNow()];
    if (at > madeAt)
      throw new ProblemError("invalid-request", `at is in the future: "${text}". Send a time that has passed.`);
    return { at, madeAt, keptSince: new Date(madeAt.getTime() - glassHistoryMs) };
  }

  return [
    route({
      method: "GET",
      path: "/labels/shown",
      operationId: "getLabelsShown",
      summary: "Report what labels showed at a given time",
      description:
        "The content of a proof for each label's first page, unsigned and without the picture. Labels that do not exist are " +
        "listed without a picture. Prices require `items:read`, rules `design:read`.",
      scope: "labels:read",
      query: Type.Object({
        at: At,
        barcode: Type.Array(identifier(64, "Label barcode"), {
          minItems: 1,
          maxItems: MAX_LABELS,
          description: "Barcodes, as repeated parameters or separated by commas",
        }),
      }),
      answers: { 200: Type.Array(LabelShown) },
      handle: async ({ store, settings, permit: { scopes }, query }) => {
        const { at, keptSince } = timesOf(query.at, settings.timeZone);
        const pages = [...new Set(query.barcode)].map((barcode) => ({ label: labelKey(store, barcode), page: 0 }));
        const found = await readShown(pages, at, keptSince, ENTRIES_OF_MANY);
        return { status: 200, body: found.map((one) => labelShown(one, at, scopes)) };
      },
    }),

    route({
      method: "GET",
      path: "/labels/:barcode/proof",
      operationId: "getLabelProof",
      summary: "Prove what a label showed at a given time",
      description:
        "What the label had acknowledged at that time, from when until when, and how certain that is. `jws` is the same, signed: " +
        "verify it with the public keys at `/api/proofs/keys.json`, with `npm run admin -- verify-proof` or on the page " +
        "`/api/proofs/verify.html`, which needs no server. The response is JSON, or a PDF with `format=pdf` or `Accept: application/pdf`. Prices require `items:read`, rules `design:read`; `withheld` lists the " +
        "missing scopes.",
      scope: "labels:read",
      params: LabelPath,
      query: Type.Object({
        at: At,
        page: Type.Optional(
          Type.Integer({ minimum: 0, maximum: LAST_PAGE, default: 0, description: "Page of the label, from 0" }),
        ),
        format: Type.Optional(
          Type.Enum(["json", "pdf"], {
            description: "`pdf` is for people, with the JSON attached; takes precedence over the header Accept",
          }),
        ),
        language: Type.Optional(
          Type.Enum(languageNames, {
            description: "Language of the PDF; takes precedence over the header Accept-Language",
          }),
        ),
      }),
      answers: { 200: SignedProof },
      alsoAs: ["application/pdf"],
      problems: ["not-found"],
      handle: async ({ store, settings, permit: { scopes }, params: { barcode }, query, header }) => {
        const { timeZone, currency } = settings;
        const { at, madeAt, keptSince } = timesOf(query.at, timeZone);
        const [shown] = await readShown([{ label: labelKey(store, barcode), page: query.page ?? 0 }], at, keptSince);
        if (shown === undefined || (shown.shown === undefined && !(await hasLabel(store, barcode))))
          throw await noLabel(store, barcode);
        const png = shown.shown && (await readPicture(store, shown.shown.image));
        const localTime = createDateText(timeZone, false)(at);
        const proof = makeProof({ shown, at, timeZone, localTime, png, keptSince, madeAt }, scopes);
        const jws = (await signProof?.(JSON.stringify(proof))) ?? null;
        const signed = { proof, jws, unsigned: jws === null ? UNSIGNED : null };
        if ((query.format ?? formatOf(header("accept"))) === "json") return { status: 200, body: signed };
        const language = query.language ?? languageOf(header("accept-language"));
        return { status: 200, type: "application/pdf", body: await proofPdf(signed, { language, currency }) };
      },
    }),
  ];
};

const formatOf = (accept: string): "json" | "pdf" =>
  admits(accept, "application/pdf") && !admits(accept, "application/json") ? "pdf" : "json";

/** Returns the first supported language in an Accept-Language header; English if there is none. */
const languageOf = (accepted: string): Language =>
  accepted
    .split(",")
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .find(isLanguage) ?? "en";
