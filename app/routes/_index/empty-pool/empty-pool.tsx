import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Circle, RoundLink } from "~/components/circle";
import { FiveMarks } from "~/components/five-marks";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { EmptyPool, SongMail } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { CarouselView } from "~/exchange/carousel/view";

export function NoSongs({
  state,
  round,
  emptyPool,
  eligibility,
  origin,
  offersUpload,
  children,
}: Pick<CarouselView, "state" | "round" | "emptyPool" | "eligibility"> & {
  origin: string;
  /** False where the way to a submission stands above. */
  offersUpload: boolean;
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
  const isReached = offersUpload && emptyPool?.obstacle === null;
  const isFree = isReached && eligibility.eligible && eligibility.cost === 0;
  return (
    <div className={`standalone-message all-heard${isReached ? " sunny bleeds" : ""}`}>
      <div aria-hidden="true">
        <FiveMarks scores={[]} />
      </div>
      {round ? (
        <>
          <h2>The round is done for you.</h2>
          <p className="lead">
            <span>{`${round.until} `}</span>
            <Link to={round.path}>See the round</Link>
          </p>
        </>
      ) : state === "empty" ? (
        <h2>No songs available to rate</h2>
      ) : (
        <>
          <h2>You have heard everything.</h2>
          <p className="lead">
            {`${isFree ? "So yours costs nothing today. " : ""}The next song that comes in stands here.`}
          </p>
        </>
      )}
      {children}
      {emptyPool ? (
        <>
          <Circle members={emptyPool.members} origin={origin} />
          <EmptyPoolOffers {...emptyPool} offersUpload={offersUpload} />
        </>
      ) : null}
    </div>
  );
}

/** One loud way on, and the others below it. */
export function EmptyPoolOffers({
  mail,
  obstacle,
  next = "/",
  offersUpload = true,
}: Omit<EmptyPool, "members"> & { next?: string; offersUpload?: boolean }) {
  return (
    <>
      {obstacle ? <p className="quiet">{obstacle}</p> : offersUpload ? <UploadLink /> : null}
      {obstacle ? <RoundLink className="button" /> : null}
      {mail ? <SongMailForm {...mail} next={next} /> : null}
      <div className="actions">
        {obstacle ? null : <RoundLink />}
        <Link className="link-button" to="/ratings-of-my-songs">
          See the ratings of my songs
        </Link>
        <Link className="link-button" to="/rated">
          See the songs I rated
        </Link>
      </div>
    </>
  );
}

/**
 * Offers a mail for when there are songs to rate again, or cancels it. A plain form, sent in the background
 * where scripts run; its texts come from the server either way.
 */
function SongMailForm({ address, ended, asked, next }: SongMail & { next: string }) {
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
        className="button plain"
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
    <Link className="button" to="/?menu=addownsong&upload">
      Upload Your Song
    </Link>
  );
}
