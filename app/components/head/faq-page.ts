import { faqEntries } from "./faq-entries";

/**
 * Questions and answers for search engines, in the words of the FAQ (spec section 2, "Landing
 * page"): schema.org's FAQPage as JSON-LD, for loaders alone. Remix escapes it where it stands.
 */
export function faqPage() {
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "FAQPage",
      mainEntity: faqEntries.map(({ question, answer }) => ({
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: answer },
      })),
    },
  };
}
