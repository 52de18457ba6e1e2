import { UploadLink } from "~/routes/_index/upload-link";

/** The carousel, below its heading, once everything has been rated through (spec section 2, "Carousel screen"). */
export function NoMoreSongs({ canUpload }: { canUpload: boolean }) {
  return (
    <div className="standalone-message">
      <h2>No More Songs to Rate</h2>
      <p>Please come back later for more songs to rate.</p>
      {canUpload ? <UploadLink /> : null}
    </div>
  );
}
