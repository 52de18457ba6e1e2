import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { EntryForm } from "~/components/form/entry-form";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { WayIn } from "~/components/layout/way-in";
import { Notice } from "~/components/notice";
import { maxCodeTries } from "~/db/rules";
import { readFields } from "~/http/fields.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { completeEmailLogin, pendingEmailLogin } from "~/login/log-in-by-email.server";
import { type CodeState, maxTyped, readCode, waitText } from "~/login/login-code";
import { readCodeState } from "~/login/login-code.server";
import { viewerView } from "~/members/viewer.server";
import { isRejection } from "~/platform/rejection";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_LOGIN", "address"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Enter your code - Fivefold");

/** The code that was mailed last for this browser. What a wrong one has led to is read here, too. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const now = context.now();
  const { code: id, ticket } = await pendingEmailLogin(request, context);
  // The code was right, and somebody has gone back from the page that follows.
  if (ticket !== null) throw redirect("/login/name");
  const [code, viewer] = await Promise.all([readCodeState(context.db, id, now), context.viewer()]);
  const shown = viewer && viewerView(viewer);
  if (!code) throw Response.json({ ...noCode, viewer: shown }, { status: 400 });
  const { address, next, state, opened, wrongTries } = code;
  // It was used here: in another tab, or the answer was lost.
  if (state === "done" && viewer) throw redirect(next);
  return {
    viewer: shown,
    ...{ address, next, state, opened },
    isAgain: code.again !== null,
    wrong: wrongTries > 0,
    triesLeft: maxCodeTries - wrongTries,
    worksFor: waitText(code.expiresAt - now),
  };
}

/** Logs in by the code typed. Only six digits count as a try. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  const typed = isRejection(fields) ? null : readCode(fields.get("code") ?? "");
  if (typed === null) {
    return json({ error: "A code has six digits. Type or paste it again." }, 422);
  }
  const { code } = await pendingEmailLogin(request, context);
  const response = await completeEmailLogin(request, context, { id: code ?? "", typed });
  return response ?? redirect("/login/code", 303);
}

export default function CodeRoute() {
  const { viewer, state, wrong, address, next, opened, ...code } = useLoaderData<typeof loader>();
  const answer = useActionData<{ error: string }>();
  const tries = code.triesLeft === 1 ? "one try" : `${code.triesLeft} tries`;
  const notRight = `This code is not right. You have ${tries} left.`;
  const isMain = state !== "open" && state !== "link only";
  return (
    <Page viewer={viewer} current={null} amber>
      <WayIn step={2} heading="Look into your mail.">
        {state === "open" ? (
          <>
            <p className="lead">
              Six digits are on their way to <bdi>{address}</bdi>.
            </p>
            {opened ? <Notice tone="info">{openedText}</Notice> : null}
            <EntryForm
              id="code"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={maxTyped}
              label="Code of six digits"
              post={{ action: "/login/code" }}
              press="Come in"
              error={answer?.error ?? (wrong ? notRight : null)}
            />
            <p className="quiet">
              {`It works for ${code.worksFor}${opened ? "" : ", and so does the link in the mail"}. Nothing there? Look among your spam, too.`}
            </p>
          </>
        ) : (
          <Notice tone="info">{overTexts[state]}</Notice>
        )}
        <div className="actions">
          <form method="post" action="/login/email">
            <input type="hidden" name="address" value={address} />
            <input type="hidden" name="next" value={next} />
            <button className={isMain ? "button" : "link-button"} type="submit">
              Send another
            </button>
          </form>
          {code.isAgain ? null : (
            <a className="link-button" href={`/login/email?next=${encodeURIComponent(next)}`}>
              Another address
            </a>
          )}
        </div>
      </WayIn>
    </Page>
  );
}

export { PageError as ErrorBoundary };

const openedText =
  "The link in this e-mail was opened elsewhere: by you, in another browser, or by a program that looks through your mails. The code still works here. If it was not you, your account page lists that login, and can end it.";

const overTexts: Record<Exclude<CodeState, "open">, string> = {
  "link only":
    "Too many wrong codes were typed today, perhaps by somebody else. Open the link in the e-mail, or let us send you another one, and open that.",
  "used up": `${maxCodeTries} wrong codes were typed, so this one has ended. The link in the e-mail works in its place, or we send you another code.`,
  over: "Too many wrong codes were typed, and the link in the e-mail was used, so this one has ended. We can send you another one.",
  expired: "This code has expired. We can send you another one.",
  replaced:
    "A newer code was asked for in this browser, so this one has ended. Use the newest e-mail, or let us send you another code.",
  done: "This code has been used already. If you are not logged in now, we can send you another one.",
};

const noCode = {
  title: "This login has expired",
  text: "It was started too long ago or in another browser. The link in the e-mail may still work. If not, start again.",
  action: { label: "Log in by e-mail", href: "/login/email" },
};
