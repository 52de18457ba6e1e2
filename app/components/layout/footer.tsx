import { Link } from "@remix-run/react";
import { LogoutButton } from "./logout-button";

const versionLabel = "v 5.24";

/** Legal links, and for logged-in users Logout and the version. */
export function Footer({ loggedIn }: { loggedIn: boolean }) {
  return (
    <footer className="footer">
      <ul>
        {["Imprint", "Privacy Policy", "Contact"].map((label) => (
          <li key={label}>
            <Link to="/imprint">{label}</Link>
          </li>
        ))}
      </ul>
      {loggedIn ? (
        <>
          <LogoutButton />
          <small>{versionLabel}</small>
        </>
      ) : null}
    </footer>
  );
}
