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

/** A line with a button that leads to somebody's account. */
export function LookButton({ userId, name }: { userId: string; name: string }) {
  return (
    <p>
      <button
        className="button plain small"
        form={formId}
        name="person"
        value={userId}
        type="submit"
      >
        Look at <bdi>{name}</bdi>
      </button>
    </p>
  );
}
