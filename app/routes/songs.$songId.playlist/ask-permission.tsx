import { Notice } from "~/components/notice";
import { usePlayerAccess } from "~/player/shell/player-access";

/**
 * Explains the permission, and leads to Spotify's consent page; in a new tab if this page's player has a
 * song, which leaving the page would stop.
 * @param path of the page to which Spotify returns.
 * @param tab true in that new tab.
 */
export function AskPermission({
  path,
  declined,
  tab,
}: {
  path: string;
  declined: boolean;
  tab: boolean;
}) {
  const { snapshot } = usePlayerAccess();
  const isPlaying = snapshot?.place === "page" && snapshot.songId !== null;
  return (
    <form
      className="login"
      method="post"
      action="/playlists/permission"
      target={isPlaying ? "_blank" : undefined}
    >
      {declined ? (
        <Notice tone="info">
          You did not give the permission, so nothing was changed. Your rating counts as before.
        </Notice>
      ) : null}
      <p>
        Fivefold needs your permission at Spotify for this. It can then see your playlists, private
        ones too, and add songs to them, which it does only when you press a button here.
      </p>
      <input type="hidden" name="next" value={isPlaying || tab ? `${path}?tab` : path} />
      <button className="button" type="submit">
        {declined ? "Ask me again at Spotify" : "Give permission at Spotify"}
      </button>
      {isPlaying ? (
        <p className="quiet">Spotify opens in a new tab, so that your song plays on.</p>
      ) : null}
    </form>
  );
}
