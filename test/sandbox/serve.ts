/** `npm run sandbox`: the stand-ins alone, to go with a bare `npx wrangler dev`. */
import { readArguments } from "../../.ops/command-line.ts";
import { startSandbox } from "./server.ts";
import { isFree, portTaken } from "./start/ports.ts";

readArguments({ usage: "npm run sandbox" });
const port = Number(process.env.SANDBOX_PORT ?? 8788);
if (!(await isFree(port))) {
  console.error(portTaken(port, "SANDBOX_PORT"));
  process.exit(1);
}
const stateDir = process.env.STATE_DIR ?? ".wrangler";
// The default address of wrangler dev.
const sandbox = await startSandbox({ port, stateDir, appOrigin: "http://127.0.0.1:8787" });
console.log(`The stand-ins are at ${sandbox.origin}`);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => sandbox.close().then(() => process.exit(0)));
}
