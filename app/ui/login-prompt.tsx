import { LoginButton } from "~/ui/login-button";
import { StarHeading } from "~/ui/star-heading";

/** /ratings-of-my-songs for visitors who are not logged in (spec section 2, "Routes"). */
export function LoginPrompt() {
  return (
    <div className="prose">
      <StarHeading>Ratings of my songs</StarHeading>
      <p className="lead">
        Here you will see the ratings your songs received after you added them. Please login to get
        started.
      </p>
      <p>Only you will see your ratings.</p>
      <LoginButton />
    </div>
  );
}
