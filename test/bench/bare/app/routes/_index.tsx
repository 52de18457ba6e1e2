import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";

/** One query, as plain as it can be. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { DB } = context as unknown as { DB: D1Database };
  const { results } = await DB.prepare("SELECT id, display_name FROM users LIMIT 5").all<{
    id: string;
    display_name: string;
  }>();
  return { users: results };
}

export default function Index() {
  const { users } = useLoaderData<typeof loader>();
  return (
    <ul>
      {users.map(({ id, display_name }) => (
        <li key={id}>{display_name}</li>
      ))}
    </ul>
  );
}
