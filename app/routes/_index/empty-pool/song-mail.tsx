import { Link } from "@remix-run/react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { SongMail } from "~/exchange/carousel/empty-pool/empty-pool.server";

/**
 * Offers a mail for when there are songs to rate again, or cancels it. A plain form, sent in the background
 * where scripts run; its texts come from the server either way.
 */
export function SongMailForm({
  address,
  ended,
  asked,
  next,
  plain,
}: SongMail & {
  /** The path of the screen to which the plain form returns. */
  next: string;
  /** True if another button on the screen comes first. */
  plain: boolean;
}) {
  const { busy, error, onSubmit } = usePost(() => next);

  if (!address || ended) {
    return (
      <p>
        {address ? (
          <span>
            No e-mails about new songs to rate go to <bdi>{address}</bdi>.{" "}
          </span>
        ) : (
          <span>We have no e-mail address to tell you when there are songs again. </span>
        )}
        <Link to="/account#address">{address ? "Get them again" : "Add an address"}</Link>
      </p>
    );
  }
  return (
    <form className="song-mail" method="post" action="/song-mail" onSubmit={onSubmit}>
      <input type="hidden" name="wanted" value={String(!asked)} />
      <input type="hidden" name="next" value={next} />
      <button
        className={asked || plain ? "button plain" : "button"}
        type="submit"
        aria-disabled={busy || undefined}
        // The second click of a double click would cancel what the first has just requested.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        {asked ? "Do not send it" : "E-mail me when there are songs again"}
      </button>
      <p role="status">
        <span>{asked ? "When there are songs again, we will write once to " : "Once, to "}</span>
        <bdi>{address}</bdi>.
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
