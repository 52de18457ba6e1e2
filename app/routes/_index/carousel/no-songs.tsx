import { UploadLink } from "~/routes/_index/upload-link";

/** Shown below the heading if there are no songs for a viewer who has not rated any yet. */
export function NoSongs({ canUpload }: { canUpload: boolean }) {
  return (
    <div className="standalone-message">
      <h2>No songs available to rate</h2>
      {canUpload ? <UploadLink /> : null}
    </div>
  );
}
