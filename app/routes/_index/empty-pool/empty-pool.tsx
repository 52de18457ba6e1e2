import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Circle } from "~/components/circle";
import { FiveMarks } from "~/components/five-marks";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { EmptyPool, SongMail } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { CarouselView } from "~/exchange/carousel/view";

export function NoSongs({
  state,
  emptyPool,
  eligibility,
  origin,
  children,
}: Pick<CarouselView, "state" | "emptyPool" | "eligibility"> & {
  origin: string;
  children: ReactNode;
}) {
  if (state === "away") {
    return (
      <div className="standalone-message">
        <h2>Welcome back</h2>
        <p>{emptyPool?.obstacle}</p>
      </div>
    );
  }
  return (
    <div className="standalone-message all-heard">
      <div aria-hidden="true">
        <FiveMarks scores={[]} />
      </div>
      {state === "empty" ? (
        <h2>No songs available to rate</h2>
      ) : (
        <>
          <h2>You have heard everything.</h2>
          <p className="lead">
            {`${eligibility.eligible && eligibility.cost === 0 ? "So yours costs nothing today. " : ""}The next song that comes in stands here.`}
          </p>
        </>
      )}
      {children}
      {emptyPool ? <Circle members={emptyPool.members} origin={origin} /> : null}
      {emptyPool ? <EmptyPoolOffers {...emptyPool} /> : null}
    </div>
  );
}

export function EmptyPoolOffers({
  mail,
  obstacle,
  next = "/",
}: Omit<EmptyPool, "members"> & {
  next?: string;
}) {
  return (
    <>
      {mail ? <SongMailForm {...mail} next={next} plain={obstacle === null} /> : null}
      {obstacle ? <p className="quiet">{obstacle}</p> : <UploadLink />}
      <Link to="/ratings-of-my-songs">See the ratings of my songs</Link>
      <Link to="/rated">See the songs I rated</Link>
    </>
  );
}

/**
 * Offers a mail for when there are songs to rate again, or cancels it. A plain form, sent in the background
 * where scripts run; its texts come from the server either way.
 */
function SongMailForm({
  address,
  ended,
  asked,
  next,
  plain,
}: SongMail & {
  next: string;
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

export function UploadLink() {
  return (
    <Link className="button" to="/?menu=addownsong">
      Upload Your Song
    </Link>
  );
}
