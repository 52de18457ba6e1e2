import type { ReactNode } from "react";

/** A section of the design page; the list of contents links to its `id`. */
export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className="design-section" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A sample, above the names of its tokens or classes. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="design-sample">
      {children}
      <code>{name}</code>
    </div>
  );
}
