/** Operations whose response never ends; conformance cannot test them. */
export const ENDLESS: readonly string[] = ["tailTopic", "tailLabels", "tailTenantLabels"];
