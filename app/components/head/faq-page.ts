import { faqEntries } from "./faq-entries";

/**
 * The FAQ for search engines: schema.org's FAQPage as JSON-LD, which Remix escapes. Only loaders call it, so
 * that browsers do not download it.
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
