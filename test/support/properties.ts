import fc from "fast-check";

const runs = globalThis.process?.env.PROPERTY_RUNS;

// Without a seed, a rare case would fail somebody's run that has nothing to do with it.
fc.configureGlobal(runs ? { numRuns: Number(runs) } : { seed: 1 });
