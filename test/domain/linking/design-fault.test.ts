import test from "ava";
import { designFault, fits } from "../../../domain/linking/design-fault.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";

const designs = new Map([
  ["d", { compatible_esltype_ids: [1317, 1328] }],
  ["ended", { compatible_esltype_ids: [1328], deleted: true as const }],
]);

const decisions: [rule: string, key: string, type: number, fault: string | undefined][] = [
  ["a design fits the label types that it names", "d", 1328, undefined],
  ["a design fits no other label types", "d", 1340, 'the design "d" is not for the label type 1340'],
  ["a deleted design fits none", "ended", 1328, 'the design "ended" for the label type 1328 does not exist'],
  ["an unknown design fits none", "gone", 1328, 'the design "gone" for the label type 1328 does not exist'],
];
for (const [rule, key, type, fault] of decisions) {
  test(`rule 7: ${rule}`, (t) => {
    const found = designFault(key, type, designs);
    t.is(found && noticeText(found), fault);
    t.is(fits(designs.get(key), type), fault === undefined);
  });
}
