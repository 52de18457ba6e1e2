const day = 24 * 60 * 60 * 1000;

/** A login ends after this long without activity, and in any case this long after it began; milliseconds. */
export const sessionLifetime = { idleMs: 7 * day, absoluteMs: 30 * day } as const;
