import { UploadLink } from "~/routes/_index/upload-link";

/** The carousel, below its heading, when the pool has nothing for a viewer who has not rated yet. */
export function NoSongs({ canUpload }: { canUpload: boolean }) {
  return (
    <div className="standalone-message">
      <h2>No songs available to rate</h2>
      {canUpload ? <UploadLink /> : null}
    </div>
  );
}
