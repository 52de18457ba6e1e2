/** A musician's browser as far as it sends requests: keeps cookies and notes how long each answer took. */
import type { ServedProduct } from "../served-product.ts";

export interface Answered {
  /** What was asked for, such as "carousel". */
  what: string;
  ms: number;
  /** 0 where there was no answer. */
  status: number;
}

interface Asked {
  /** Posted, if there is one. */
  form?: Record<string, string>;
}

/** How long a request may take before it counts as not answered, in milliseconds. */
const longestMs = 20_000;

export function openBrowser(
  { origin, sandboxOrigin }: ServedProduct,
  note: (one: Answered) => void,
) {
  const cookies = new Map<string, string>();

  async function ask(what: string, path: string, { form }: Asked = {}): Promise<Response | null> {
    const began = performance.now();
    const noted = (status: number) => note({ what, status, ms: performance.now() - began });
    try {
      const response = await fetch(new URL(path, origin), {
        method: form ? "POST" : "GET",
        redirect: "manual",
        signal: AbortSignal.timeout(longestMs),
        headers: {
          Accept: "text/html",
          Origin: origin,
          Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      });
      const text = await response.text();
      noted(response.status);
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0|1970/.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return new Response(text || null, { status: response.status, headers: response.headers });
    } catch {
      noted(0);
      return null;
    }
  }

  return {
    ask,
    /** Logs in through the landing page and the stand-in's consent page. @returns whether it worked. */
    async logIn(musician: string): Promise<boolean> {
      await ask("landing", "/");
      const begun = await ask("login", "/login", { form: {} });
      const consent = await fetch(begun?.headers.get("Location") ?? sandboxOrigin);
      const page = await consent.text();
      const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? "";
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]): [string, string] => [name, value.replaceAll("&amp;", "&")],
      );
      const decided = await fetch(new URL(action, sandboxOrigin), {
        method: "POST",
        body: new URLSearchParams([...fields, ["musician", musician], ["decision", "agree"]]),
        redirect: "manual",
      });
      const back = decided.headers.get("Location");
      if (!back) return false;
      const { pathname, search } = new URL(back);
      await ask("login", `${pathname}${search}`);
      return cookies.has("__Host-session");
    },
  };
}
