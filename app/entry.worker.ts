import type { ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { createRequestPipeline } from "~/http/pipeline.server";
import { consumeQueue, runScheduledJobs } from "~/jobs.server";
import { countAlarms } from "~/operator/alarms.server";
import type { Bindings } from "~/platform/env";

export default {
  fetch: createRequestPipeline(build as unknown as ServerBuild, countAlarms),
  queue: consumeQueue,
  scheduled: runScheduledJobs,
} satisfies ExportedHandler<Bindings>;
