/** The sandbox's server: one origin, a stand-in under each path. */
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { SandboxContext } from "./context.ts";
import { controlRoutes } from "./control.ts";
import { createFaults } from "./faults.ts";
import { html, page } from "./html.ts";
import { mailRoutes } from "./mail/mail.ts";
import { createRequestLog } from "./request-log.ts";
import { spotifyRoutes } from "./spotify/spotify.ts";
import { openStore } from "./store.ts";
import { stripeRoutes } from "./stripe/stripe.ts";

export interface Sandbox {
  origin: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Starts the stand-ins. `port` 0 takes any free one; with `stateDir` their state survives a restart. Events go
 * to the webhooks of `appOrigin`.
 */
export async function startSandbox(options: {
  port: number;
  stateDir?: string;
  appOrigin?: string;
}): Promise<Sandbox> {
  const host = "127.0.0.1";
  const webhook = (name: string) =>
    options.appOrigin === undefined ? null : `${options.appOrigin}/webhooks/${name}`;
  const store = openStore(options.stateDir);
  let origin = "";
  const context: SandboxContext = {
    origin: () => origin,
    now: () => Date.now(),
    faults: createFaults(),
    log: createRequestLog(),
    store,
    actions: new Map(),
    resets: [],
    closing: [],
    links: [],
  };

  const app = new Hono();
  app.route("/spotify", spotifyRoutes(context));
  const stripe = stripeRoutes(context, webhook("stripe"));
  // Stripe's SDK can only be given a host, so the stand-in has Stripe's own paths.
  app.route("/v1", stripe.api);
  app.route("/stripe", stripe.pages);
  const mail = mailRoutes(context, webhook("resend"));
  app.route("/resend", mail.api);
  app.route("/mail", mail.pages);
  app.route("/control", controlRoutes(context));
  app.get("/", (c) => c.html(frontPage(context)));
  // Browsers request this for pages without an icon, such as mails.
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.onError((error, c) => {
    console.error(error);
    return c.text("The sandbox itself failed; see its console.", 500);
  });

  const server = await new Promise<Server>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, port: options.port, hostname: host }, () =>
      resolve(starting as Server),
    ) as Server;
    starting.once("error", reject);
  });
  // As long as the real services, because five seconds would end connections that a caller is about to use.
  server.keepAliveTimeout = 75_000;
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  origin = `http://${host}:${port}`;
  return {
    origin,
    port,
    close: () =>
      new Promise((resolve) => {
        for (const end of context.closing) end();
        store.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function frontPage(context: SandboxContext) {
  return page(
    "Sandbox",
    html`<h1>Sandbox</h1>
<p class="quiet">Stand-ins for the outside services. Nothing here leaves this machine.</p>
<ul class="list">${context.links.map(
      ({ href, text, note }) =>
        html`<li><a class="row" href="${href}"><span>${text}<small>${note}</small></span></a></li>`,
    )}</ul>`,
  );
}
