const day = 24 * 60 * 60 * 1000;

/** A login ends after so long without activity, and so long after it began whatever happens; milliseconds. */
export const sessionLifetime = { idleMs: 7 * day, absoluteMs: 30 * day } as const;
