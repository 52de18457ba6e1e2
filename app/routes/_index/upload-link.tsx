/** Leads to the add-song screen. */
export function UploadLink() {
  return (
    <a className="button" href="/?menu=addownsong">
      Upload Your Song
    </a>
  );
}
