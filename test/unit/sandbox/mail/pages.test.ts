/** The mailbox pages, their security, and what is kept across a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { press, textOf } from "../rig.ts";
import { type MailRig, startMailRig } from "./rig.ts";

let rig: MailRig;
beforeAll(async () => {
  rig = await startMailRig();
  await rig.raiseRateLimit();
});
afterAll(() => rig.close());

const ONE_CLICK = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

/** Records the method, path, content type, cookie and body of each request; responds with `status`. */
async function startApp(status: number) {
  const seen: (string | undefined)[][] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method, url, headers } = request;
    seen.push([method, url, headers["content-type"], headers.cookie, String(Buffer.concat(parts))]);
    response.writeHead(status, { Location: "/elsewhere" }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

it("escapes everything in a mail and allows no scripts", async () => {
  const hostile = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
  const to = "hostile@musicians.example";
  const id = await rig.send({
    to: `${hostile.replace(/[<>]/g, "")} <${to}>`,
    subject: hostile,
    text: `</pre>${hostile}`,
    html: `<p title="a">${hostile}</p>`,
    headers: { "X-Hostile": hostile },
  });
  for (const path of [`/mail/${id}`, `/mail?to=${to}`, `/mail?to=${encodeURIComponent(hostile)}`]) {
    const response = await fetch(rig.sandbox.origin + path);
    const page = await response.text();
    expect(page).not.toMatch(/<script|<img|<\/pre><\/title|<p title/);
    expect(page).toContain("&lt;script&gt;");
    expect(response.headers.get("Content-Security-Policy")).toContain("script-src 'none'");
  }
  const page = await rig.page(`/mail/${id}`);
  const frame = /<iframe[^>]*srcdoc="([^"]*)"\s+sandbox="([^"]*)"/.exec(page);
  expect(frame?.[1]).toMatch(/^&lt;base target=&quot;_top&quot;&gt;&lt;p title=&quot;a&quot;/);
  expect(frame?.[2]?.split(" ").sort()).toEqual([
    "allow-popups",
    "allow-popups-to-escape-sandbox",
    "allow-top-navigation-by-user-activation",
  ]);
});

it("unsubscribes with one click, as a mail client does", async () => {
  const app = await startApp(302);
  const id = await rig.send({
    headers: {
      "list-unsubscribe": `<mailto:u@fivefold.example>, <${app.origin}/unsubscribe?token=a>`,
      ...ONE_CLICK,
    },
  });
  expect(await rig.page(`/mail/${id}`)).toContain("One-click unsubscribe, as a mail client does");
  const answer = await press(`${rig.sandbox.origin}/mail/${id}/unsubscribe`);
  expect(answer.status).toBe(200);
  expect(await textOf(answer)).toContain(`${new URL(app.origin).host} answered 302.`);
  const form = "application/x-www-form-urlencoded";
  expect(app.seen).toEqual([
    ["POST", "/unsubscribe?token=a", form, undefined, "List-Unsubscribe=One-Click"],
  ]);
});

it("has no button if the mail offers no one-click unsubscribe, and posts nothing to other machines", async () => {
  const app = await startApp(200);
  const address = { "List-Unsubscribe": `<${app.origin}/u>` };
  const closed = await rig.send({ headers: address });
  expect(await rig.page(`/mail/${closed}`)).not.toContain("One-click");
  const refused = await press(`${rig.sandbox.origin}/mail/${closed}/unsubscribe`);
  expect(refused.status).toBe(404);
  expect(app.seen).toEqual([]);
  for (const host of ["fivefold.example", "127.0.0.1.fivefold.example", "10.0.0.1"]) {
    const id = await rig.send({
      headers: { "List-Unsubscribe": `<https://${host}/u>`, ...ONE_CLICK },
    });
    const answer = await press(`${rig.sandbox.origin}/mail/${id}/unsubscribe`);
    expect(answer.status).toBe(400);
    expect(await textOf(answer)).toContain(`${host} is not on this machine`);
  }
});

it("keeps mails and keys across a restart", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "mail-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const first = await startMailRig({ stateDir });
  const id = await first.send({ subject: "Kept" }, "kept");
  const before = await first.mails();
  await first.close();

  const second = await startMailRig({ stateDir });
  onTestFinished(second.close);
  expect(await second.mails()).toEqual(before);
  expect(await second.send({ subject: "Kept" }, "kept")).toBe(id);
  expect(await second.mails()).toHaveLength(1);
  expect((await second.post({ subject: "Else" }, { "Idempotency-Key": "kept" })).status).toBe(409);
  expect(await second.page(`/mail/${id}`)).toContain("Kept");
});
