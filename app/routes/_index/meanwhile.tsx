import { Link } from "@remix-run/react";
import type { Meanwhile } from "~/domain/song-wish/meanwhile";
import { SongMailForm } from "./song-mail";
import { UploadLink } from "./upload-link";

/** What somebody can do who has nothing to rate: have a mail when there is, add a song, read ratings. */
export function MeanwhileOffers({
  mail,
  obstacle,
  next = "/",
}: Meanwhile & {
  /** The path of this screen. */
  next?: string;
}) {
  return (
    <>
      {mail ? <SongMailForm {...mail} next={next} /> : null}
      {obstacle ? <p className="quiet">{obstacle}</p> : <UploadLink />}
      <Link to="/ratings-of-my-songs">See the ratings of my songs</Link>
    </>
  );
}
