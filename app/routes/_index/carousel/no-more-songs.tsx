import { UploadLink } from "~/routes/_index/upload-link";

/** Shown below the heading once all songs have been rated (spec section 2, "Carousel screen"). */
export function NoMoreSongs({ canUpload }: { canUpload: boolean }) {
  return (
    <div className="standalone-message">
      <h2>No More Songs to Rate</h2>
      <p>Please come back later for more songs to rate.</p>
      {canUpload ? <UploadLink /> : null}
    </div>
  );
}
