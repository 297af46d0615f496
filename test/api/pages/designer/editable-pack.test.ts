import test from "ava";
import { editablePack } from "../../../../api/pages/browser/designer/rules/draft/editable-pack.ts";

const keyOf = (id: string) => (id.includes("/") ? id : `t/demo/designs/${id}`);

test("an incomplete draft is completed so that the page can edit it", (t) => {
  t.deepEqual(editablePack({}, keyOf), { name: "", scenarios: [] });
  const wine = { name: "Wine", design_ids: ["wine-296x128"], cel_expression: "true" };
  const draft = { name: "Spring", scenarios: [wine, { ...wine, children: [{ id: "red" }] }, "nothing"] };
  const made = { name: "Wine", design_ids: ["t/demo/designs/wine-296x128"], cel_expression: "true" };
  t.deepEqual(editablePack(draft, keyOf), {
    name: "Spring",
    scenarios: [
      { ...made, id: "Wine", children: [] },
      { ...made, id: "Wine-2", children: [{ id: "red", name: "", design_ids: [], children: [] }] },
    ],
  });
});

test("a complete draft stays unchanged", (t) => {
  const rule = {
    id: "a",
    name: "A",
    design_ids: ["t/demo/designs/a"],
    validityPeriod: { from: "2026-12-24" },
    children: [],
  };
  const draft = { name: "Spring", scenarios: [{ ...rule, children: [{ ...rule, id: "b" }] }] };
  t.deepEqual(editablePack(draft, keyOf), draft);
});
