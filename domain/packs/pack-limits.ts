/** Maximum depth of nested scenarios. */
export const MAX_DEPTH = 50;
export const MAX_SCENARIOS = 10_000;
/** Maximum number of starts and ends of validity periods. At each of them the tenant's links are evaluated again. */
export const MAX_PERIOD_ENDS = 1_000;
