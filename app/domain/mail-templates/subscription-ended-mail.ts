import { tierConfigs } from "~/domain/tiers/tiers";
import { type MailBody, type MailFrame, renderMail } from "./mail";
import { counted } from "./wording";

/** Tells a user that premium has ended: what changes, what stays, and the way back. */
export function subscriptionEndedMail(name: string, frame: MailFrame): MailBody {
  const { free } = tierConfigs;
  return renderMail(
    {
      subject: "Your Fivefold Premium has ended",
      preview: "Your songs and their ratings are still there.",
      name,
      blocks: [
        { kind: "heading", text: "Your premium has ended" },
        {
          kind: "paragraph",
          runs: ["Your songs and their ratings are still there, and new ratings still come in."],
        },
        {
          kind: "paragraph",
          runs: [
            `With ${free.name}, you listen to a song for ${counted(free.listeningTimeRequired, "second")} before you rate it, rate ${counted(free.songsToRateBeforeUpload, "song")} before you add one, and see the ${counted(free.maxVisibleRatings, "most recent rating")} of each of your songs.`,
          ],
        },
        {
          kind: "paragraph",
          runs: ["Thank you for having been with us. Should you like to come back:"],
        },
        { kind: "button", label: "Upgrade to Premium", url: `${frame.appOrigin}/subscribe` },
      ],
      why: "You get this mail because you had a subscription at Fivefold.",
    },
    frame,
  );
}
