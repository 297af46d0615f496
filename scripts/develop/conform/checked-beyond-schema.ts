/** Operations that refuse well-formed input with 400 when it names something that does not exist. */
export const checkedBeyondSchema: readonly string[] = [
  "putStore",
  "putModel",
  "putDesign",
  "putCanvasDesign",
  "putPack",
  "tryPack",
  "trySavedPack",
  "comparePack",
  "previewDesign",
  "createSubscription",
  "changeSubscription",
  "displayPage",
];
