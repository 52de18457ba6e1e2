import { data } from "@remix-run/cloudflare";

/** Whatever no other route answers. */
export function loader() {
  throw data(null, { status: 404 });
}

export function action() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
