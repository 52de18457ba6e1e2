/**
 * Cloudflare's price list for the Workers Paid plan, in US dollars a month, looked up on 22 November 2026
 * in copies of its documentation; R2 is of its class Standard, by the operations of classes A and B. Static files,
 * data that leaves, files deleted, and idle time cost nothing.
 */
export interface Price {
  name: string;
  /** What one unit of the price is. */
  unit: number;
  /** Units that the plan includes, and the price of each further one. */
  included: number;
  perUnit: number;
  source: string;
}

/** What the plan costs without any use. */
export const planPerMonth = 5;

const million = 1e6;
const workers = "https://developers.cloudflare.com/workers/platform/pricing/";
const r2 = "https://developers.cloudflare.com/r2/pricing/";
const d1 = "https://developers.cloudflare.com/d1/platform/pricing/";

export const prices = {
  requests: { name: "requests", unit: million, included: 10, perUnit: 0.3, source: workers },
  cpuMs: { name: "processor ms", unit: million, included: 30, perUnit: 0.02, source: workers },
  rowsRead: { name: "rows read", unit: million, included: 25_000, perUnit: 0.001, source: d1 },
  rowsWritten: { name: "rows written", unit: million, included: 50, perUnit: 1, source: d1 },
  bytes: { name: "bytes stored", unit: 1e9, included: 5, perUnit: 0.75, source: d1 },
  fileBytes: { name: "bytes of files", unit: 1e9, included: 10, perUnit: 0.015, source: r2 },
  classA: { name: "files written", unit: million, included: 1, perUnit: 4.5, source: r2 },
  classB: { name: "files read", unit: million, included: 10, perUnit: 0.36, source: r2 },
  queueOperations: {
    name: "queue operations",
    unit: million,
    included: 1,
    perUnit: 0.4,
    source: "https://developers.cloudflare.com/queues/platform/pricing/",
  },
  logLines: { name: "log lines", unit: million, included: 20, perUnit: 0.6, source: workers },
  dataPoints: {
    name: "events counted",
    unit: million,
    included: 10,
    perUnit: 0.25,
    source: "https://developers.cloudflare.com/analytics/analytics-engine/pricing/",
  },
} satisfies Record<string, Price>;

export type Line = keyof typeof prices;
