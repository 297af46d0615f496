/**
 * Operations that reject well-formed input with 400 because it names something that does not exist, or names two things where
 * one is meant.
 */
export const checkedBeyondSchema: readonly string[] = [
  "listItems",
  "listLabels",
  "createCampaign",
  "patchCampaign",
  "getWork",
  "markWork",
  "putUser",
  "invitePerson",
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
  "previewLabel",
  "createSubscription",
  "changeSubscription",
  "publish",
  "displayPage",
  "startFlashSequence",
];
