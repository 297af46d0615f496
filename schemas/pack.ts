import { type Static, Type } from "typebox";
import { VALIDITY_PERIOD } from "./design.ts";
import { identifier } from "./text.ts";

const DesignId = identifier(256, "Id of a design, or its full key `t/{tenantId}/designs/{id}`");

const END = ": `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm` with or without an offset; unbounded if absent";

/** A scenario in a body: its id may be absent, and designs may be named by their ids instead of full keys. */
const ScenarioOrder = Type.Cyclic(
  {
    ScenarioOrder: Type.Object({
      id: Type.Optional(identifier(64, "Unique within the pack; derived from the name if absent")),
      name: identifier(256, "Display name for the retailer's staff"),
      cel_expression: Type.Optional(
        Type.String({ maxLength: 4096, description: "Condition (CEL); always true if absent or blank" }),
      ),
      design_ids: Type.Array(DesignId, {
        maxItems: 100,
        description: "In order of preference: the first design that fits the label is shown",
      }),
      priority: Type.Optional(Type.Integer({ description: "Stored and returned; not used by the rules" })),
      validityPeriod: Type.Optional(
        Type.Object(
          {
            from: Type.Optional(Type.String({ maxLength: 64, description: `Start${END}` })),
            to: Type.Optional(Type.String({ maxLength: 64, description: `End${END}` })),
          },
          { description: VALIDITY_PERIOD },
        ),
      ),
      children: Type.Optional(
        Type.Array(Type.Ref("ScenarioOrder"), { maxItems: 1000, description: "Evaluated before their parent" }),
      ),
    }),
  },
  "ScenarioOrder",
);
export type ScenarioOrder = Static<typeof ScenarioOrder>;

/** Scenarios for the examples of the OpenAPI document. */
export const exampleScenarios: ScenarioOrder[] = [
  {
    id: "offer",
    name: "Special offer",
    cel_expression: 'item.priceKind == "special"',
    design_ids: ["t/demo/designs/offer-296x128"],
    children: [],
  },
  { id: "regular", name: "Regular price", design_ids: ["t/demo/designs/price-296x128"], children: [] },
];

/** Body of a communication pack's endpoints. */
export const PackOrder = Type.Object(
  {
    name: identifier(256, "Name of the pack"),
    scenarios: Type.Array(ScenarioOrder, {
      maxItems: 1000,
      description: "Evaluated in order, children before their parent",
      examples: [exampleScenarios],
    }),
  },
  { title: "PackOrder", description: "A communication pack: the rules that choose designs" },
);
export type PackOrder = Static<typeof PackOrder>;

/** A fault of a pack, or a warning for its author. */
export const PackFinding = Type.Object(
  {
    pointer: Type.String({ description: "JSON Pointer into the pack" }),
    scenario: Type.String({ description: "Name of the scenario" }),
    detail: Type.String({ description: "Description of the fault" }),
    line: Type.Optional(Type.Integer({ description: "Line in the expression, from 1" })),
    column: Type.Optional(Type.Integer({ description: "Column in that line, from 1" })),
  },
  { title: "PackFinding" },
);
export type PackFinding = Static<typeof PackFinding>;
