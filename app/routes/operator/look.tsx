/** The name of the form with which the names of people on the page lead to them. */
const formId = "look";

/** The form of all `LookButton`s of the page. A look is posted, because it is written down. */
export function LookForm() {
  return (
    <form id={formId} method="post" action="/operator/act" hidden>
      <input type="hidden" name="do" value="look" />
    </form>
  );
}

/** Somebody's name, which leads to the account. */
export function LookButton({ userId, name }: { userId: string; name: string }) {
  return (
    <button className="link-button" form={formId} name="person" value={userId} type="submit">
      <bdi>{name}</bdi>
    </button>
  );
}
