import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";

const handleRequest = createRequestHandler(build as unknown as ServerBuild, "production");

export default {
  fetch: (request, env) => handleRequest(request, { DB: env.DB } as never),
} satisfies ExportedHandler<{ DB: D1Database }>;
