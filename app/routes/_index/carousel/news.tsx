import { Link } from "@remix-run/react";
import { mostNews, type NewsView } from "~/members/views";

/** One line about ratings of own songs that their owner has not seen. */
export function News({ songs, only }: NewsView) {
  return (
    <p className="news">
      <span className="news-dot" />
      {only ? (
        <Link to={`/ratings-of-my-songs/${encodeURIComponent(only.songId)}`}>
          <bdi translate="no">{only.title}</bdi> <span>has a new rating</span>
        </Link>
      ) : (
        <Link to="/ratings-of-my-songs">
          <span>{`${songs}${songs < mostNews ? "" : " or more"} songs have new ratings`}</span>
        </Link>
      )}
    </p>
  );
}
