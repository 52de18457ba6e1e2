import { Link } from "@remix-run/react";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import { SongMailForm } from "./song-mail";
import { UploadLink } from "./upload-link";

/** Offers for a user without songs to rate: a mail when there are some, adding a song, reading ratings. */
export function EmptyPoolOffers({
  mail,
  obstacle,
  next = "/",
}: EmptyPool & {
  /** The path of this screen. */
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
