/** Empty, because Remix needs it for `v3_singleFetch` alone, which is off (remix.config.js). */
export const decode = null;
export const encode = null;
