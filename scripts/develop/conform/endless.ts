/** Operations whose response never ends, so that conformance cannot test them. */
export const ENDLESS: readonly string[] = ["tailTopic", "tailLabels", "tailTenantLabels"];
