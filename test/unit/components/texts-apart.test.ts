/**
 * A translator replaces each text of a page by elements of its own. React then cannot remove the text, put
 * anything before it, or change it, unless the text is all that its element holds. So a text that has
 * siblings may only stand among texts and elements that are always there.
 */
import { resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Never drawn by a browser, or with texts that no deployed version changes. */
const fixed =
  /\.server\.tsx$|\/letters\/|\/routes\/operator\/|\/imprint\/imprint\.tsx$|\/r\.\$token\//;

const { fileNames, options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile("tsconfig.json", ts.sys.readFile).config,
  ts.sys,
  process.cwd(),
);

test("no text of a screen comes, goes or changes beside siblings", () => {
  const screens = fileNames.filter((name) => /\/app\/.*\.tsx$/.test(name) && !fixed.test(name));
  expect(screens.length).toBeGreaterThan(60);
  expect(faultsIn(ts.createProgram(fileNames, options), screens)).toEqual([]);
});

const samples = {
  broken: [
    "<p>{n} songs</p>",
    "<p>{n}{n}</p>",
    "<p><b />{text}</p>",
    "<p><b />{n ? 'text' : null}</p>",
    "<p>text {n ? <b /> : null}</p>",
    "<p>{n ? <b /> : null} text</p>",
    "<p>text <Part>{null}</Part></p>",
    "<>text</>",
    "<>{text}</>",
    "<p>{n ? <>text <b /></> : null}<b /></p>",
    "<Part>text</Part>",
    "<Part>{text}</Part>",
  ],
  sound: [
    "<p>{text}</p>",
    "<p>{n ? 'text' : null}</p>",
    "<p>text <b>{text}</b> text{' '}</p>",
    "<p>{n ? <b>{text}</b> : null}<b>{n}</b></p>",
    "<Part><b>text</b></Part>",
  ],
};

test("each kind of such a text is found, and nothing else", () => {
  const all = [...samples.broken, ...samples.sound];
  const sources = new Map(
    all.map((jsx, at) => [
      resolve(`app/sample-${at}.tsx`),
      `import type { ReactNode } from "react";
declare const text: string, n: number;
function Part({ children }: { children: ReactNode }) { return <div><b />{children}</div>; }
export const sample = ${jsx};`,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const source = sources.get(file);
    return source === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, source, rest[0]);
  };
  const names = [...sources.keys()];
  const program = ts.createProgram(names, options, host);
  const found = all.filter((_jsx, at) => faultsIn(program, [names[at] ?? ""]).length > 0);
  expect(found).toEqual(samples.broken);
});

/** The places of texts that a translation of the page would break. */
function faultsIn(program: ts.Program, names: string[]): string[] {
  const checker = program.getTypeChecker();
  const faults: string[] = [];
  /** Components that put their children beside siblings, and the places where each is used. */
  const mixing = new Set<ts.Symbol>();
  const uses: { component: ts.Symbol; children: ts.JsxChild[] }[] = [];

  for (const source of program.getSourceFiles()) if (names.includes(source.fileName)) visit(source);
  for (const { component, children } of uses) {
    if (mixing.has(component)) children.filter(mayBeText).forEach(note);
  }
  return faults;

  function visit(node: ts.Node): void {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) look(node);
    ts.forEachChild(node, visit);
  }

  function look(node: ts.JsxElement | ts.JsxFragment): void {
    const children = node.children.filter(isRendered);
    const component = ts.isJsxElement(node) && symbolOf(node.openingElement.tagName);
    if (component) uses.push({ component, children });
    // Where the content of a fragment ends up, it may have siblings.
    if (children.length < 2 && !ts.isJsxFragment(node)) return;
    const hasText = children.some(isFixedText);
    for (const child of children) {
      if (isFixedText(child)) {
        if (ts.isJsxFragment(node)) note(child);
      } else if (isChildren(child) && !hasText) {
        const owner = ts.findAncestor(node, ts.isFunctionDeclaration)?.name;
        const symbol = owner && checker.getSymbolAtLocation(owner);
        if (symbol) mixing.add(symbol);
      } else if (mayBeText(child) || (hasText && !isElement(child))) note(child);
    }
  }

  function note(node: ts.Node): void {
    const source = node.getSourceFile();
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    faults.push(`${source.fileName}:${line} ${node.getText(source).trim().slice(0, 80)}`);
  }

  function mayBeText(child: ts.JsxChild): boolean {
    if (isFixedText(child)) return true;
    return ts.isJsxExpression(child) && child.expression
      ? isText(checker.getTypeAtLocation(child.expression))
      : false;
  }

  function symbolOf(tag: ts.JsxTagNameExpression): ts.Symbol | undefined {
    const symbol = checker.getSymbolAtLocation(tag);
    return symbol && symbol.flags & ts.SymbolFlags.Alias
      ? checker.getAliasedSymbol(symbol)
      : symbol;
  }
}

function isText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isText);
  const { StringLike, NumberLike, BigIntLike, Any, Unknown } = ts.TypeFlags;
  return (type.flags & (StringLike | NumberLike | BigIntLike | Any | Unknown)) !== 0;
}

function isRendered(child: ts.JsxChild): boolean {
  if (ts.isJsxText(child)) return !child.containsOnlyTriviaWhiteSpaces;
  return !ts.isJsxExpression(child) || child.expression !== undefined;
}

function isFixedText(child: ts.JsxChild): boolean {
  if (ts.isJsxText(child)) return true;
  return (
    ts.isJsxExpression(child) &&
    child.expression !== undefined &&
    ts.isStringLiteralLike(child.expression)
  );
}

/** Checks for `children`, whose type allows texts also where no use passes one. */
function isChildren(child: ts.JsxChild): boolean {
  return (
    ts.isJsxExpression(child) &&
    child.expression !== undefined &&
    ts.isIdentifier(child.expression) &&
    child.expression.text === "children"
  );
}

/** Checks for an element that is always there: one of HTML's own, or a link. */
function isElement(child: ts.JsxChild): boolean {
  const opening = ts.isJsxElement(child) ? child.openingElement : child;
  if (!ts.isJsxOpeningElement(opening) && !ts.isJsxSelfClosingElement(opening)) return false;
  const tag = opening.tagName.getText();
  return /^[a-z]/.test(tag) || tag === "Link";
}
