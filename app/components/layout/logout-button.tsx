export function LogoutButton() {
  return (
    <form method="post" action="/logout">
      <button className="button plain" type="submit">
        Logout
      </button>
    </form>
  );
}
