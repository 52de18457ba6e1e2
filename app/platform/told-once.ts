/**
 * The parameters of an address that tell of what has just happened. Where scripts run they leave it once
 * they have been read, so that neither Back nor a reload tells it again.
 */
export const toldOnce = ["rated", "saved", "ended", "declined", "undone"];
