import type { SectionOf } from "../section.ts";
import type { rows as english } from "./en.ts";

/** Why a row could not be applied, by its code, in German. */
export const rows: SectionOf<typeof english> = {
  "notice.MORE_ERRORS": "Und {count} weitere.",
  "notice.ITEM_UNKNOWN": "Den Artikel „{item}“ gibt es nicht.",
  "notice.ITEM_CODE_UNKNOWN": "Kein Artikel hat die Nummer oder den Code „{code}“.",
  "notice.ITEM_TOO_LARGE": "Der Artikel würde zu groß. Entferne oder kürze Eigenschaften.",
  "notice.SIC_UNKNOWN": "Kein Artikel hat den Code „{code}“.",
  "notice.SIC_TAKEN": "Der Code „{code}“ gehört zum Artikel „{item}“.",
  "notice.SCHEDULE_FULL": "Der Artikel hat schon {most} geplante Änderungen. Mehr sind nicht möglich.",
  "notice.SCHEDULE_TOO_LARGE": "Die geplanten Änderungen des Artikels würden zu groß.",
  "notice.PAGE_UNKNOWN": "Kein Etikett des Artikels hat eine Seite {page}.",
  "notice.PAGE_SIZE": "Das Bild hat {width} × {height} Pixel, die Etiketten des Artikels brauchen aber {sizes}.",
  "notice.PAGE_NOT_DRAWN": "Das hochgeladene Bild lässt sich nicht verwenden. Lade es noch einmal hoch.",
  "notice.BARCODE_INVALID": "„{barcode}“ ist nicht der Strichcode eines Etiketts.",
  "notice.LABEL_UNKNOWN": "Das Etikett „{barcode}“ gibt es nicht.",
  "notice.LABEL_TYPE_UNSTATED":
    "Das Etikett „{barcode}“ ist noch nicht bekannt, und sein Strichcode enthält seinen Typ nicht.",
  "notice.LABEL_TYPE_UNKNOWN": "Das Etikett „{barcode}“ ist von unbekanntem Typ ({type}).",
  "notice.MODEL_UNKNOWN": "Das Modell „{model}“ gibt es nicht.",
  "notice.MODEL_MISSING": "Für dieses Etikett gibt es kein Modell (Typ {type}).",
  "notice.MODEL_UNFIT": "Das Modell „{model}“ ist nicht für dieses Etikett (Typ {type}).",
  "notice.MODEL_TOO_SMALL": "Das Modell „{model}“ hat zu wenige Positionen für die Artikel am Etikett ({positions}).",
  "notice.TRANSCEIVER_UNKNOWN": "Der Sender „{transceiver}“ gehört zu keiner Abteilung.",
  "notice.DEPARTMENT_UNKNOWN": "Die Abteilung „{department}“ gibt es nicht.",
  "notice.NO_TRANSCEIVER": "Kein Sender erreicht das Etikett.",
  "notice.STORE_LINK_DESIGN_UNKNOWN": "Das Design „{design}“ gibt es nicht.",
  "notice.CANVAS_UNFIT": "Kein Design aus „{canvas}“ ist für dieses Etikett gemacht (Typ {type}).",
  "notice.LINK_UNKNOWN": "Die Verknüpfung „{link}“ gibt es nicht.",
  "notice.LINK_OF_STORE":
    "Der Artikel „{item}“ ist mit der ganzen Filiale verknüpft. Das kann nur die Zentrale ändern.",
  "notice.LINK_OF_OTHER_LABEL": "Die Zeile nennt das Etikett „{barcode}“, ihre Verknüpfung aber „{named}“.",
  "notice.LINKS_FULL": "Der Artikel „{item}“ hat schon {most} Verknüpfungen. Mehr sind nicht möglich.",
  "notice.POSITION_UNKNOWN": "Diese Position hat das Modell „{model}“ nicht (Anzahl der Positionen: {positions}).",
  "notice.POSITION_GONE": "Diese Position hat das Etikett nicht mehr (Anzahl der Positionen: {positions}).",
  "notice.NOTHING_LINKED": "Es wurde nichts verknüpft.",
  "notice.STORE_UNKNOWN": "Die Filiale „{store}“ gibt es nicht.",
  "notice.UPDATES_FAILED": "Die geplanten Änderungen ließen sich nicht ausführen. Sag deinem Betreiber Bescheid.",
  "notice.ROW_FAILED": "Shelfwire konnte das nicht übernehmen. Sag deinem Betreiber Bescheid.",
  "notice.CHUNK_FAILED": "Shelfwire konnte diese Zeile nicht übernehmen. Sag deinem Betreiber Bescheid.",
};
