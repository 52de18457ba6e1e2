// Answers a deployment in the place of the Worker that is live.
const answer = { ok: true, version: process.env.npm_package_version };
globalThis.fetch = async (url) => {
  if (url === "https://fivefold.test/imprint") return new Response("<title>Imprint</title>");
  return url === "https://fivefold.test/health" ? Response.json(answer) : Response.error();
};
