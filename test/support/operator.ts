/** Those who operate Fivefold, in tests inside workerd. */
import { env } from "cloudflare:workers";
import { makeUser, type TestUser } from "./database/factories";
import { makeSession } from "./login";
import { request } from "./request";

type Asked = Parameters<typeof request>[1];

/** Somebody who is logged in, and the environment in which they operate. */
export async function makeOperator(user?: TestUser) {
  const operator = user ?? (await makeUser({ displayName: "Otto Operator" }));
  const find = env.DB.prepare("SELECT spotify_id FROM users WHERE id = ?").bind(operator.id);
  const spotifyId = (await find.first<string>("spotify_id")) ?? "";
  const { cookie, id } = await makeSession(operator);
  const bindings = { ...env, OPERATORS: `somebody-else, ${spotifyId}` };
  const ask = (path: string, asked: Asked = {}) => request(path, { cookie, bindings, ...asked });
  const act = (form: Record<string, string>) => ask("/operator/act", { form });
  return {
    ...{ user: operator, spotifyId, cookie, sessionId: id, bindings, ask },
    page: async (query = "") => (await ask(`/operator${query}`)).text(),
    act,
    async look(person: string): Promise<string> {
      const found = await act({ do: "look", person });
      const text = await (await ask(found.headers.get("Location") ?? "")).text();
      return /<section aria-labelledby="people">.*?<\/section>/s.exec(text)?.[0] ?? "";
    },
  };
}

/** What the form about a song sends along. */
export function seen(page: string, songId: string): Record<string, string> {
  const [, form = ""] = page.split(`id="song-${songId}"`);
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(form.split("</form>")[0] ?? "")?.[1] ?? "";
  const names = ["song", "user", "lock", "seenAt", "decidedAt"];
  return Object.fromEntries(names.map((name) => [name, field(name)]));
}
