import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { beginLogin } from "~/adapters/spotify/login.server";
import { isRefusal } from "~/domain/refusal";
import { loginOptions } from "~/domain/session/login-options.server";
import { loginStorage } from "~/http/cookies.server";
import { readFields } from "~/http/fields.server";
import { returnPath } from "~/http/return-path";

/** Nothing to see here: the landing page has the button. */
export function loader() {
  return redirect("/");
}

/** Sends the browser to Spotify's consent page, through one of the configured clients by lot. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { config } = context;
  const fields = await readFields(request);
  const clients = config.spotifyClients;
  const client = clients[Math.floor(context.random() * clients.length)] ?? clients[0];
  const storage = loginStorage(config.sessionSecret);
  const response = await beginLogin(loginOptions(config, client, storage), request);
  // The strategy has put its state into the login cookie; which client it was goes along with it.
  const session = await storage.getSession(response.headers.get("Set-Cookie"));
  session.set("client", client.id);
  session.set("next", returnPath(isRefusal(fields) ? null : fields.get("next")));
  const headers = new Headers({ Location: response.headers.get("Location") ?? "/" });
  headers.set("Set-Cookie", await storage.commitSession(session));
  return new Response(null, { status: 303, headers });
}
