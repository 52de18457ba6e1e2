import { integratedLoudness } from "~/sources/files/integrated-loudness";

/** Where this file is served, to be a worker of. On a page it does nothing. */
export const workerUrl = import.meta.url;

if (typeof document === "undefined") {
  addEventListener("message", ({ data }) =>
    postMessage(integratedLoudness(data.channels, data.rate)),
  );
}
