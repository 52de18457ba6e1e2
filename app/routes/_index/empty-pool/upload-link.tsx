import { Link } from "@remix-run/react";
/** A link to the add-song screen. */
export function UploadLink() {
  return (
    <Link className="button" to="/?menu=addownsong">
      Upload Your Song
    </Link>
  );
}
