/**
 * Stands in for `turbo-stream`, in which Remix sends pages' data with `v3_singleFetch`. That is off
 * (remix.config.js).
 */
export const decode = null;
export const encode = null;
