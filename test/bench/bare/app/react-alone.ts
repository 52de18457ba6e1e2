import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import type { Tree } from "../../worker/html-tree";

/** Renders elements as they are: no components, no data, no router. */
export function renderAlone(tree: Tree): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(renderToString(elementOf(tree)), { headers });
}

function elementOf([tag, attributes, ...children]: Tree): ReactNode {
  if (tag === "script") {
    const html = { __html: String(children[0] ?? "") };
    return createElement(tag, { ...attributes, dangerouslySetInnerHTML: html });
  }
  const inner = children.map((child) => (typeof child === "string" ? child : elementOf(child)));
  return createElement(tag, attributes, ...inner);
}
