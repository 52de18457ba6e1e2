import type { SpotifyGap } from "~/members/spotify-gap";

/** A plain form: it leads through Spotify's consent page and back to `next`. */
export function ConnectSpotify({ text, form, next }: SpotifyGap & { next: string }) {
  return (
    <form className="connect" method="post" action={form?.action}>
      <p className="quiet">{text}</p>
      {form ? (
        <>
          <input type="hidden" name="next" value={next} />
          <button className="button plain small" type="submit">
            {form.label}
          </button>
        </>
      ) : null}
    </form>
  );
}
