/**
 * Loaded into wrangler before its own code (`node --import`). However `npm start` ends, even by
 * SIGKILL, the pipe to wrangler's standard input closes. Then wrangler and the workerds that it has
 * started, which are one process group, end too and free their ports.
 */
process.stdin.once("close", () => process.kill(-process.pid, "SIGKILL")).resume();
process.stdin.unref();
