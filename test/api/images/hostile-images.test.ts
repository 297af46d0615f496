import test from "ava";
import { FileFault } from "../../../api/body/refuse-file.ts";
import { checkInThread } from "../../../api/images/checked-in-thread.ts";
import { ThreadError } from "../../../runtime/thread/thread.ts";
import { eventually } from "../../harness/eventually.ts";
import { hostileRasters, hostileSvgs } from "./hostile-images.ts";

/** Returns the fault of a file as its sender reads it; any error other than a FileFault is a bug. */
async function faultOf(kind: "image" | "page", file: Buffer): Promise<string> {
  const { error } = await eventually("the machine checks the file in time", async () => {
    const error = await checkInThread(kind, file).then(() => undefined, toError);
    return !(error instanceof ThreadError) && { error };
  });
  if (error === undefined || error instanceof FileFault) return error?.message ?? "";
  throw error;
}
const toError = (error: unknown) => error;

for (const { name, make } of [...hostileSvgs, ...hostileRasters(2048)])
  test.serial(`an image for designs with ${name} is accepted or refused within the limits of a check`, async (t) => {
    t.notRegex(await faultOf("image", make()), /cannot be checked/);
  });
for (const { name, make } of hostileRasters(4096))
  test.serial(`an image for a page with ${name} is accepted or refused within the limits of a check`, async (t) => {
    t.notRegex(await faultOf("page", make()), /cannot be checked/);
  });

const refused: [name: string, why: RegExp][] = [
  ["a width of 100,000 digits", /100001 characters in its width, more than the maximum of 128/],
  ["a viewBox of commas", /characters in its viewBox, more than the maximum of 128/],
  ["many attributes", /more than 256 attributes in an element <rect>/],
  [
    "a pattern of 2200 x 2200",
    /pattern of 2200 x 2200, drawn as 22528 x 22528 pixels, more than the maximum of 4096 x 4096/,
  ],
  ["many tags", /more than 20000 elements/],
  ["a JPEG of 255 components", /255 components: a JPEG must have 1, 3 or 4/],
  ["a JPEG sampled 15 x 15", /sampling factors 15 x 15/],
  ["a JPEG sampled 0 x 0", /sampling factors 0 x 0/],
];
for (const [name, why] of refused)
  test.serial(`an image with ${name} is refused, and the error says how to fix it`, async (t) => {
    const image = [...hostileSvgs, ...hostileRasters(2048)].find((one) => one.name === name);
    t.regex(await faultOf("image", image?.make() ?? Buffer.alloc(0)), why);
  });
