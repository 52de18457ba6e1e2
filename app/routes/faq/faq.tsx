import { faqEntries } from "~/components/head/faq";
import { LoginButton } from "~/components/layout/login-button";

/** The FAQ page; visitors also get the login button. */
export function Faq({ loggedIn }: { loggedIn: boolean }) {
  return (
    <div className="prose faq">
      <h1>FAQ</h1>
      {faqEntries.map(({ question, answer }) => (
        <details className="panel" key={question}>
          <summary>
            <h2>{question}</h2>
          </summary>
          <p>{answer}</p>
        </details>
      ))}
      {loggedIn ? null : <LoginButton />}
    </div>
  );
}
