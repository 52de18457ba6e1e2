/**
 * What `wrangler dev` runs before it serves: builds the app and brings the local database up to
 * date, so that a bare `npx wrangler dev` works on a fresh clone. `npm start` migrates by itself,
 * where its state is, and says so by FIVEFOLD_MIGRATED.
 */
import { spawnSync } from "node:child_process";

const commands = ["remix build"];
if (!process.env.FIVEFOLD_MIGRATED) commands.push("wrangler d1 migrations apply DB --local");
for (const command of commands) {
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
  });
  if (status !== 0) process.exit(status ?? 1);
}
