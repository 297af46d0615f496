import type { SectionOf } from "../section.ts";
import type { calls as english } from "./en.ts";

/** Messages about failed calls to other systems, by notice code, in German. */
export const calls: SectionOf<typeof english> = {
  "notice.RECEIVER_ANSWERED": "Das andere System hat mit Status {status} geantwortet.",
  "notice.RECEIVER_SILENT": "Das andere System hat nicht geantwortet ({fault}).",
  "notice.RECEIVER_GONE": "Das andere System will keine Ereignisse mehr.",
  "notice.RECEIVER_PRIVATE": "Der Name in der Adresse führt in ein privates Netz, das Shelfwire nicht aufrufen darf.",
  "notice.RECEIVER_BEHIND": "Es warteten zu viele Ereignisse, {count} davon für dieses System.",
  "notice.ADDRESS_PRIVATE": "{host} liegt in einem privaten Netz, das Shelfwire nicht aufrufen darf.",
  "notice.SERVER_ANSWERED": "Der Etikettenserver hat mit Status {status} geantwortet.",
  "notice.SERVER_SILENT": "Der Etikettenserver hat nicht geantwortet ({fault}).",
  "notice.SERVER_DENIES_LABEL": "Der Etikettenserver lehnt nur dieses Etikett ab (Status {status}).",
  "notice.SERVER_DENIES": "Der Etikettenserver lehnt das Geheimnis ab (Status {status}).",
};
