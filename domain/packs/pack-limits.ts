/** Levels of scenarios below each other. */
export const MAX_DEPTH = 50;
export const MAX_SCENARIOS = 10_000;
/** Begins and ends of validity periods: at each of them the tenant's links are evaluated again. */
export const MAX_PERIOD_ENDS = 1_000;
