/**
 * Loaded into wrangler first. However `npm start` ends, wrangler's standard input closes; then wrangler and its
 * workerds, which are one process group, end too and free their ports.
 */
process.stdin.once("close", () => process.kill(-process.pid, "SIGKILL")).resume();
process.stdin.unref();
