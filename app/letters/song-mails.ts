import { toneOf } from "~/covers/tones";
import { ratingsPerSubmission } from "~/db/rules";
import { readReleaseLink } from "~/exchange/release/release-link";
import { counted } from "~/platform/text";
import { type SourceName, sourceOf } from "~/sources/song";
import { button, heading, paragraph, plainLink, quietParagraph, ratingsUrl } from "./blocks";
import type { MailContent, MailFrame, MailSong } from "./mail";
import { awaitedMarks } from "./rating-blocks";
import { onlyYouSeeRatings, quoted, redress, whySongMails } from "./wording";

export interface SubmittedSong extends MailSong {
  songId: string;
  /** Ratings from all its submissions. */
  entitled: number;
}

export function submissionMail(added: SubmittedSong, frame: MailFrame): MailContent {
  const entitled = counted(added.entitled, "rating");
  return {
    subject: added.title
      ? `Your song was submitted: ${quoted(added.title)}`
      : "Your song was submitted",
    preview: `It gets ${entitled} in all.`,
    about: added,
    title: "Your song was submitted",
    lead: [awaitedMarks(ratingsPerSubmission)],
    blocks: [
      `Other musicians will listen to it and say what they think. It gets ${entitled} in all. We will write to you when they come in.`,
      button("See the ratings of this song", ratingsUrl(frame.appOrigin, [added.songId])),
      quietParagraph(onlyYouSeeRatings),
    ],
    why: whySongMails,
  };
}

export interface RestingSong extends MailSong {
  songId: string;
  owed: number;
}

/** Why a song of each source rests, and what brings it back. */
const restWords: Record<SourceName, { why: string; back: string; label: string }> = {
  spotify: {
    why: "Spotify does not play it at the moment, so nobody gets to rate it. Perhaps it has left Spotify, or is not available everywhere.",
    back: "Once Spotify plays it again, you can bring it back:",
    label: "Bring it back",
  },
  files: {
    why: "Three listeners in a row could not play it in their browsers, so nobody gets to rate it. Some files play in one browser and not in another.",
    back: "If it plays for you in another browser, too, you can bring it back. If not, export it as an MP3, which plays everywhere, and upload that as a song of its own:",
    label: "See this song",
  },
};

/** Tells a song's owner that it rests because it does not play (rule 12, rest). */
export function restingMail(resting: RestingSong, frame: MailFrame): MailContent {
  const { why, back, label } = restWords[sourceOf(resting)];
  const owed = counted(resting.owed, "rating");
  return {
    subject: `Your song is resting: ${quoted(resting.title)}`,
    preview: `It is still owed ${owed}.`,
    about: resting,
    title: "Your song is resting",
    blocks: [
      why,
      `Nothing is lost: it keeps its ratings, and it is still owed ${owed}. ${back}`,
      button(label, ratingsUrl(frame.appOrigin, [resting.songId])),
      quietParagraph(onlyYouSeeRatings),
    ],
    why: whySongMails,
  };
}

export interface Decision {
  action: "take_out" | "put_back" | "delete_file" | "lock" | "unlock";
  /** In the operator's own words. */
  reason: string;
  ground: "terms" | "law" | null;
  /** Somebody had reported the song. */
  isReported: boolean;
  /** Null if the decision is about no single song, or the song is gone. */
  song: (MailSong & { songId: string }) | null;
}

/** Tells an owner what the operator has decided, why, and how to answer (rule 39, decisions). */
export function decisionMail(decision: Decision, frame: MailFrame): MailContent {
  const { reason, song: about } = decision;
  const { title, text } = textsOf(decision);
  return {
    subject: about ? `${title}: ${quoted(about.title)}` : title,
    preview: reason,
    about,
    title,
    blocks: [
      text,
      paragraph("The reason: ", { own: reason }),
      ...groundOf(decision),
      ...(about && decision.action === "put_back"
        ? [button("See your song", ratingsUrl(frame.appOrigin, [about.songId]))]
        : []),
      redress,
    ],
    why: "You are receiving this e-mail because you should know what we decide about your songs. It cannot be switched off.",
  };
}

/** Of a decision against its owner: what it rests on, and how we came to it. */
function groundOf({ action, ground, isReported }: Decision): string[] {
  if (action === "put_back" || action === "unlock") return [];
  const rests = ground === "law" ? "the law" : "our terms";
  const source = isReported ? " Somebody had reported it to us." : "";
  return [`This rests on ${rests}.${source} A person has decided it, and no machine.`];
}

function textsOf({ action, song }: Decision): { title: string; text: string } {
  switch (action) {
    case "take_out":
      return {
        title: song ? "We have taken out your song" : "We have taken out a song of yours",
        text: "It is no longer offered to anybody, and it cannot be submitted again. Its ratings stay, and you still see them, but nobody sees a result of it that you shared.",
      };
    case "put_back":
      return {
        title: song ? "We have put back your song" : "We have put back a song of yours",
        text: "It can be rated again. If you had taken it out yourself, or ten other songs of yours are waiting for ratings, it waits for you to bring it back. If its file is deleted, upload it again.",
      };
    case "delete_file":
      return {
        title: song ? "We have deleted your file" : "We have deleted a file of yours",
        text: "Nobody can hear it here any more. Its ratings stay, and you still see them.",
      };
    case "lock":
      return {
        title: "You cannot submit songs at the moment",
        text: "You cannot say where a song is out either. Everything else is as before: you can rate songs, see the ratings of your own, download your data and delete your account. The songs that you have submitted stay.",
      };
    case "unlock":
      return {
        title: "You can submit songs again",
        text: "The same rules apply as before.",
      };
  }
}

/** Tells a user who had nothing left to rate, and asked for this mail, that there are songs again. */
export function songsAgainMail(frame: MailFrame): MailContent {
  return {
    subject: "There are songs to rate again",
    preview: "You asked us to tell you.",
    title: "There are songs to rate again",
    blocks: [
      "You asked us to tell you when there is something to listen to again. Now there is.",
      button("Take me to the songs", `${frame.appOrigin}/`),
      quietParagraph(
        "We won't write again about these. Once you have rated them all, you can ask for another e-mail.",
      ),
    ],
    why: "You are receiving this e-mail because you asked Fivefold for it when there was nothing to rate.",
  };
}

/** Tells an owner who asked for it that there are listeners for a new mix of a song. */
export function newMixMail(mixed: ReleasedSong, frame: MailFrame): MailContent {
  return {
    subject: mixed.title
      ? `Listeners for a new mix: ${quoted(mixed.title)}`
      : "There are listeners for a new mix",
    preview: "You asked us to tell you.",
    about: mixed,
    title: "There are listeners for a new mix",
    blocks: [
      "Five musicians who have not heard this song are here. They can hear a new mix.",
      button("See this song", ratingsUrl(frame.appOrigin, [mixed.songId])),
      quietParagraph("We won't write again about this, unless you ask for it."),
    ],
    why: "You are receiving this e-mail because you asked Fivefold for it on this song's page.",
  };
}

export interface ReleasedSong extends MailSong {
  songId: string;
  /** Null where the mail must not contain what a stranger may have chosen. */
  url: string | null;
}

/** Tells somebody who asked for it that an own recording is out (rule 44, release). */
export function releaseMail(released: ReleasedSong, frame: MailFrame): MailContent {
  const link = released.url === null ? null : readReleaseLink(released.url);
  return {
    subject: released.title
      ? `It is out: ${quoted(released.title)}`
      : "A song that you liked is out",
    preview: "You asked us to tell you.",
    about: released.title ? released : null,
    tone: toneOf(released),
    lead: [heading("It is out", "display")],
    blocks: [
      "You rated this song “Added to my playlist!” before it was released, and asked us to tell you when it is out. Now it is.",
      ...(link
        ? [
            plainLink(`Listen on ${link.service}`, link.url),
            quietParagraph("Its artist gave us this link."),
          ]
        : [button("See the songs that I rated", `${frame.appOrigin}/rated`)]),
      quietParagraph("We won't write again about this song."),
    ],
    why: "You are receiving this e-mail because you asked Fivefold for it after you rated this song.",
  };
}
