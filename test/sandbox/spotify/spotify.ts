/** The Spotify stand-in: accounts, Web API, Web Playback SDK, open pages, pictures, own app. */
import { Hono } from "hono";
import { artists } from "../catalogue.ts";
import { addActions, type SandboxContext } from "../context.ts";
import { accountsRoutes } from "./accounts/accounts.ts";
import { createCredentials } from "./accounts/credentials.ts";
import { apiRoutes } from "./api/api.ts";
import { spotifyActions } from "./control-actions.ts";
import { appLinkRoutes, openRoutes, shareRoutes } from "./pages/open-pages.ts";
import { ownAppRoutes } from "./pages/own-app.ts";
import { imageRoutes } from "./pages/picture.ts";
import { createPeople } from "./people.ts";
import { sdkRoutes } from "./sdk/sdk.ts";
import type { SpotifyService } from "./service.ts";

export function spotifyRoutes(context: SandboxContext): Hono {
  const service: SpotifyService = {
    context,
    credentials: createCredentials(context),
    people: createPeople(context),
    changes: new Map(),
    hiddenLimits: new Set(),
  };
  addActions(context, spotifyActions(service));
  context.resets.push((musician) => {
    service.hiddenLimits.delete(musician ?? "");
    if (musician !== undefined) return;
    service.hiddenLimits.clear();
    service.changes.clear();
    service.credentials.resetModes();
  });
  context.links.push(
    { href: "/spotify/app", text: "Own app", note: "a musician's phone: open it, play, pause" },
    {
      href: `/spotify/open/artist/${artists[0]?.id}`,
      text: "Open pages",
      note: "the pages that songs, albums and artists link to; for example this artist",
    },
  );

  const app = new Hono();
  app.route("/accounts", accountsRoutes(service));
  app.route("/api", apiRoutes(service) as unknown as Hono);
  app.route("/sdk", sdkRoutes(service));
  app.route("/open", openRoutes(service));
  app.route("/link", shareRoutes());
  app.route("/app-link", appLinkRoutes(service));
  app.route("/images", imageRoutes());
  app.route("/app", ownAppRoutes(service));
  return app;
}
