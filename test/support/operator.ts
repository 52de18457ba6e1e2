/** Those who operate Fivefold, in tests inside workerd. */
import { env } from "cloudflare:workers";
import { insert, makeUser, type TestUser, unique } from "./database/factories";
import { row } from "./database/rows";
import { makeSession } from "./login";
import { song } from "./people";
import { request } from "./request";

type Asked = Parameters<typeof request>[1];
type SongDeed = "dismiss" | "take_out" | "put_back" | "delete_file";

/** Somebody who is logged in, and the environment in which they operate. */
export async function makeOperator(user?: TestUser) {
  const operator = user ?? (await makeUser({ displayName: "Otto Operator" }));
  const { spotifyId } = await row("users", { id: operator.id });
  const { cookie, id } = await makeSession(operator);
  const bindings = { ...env, OPERATORS: `somebody-else, ${spotifyId}` };
  const ask = (path: string, asked: Asked = {}) => request(path, { cookie, bindings, ...asked });
  const act = (form: Record<string, string>) => ask("/operator/act", { form });
  const reads = async (path: string) => (await ask(path)).text();
  const page = (query = "") => reads(`/operator${query}`);
  return {
    ...{ user: operator, spotifyId: spotifyId ?? "", cookie, sessionId: id, bindings, ask },
    ...{ page, act, reads },
    /** The page to which an action's answer leads. */
    follow: ({ headers }: Response) => reads(headers.get("Location") ?? ""),
    /** Decides about a song as the page has it now. */
    async decides(about: { id: string }, deed: SongDeed, reason = "It is silence.") {
      return act({ ...seen(await page(), about.id), do: deed, reason });
    },
    async look(person: string): Promise<string> {
      const found = await act({ do: "look", person });
      const text = await reads(found.headers.get("Location") ?? "");
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

/** @returns who reports it. */
export async function report(
  { id }: { id: string },
  { words = "It is silence.", at = Date.now() - 60_000, ownEmail = "" } = {},
): Promise<TestUser> {
  const address = ownEmail ? { ownEmail } : {};
  const reporter = await makeUser({ displayName: "Rhea Reporter", ...address });
  const by = { id: unique("report"), reporter_id: reporter.id };
  await insert("reports", { ...by, song_id: id, words, created_at: at }).run();
  return reporter;
}

/** A song that somebody has reported. */
export async function reported(options: Parameters<typeof song>[0] = {}) {
  const it = await song(options);
  await report(it);
  return it;
}
