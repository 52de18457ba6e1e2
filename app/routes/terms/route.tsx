import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { premiumPrice } from "~/components/premium/price";
import { ratingsPerSubmission } from "~/db/rules";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { fullDate } from "~/platform/dates";
import { withdrawalDays } from "~/premium/declaration";

export const handle: RouteHandle = { sameForVisitors: true, crawlers: "listed" };

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { appOrigin, operator, contactEmail, offers, terms } = context.config;
  return {
    viewer: viewer && viewerView(viewer),
    operator,
    contactEmail,
    offers,
    from: fullDate(terms.from),
    isComing: terms.from > context.now(),
    changes: terms.changes,
    head: publicHead(
      {
        path: "/terms",
        title: "Terms - Fivefold",
        description:
          "What Fivefold promises and allows, how decisions are made, and what Premium's contract says.",
      },
      appOrigin,
    ),
  };
}

export default function TermsRoute() {
  const { viewer, operator, contactEmail, offers, from, isComing, changes } =
    useLoaderData<typeof loader>();
  const [name] = operator.split("\n");
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose">
        <h1>Terms</h1>
        <p className="lead">
          <span>{isComing ? `They hold from ${from}.` : `Of ${from}.`}</span>{" "}
          <span>{`They are a contract between you and ${name}, whose address is in the`}</span>{" "}
          <a href="/imprint">imprint</a>.
        </p>
        {changes ? <p>{`What is new: ${changes}`}</p> : null}
        <h2>What we promise</h2>
        <p>
          {`Each song that you submit is promised ${ratingsPerSubmission} ratings by people who have heard it. How long they take depends on how many musicians are here. Nobody is told who gave a rating. Fivefold may be down, change or end; if it is to end, we tell you two weeks before, and you can download your data.`}
        </p>
        <h2>What you need</h2>
        <ul>
          <li>You are 16 or older.</li>
          <li>One person has one account, and rates what they have heard and think.</li>
          <li>You may submit a song if its rights are yours, or if who has them allows it.</li>
          <li>
            <span>You say truly how it was made: by people, partly generated, or generated.</span>{" "}
            <span>
              {offers.generated
                ? "What people have not made alone is labelled."
                : "What is partly generated is labelled, and what is generated is not taken."}
            </span>
          </li>
          <li>
            Nothing unlawful or hateful, nothing that is not music, and nobody pays for ratings, or
            trades them outside of rounds.
          </li>
        </ul>
        {offers.uploads ? (
          <>
            <h2>Your recordings</h2>
            <p>
              They stay yours. You permit us to store a file and to play it to those who have it to
              rate, or are in a round with you, until you delete it or it is deleted here. We use it
              for nothing else.
            </p>
          </>
        ) : null}
        <h2>How we decide</h2>
        <p>
          Songs are drawn by rules that are the same for everybody; the oldest promise comes first.
          Programs count ratings and keep limits. Whether a song is taken out, a file is deleted or
          somebody can submit no more is decided by a person, for a breach of these terms or of the
          law. Whoever is concerned hears the reason by e-mail, and can answer. You can also go to a
          court, or to a body for the settlement of disputes.
        </p>
        {offers.premium === "none" ? null : (
          <>
            <h2>Fivefold Premium</h2>
            <p>
              {`It costs ${premiumPrice(offers.premium)}. Stripe takes the payment, and again each month until you cancel. It begins when you have paid. If a payment fails, Premium goes on for a while and then ends.`}
            </p>
            <p>
              <span>
                You can cancel at any time, to the end of what is paid for: in your account, or
                without a login by
              </span>{" "}
              <a href="/cancel">cancelling here</a>.{" "}
              <span>{`Within ${withdrawalDays} days of subscribing you can`}</span>{" "}
              <a href="/withdraw">withdraw</a>
              <span>
                , without a reason: it ends at once, and you get back what you have paid. By
                subscribing you ask us to begin at once; you lose nothing by that.
              </span>
            </p>
          </>
        )}
        <h2>Leaving</h2>
        <p>
          You can delete your account at any time. We can end it with two weeks’ notice, or at once
          after a serious breach, and say why.
        </p>
        <h2>If something changes</h2>
        <p>
          Before new terms hold, every member gets an e-mail two weeks before, once, that says what
          changes. Whoever does not agree can cancel and leave until then.
        </p>
        <h2>The law</h2>
        <p>
          <span>
            The law of the operator’s country holds; what protects consumers in yours holds, too. We
            are liable for what we do on purpose or by gross negligence, and otherwise as the law
            says. Questions:
          </span>{" "}
          <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
