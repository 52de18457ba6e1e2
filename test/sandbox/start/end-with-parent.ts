/**
 * Loaded into wrangler before its own code (`node --import`). However `npm start` ends, even by
 * SIGKILL, the pipe that it holds as wrangler's standard input closes. wrangler and the workerds
 * that it has started, one process group, then end too and give their ports back.
 */
process.stdin.once("close", () => process.kill(-process.pid, "SIGKILL")).resume();
process.stdin.unref();
