import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { renderAlone } from "./react-alone";

const handleRequest = createRequestHandler(build as unknown as ServerBuild, "production");

export default {
  fetch: (request, env) =>
    env.TREE ? renderAlone(env.TREE) : handleRequest(request, { DB: env.DB } as never),
} satisfies ExportedHandler<{ DB: D1Database; TREE?: Parameters<typeof renderAlone>[0] }>;
