import test from "ava";
import { neededFor } from "../../scripts/develop/scale/model.ts";
import {
  storedAssumptions,
  storedFigures,
  storedPlots,
  storedScale,
  writePlots,
  writeScale,
} from "../../scripts/develop/scale/scale.ts";

const figures = await storedFigures();
const assumptions = await storedAssumptions();

test("the tables and plots in docs/scale.md match the figures (npm run scale)", async (t) => {
  const stored = await storedScale();
  t.is(stored, writeScale(stored, figures, assumptions));
  t.deepEqual(await storedPlots(), writePlots(figures));
});

test("changing a figure or a price makes the tables out of date", async (t) => {
  const stored = await storedScale();
  const [first, ...others] = figures.sizes;
  if (first === undefined) return t.fail("the figures have no size");
  const dearer = { ...first, list: { ...first.list, renderer: (first.list.renderer ?? 0) * 2 } };
  t.not(stored, writeScale(stored, { ...figures, sizes: [dearer, ...others] }, assumptions));
  const prices = { ...assumptions.prices, coreHour: { ...assumptions.prices.coreHour, price: 1 } };
  t.not(stored, writeScale(stored, figures, { ...assumptions, prices }));
});

test("twice as many stores have twice as many labels, and need no less of anything", (t) => {
  const { installation } = assumptions;
  const one = neededFor(figures, assumptions);
  const two = neededFor(figures, {
    ...assumptions,
    installation: { ...installation, stores: installation.stores * 2 },
  });
  t.is(two.labels, 2 * one.labels);
  t.is(two.database.rawBytes, 2 * one.database.rawBytes);
  t.true(two.database.shards >= one.database.shards);
  t.true(two.redisBytes >= one.redisBytes);
  for (const [index, { name, count }] of one.processes.entries())
    t.true((two.processes[index]?.count ?? 0) >= count, name);
});

test("an installation without price changes and check-ins needs only two processes of each kind", (t) => {
  const installation = {
    ...assumptions.installation,
    changesPerLabelAndDay: 0,
    checkInsPerLabelAndHour: 0,
    glassDays: 0,
  };
  const { rate, processes } = neededFor(figures, { ...assumptions, installation });
  t.deepEqual(rate, { mean: 0, peak: 0 });
  t.true(processes.every(({ count }) => count === 2));
});
