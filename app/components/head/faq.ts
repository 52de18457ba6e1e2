import { premiumPrice } from "~/components/premium/price";
import { tierConfigs } from "~/members/tiers";
import type { Offers } from "~/platform/env";

const { free, premium } = tierConfigs;

interface FaqEntry {
  question: string;
  answer: string;
}

const aboutSpotify: FaqEntry[] = [
  {
    question: "Do I need Spotify Premium?",
    answer:
      "To hear songs from Spotify, yes: they play through your own Spotify account, and Spotify lets other apps start a song only with Premium. To come in, no: your e-mail address is enough.",
  },
  {
    question: "My Spotify app is open. Why does Fivefold not see it?",
    answer:
      "Perhaps it is in a private session, which hides from every other app what you play. End it in the settings of your Spotify app, under Privacy. On a computer, songs play in the page itself.",
  },
];

const aboutUploads: FaqEntry = {
  question: "Can I have a song heard that is not out yet?",
  answer:
    "Yes. You can submit a recording of your own: an MP3, M4A or WAV of at most ten minutes. It plays here alone, to the musicians who have it to rate. A new mix of it gets 5 ratings of its own.",
};

function waysToSubmit(spotify: boolean, uploads: boolean): string {
  const ways = [
    spotify ? "search for your song in Spotify's catalogue" : null,
    uploads ? "upload a recording of your own" : null,
  ].filter(Boolean);
  return `${ways.join(", or ") || "choose a song of yours"}, and submit it`;
}

/** Only what the configuration opens. */
export function faqEntries({ spotify, uploads, premium: sale }: Offers): FaqEntry[] {
  const isSold = sale !== "none";
  const orPremium = (text: string) => (isSold ? `, or ${text} with Fivefold Premium` : "");
  return [
    {
      question: "What is Fivefold?",
      answer:
        "A place where musicians rate each other's songs. You listen to songs by others and rate them. Then you submit a song of your own, and it is promised 5 ratings from musicians who have listened to it. How long they take depends on how many musicians are here.",
    },
    {
      question: "How do I submit my song?",
      answer: `Listen to and rate ${free.ratingsToSubmit} songs${orPremium(String(premium.ratingsToSubmit))}. Then ${waysToSubmit(spotify, uploads)}. You can submit the same song several times; it is promised 5 more ratings each time.`,
    },
    ...(uploads ? [aboutUploads] : []),
    {
      question: "Is it free?",
      answer: isSold
        ? `Yes. For free you see the newest ${free.maxVisibleRatings} ratings of each of your songs, and how many there are. Fivefold Premium costs ${premiumPrice(sale)}: you listen to each song for a shorter time, submit one after fewer ratings, and see all ratings of your songs, what listeners liked, what could be better, and how many have really put a song into a playlist.`
        : "Yes, all of it.",
    },
    ...(spotify ? aboutSpotify : []),
    {
      question: "Who sees the ratings?",
      answer:
        "Only the musician who submitted the song, unless they share the result. Nobody is told who gave a rating, not even that musician. While few musicians are here, a single rating could give its giver away; so the ratings of a song then open once all 5 are in.",
    },
    {
      question: "Why do I have to listen before I can rate?",
      answer: `So that every rating comes from somebody who has heard the song. It takes ${free.requiredSeconds} seconds${orPremium(String(premium.requiredSeconds))}; for a very short song, almost its whole length.`,
    },
    {
      question: "Can somebody rate a song with several accounts?",
      answer:
        "Hardly. A mailbox has one account, and few of a song's ratings may come from one place, such as one household.",
    },
    {
      question: "What is a round?",
      answer:
        "Six people or more who rate each other's songs among themselves: friends, a class, a label. One of you opens it and passes on a link. Everybody hands in a song, hears up to 6 of the others, and gets 5 ratings for listening. Nobody sees a mark before all have listened. It costs nothing and does not need the exchange.",
    },
    {
      question: "Is it safe to log in?",
      answer: spotify
        ? "Yes. You log in on Spotify's own page, and we never see your password. You can end Fivefold's access in your Spotify account at any time. If you come in with your e-mail, there is no password: we send you a code."
        : "Yes. There is no password: we send a code to your e-mail address.",
    },
  ];
}

/**
 * The FAQ for search engines, as schema.org's FAQPage. Only loaders call it, so that browsers do not download
 * it.
 */
export function faqPage(offers: Offers) {
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "FAQPage",
      mainEntity: faqEntries(offers).map(({ question, answer }) => ({
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: answer },
      })),
    },
  };
}
