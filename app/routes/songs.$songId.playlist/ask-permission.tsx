import { Notice } from "~/components/notice";
import { usePlayerAccess } from "~/player/shell/player-access";

/**
 * Says what Fivefold will be allowed to do, and leads to Spotify's consent page: while a song is in this
 * page's player in a new tab, because leaving the page would end it.
 * @param path of the page, to which Spotify's leads back.
 * @param tab this is that tab.
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
        Fivefold needs your permission at Spotify for this: it may then see your playlists, private
        ones included, and add songs to them, which it does only when you press a button here.
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
