/** A label whose latest price is not drawn because no renderer is running. */
export function explanationExample(): object {
  const [image, since, link] = ["5f3a".repeat(16), "2026-03-02 08:15:30", "t/demo/s/main/links/D42FLOFYMKP013280-0"];
  const [rev, newRev, changedAt] = [1_772_435_725_000, 1_772_438_531_000, "2026-03-02 08:15:25"];
  const open = `the renderer worker has not processed the change to the item "4711" yet: none of its processes is running`;
  const item = "t/demo/s/main/items/4711";
  const summary = `The label shows an earlier picture, since ${since}, because ${open} (since 2026-03-02 09:02:11).`;
  const record = { record: "renderedimage.v1", worker: "renderer", rev, changedAt, image };
  return {
    barcode: "D42FLOFYMKP013280",
    modelName: "Medium",
    labelType: 1328,
    plState: "PENDING",
    cause: "PROCESS_MISSING",
    summary,
    sentences: [summary],
    waits: [{ cause: "PROCESS_MISSING", reason: open, since: "2026-03-02 09:02:11", until: null }],
    glass: [
      { page: 0, image, since, isWanted: true, isUploaded: false, items: [{ itemId: "4711", price: "1.89", rev }] },
    ],
    onItsWay: null,
    fault: null,
    lastSeen: since,
    withheld: [],
    records: [
      { ...record, record: "eslimage.v1", worker: "merger", inputs: [`renderedimage.v1 ${link}#${rev}`], moved: [] },
    ],
    positions: [
      {
        displayPosition: 0,
        link: { status: "ACTIVE", itemId: "4711", linkedItemId: "4711", origin: "studio", rev, changedAt },
        item: {
          itemId: "4711",
          itemName: "Apple juice 1 l",
          price: "1.79",
          isThere: true,
          rev: newRev,
          changedAt: "2026-03-02 09:02:11",
          nextScheduled: null,
          campaign: null,
        },
        design: {
          chosenBy: "forced design",
          designId: "t/demo/designs/regular-296x128",
          scenario: null,
          canvasId: "t/demo/canvasdesigns/regular-296x128",
          canvasRev: rev,
        },
        trace: null,
        fault: null,
        errors: [],
        warnings: [],
        records: [
          { ...record, inputs: [`storeitemvalues.v1 ${item}#${rev}`], moved: [`storeitemvalues.v1 ${item}#${rev}`] },
        ],
      },
    ],
  };
}
