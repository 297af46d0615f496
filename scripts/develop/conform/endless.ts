/** Operations whose response never ends, so the conformance run cannot test them. */
export const ENDLESS: readonly string[] = ["tailTopic", "tailLabels", "tailTenantLabels"];
