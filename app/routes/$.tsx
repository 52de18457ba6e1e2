import { data, type MetaFunction } from "@remix-run/cloudflare";

export const meta: MetaFunction = () => [{ title: "Nothing here - Fivefold" }];

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
