/** Operations whose answer never ends; conformance cannot judge them. */
export const ENDLESS: readonly string[] = ["tailTopic", "tailLabels", "tailTenantLabels"];
