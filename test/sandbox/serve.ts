/** `npm run sandbox`: the stand-ins alone, to go with a bare `npx wrangler dev`. */
import { startSandbox } from "./server.ts";

const port = Number(process.env.SANDBOX_PORT ?? 8788);
const sandbox = await startSandbox({ port, stateDir: process.env.STATE_DIR ?? ".wrangler" });
console.log(`The stand-ins are at ${sandbox.origin}`);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => sandbox.close().then(() => process.exit(0)));
}
