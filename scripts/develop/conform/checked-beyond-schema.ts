/** Operations that refuse well-formed input with 400 when it names something that does not exist, or two of which one is meant. */
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
  "previewDesignOfItems",
  "createSubscription",
  "changeSubscription",
  "publish",
  "displayPage",
  "startFlashSequence",
];
