// Answers a deployment in the place of the Worker that is live.
const answer = { ok: true, version: process.env.npm_package_version };
globalThis.fetch = async (url) =>
  url === "https://fivefold.test/health" ? Response.json(answer) : Response.error();
