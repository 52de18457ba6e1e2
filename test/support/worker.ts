import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../build/index.js";

export const worker: {
  fetch(request: Request, bindings: object, execution: ExecutionContext): Promise<Response>;
  queue(batch: MessageBatch<unknown>, bindings: object, execution: ExecutionContext): Promise<void>;
  scheduled(
    controller: ScheduledController,
    bindings: object,
    execution: ExecutionContext,
  ): Promise<void>;
} = bundle;

export const everyTenMinutes = "*/10 * * * *";
export const daily = "17 4 * * *";

export function runJobs(cron: string, bindings: object = env): Promise<void> {
  const controller = createScheduledController({ cron });
  return worker.scheduled(controller, bindings, createExecutionContext());
}
