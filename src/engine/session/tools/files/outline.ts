/** Finds the lines that show what a large text contains: its headings, or its outermost declarations. */

export interface OutlineEntry {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Words before a declaration, in the languages in use. */
const MODIFIER =
  /(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|override|inline|extern|unsafe|const|open|data|virtual|partial|pub(?:\([^)]*\))?)\s+/;
const KEYWORD =
  /(?:function\*?|class|interface|type|enum|struct|union|trait|impl|mod|module|namespace|package|object|record|protocol|extension|def|defmodule|defp|fn|func|fun|sub|proc|const|let|var|val|static|macro_rules!|create\s+(?:or\s+replace\s+)?(?:table|view|index|function|procedure|trigger))\b/;
const DECLARATION = new RegExp(`^(?:${MODIFIER.source})*${KEYWORD.source}`, 'i');
/** A function of C, Java and the like: a type, a name and parameters at the start of a line. */
const SIGNATURE = /^[A-Za-z_][\w:<>*&,[\] ]*\s[*&]?[\w:~]+\s*\([^;]*$/;
/** A method of a class in JavaScript and the like. */
const METHOD = /^(?:(?:async|get|set|static)\s+)*[#*]?[\w$]+\s*\([^;]*\)\s*(?::[^;{]+)?\{$/;
/** First words of statements that look like a signature or a method. */
const STATEMENT =
  /^(?:\}|return|throw|await|yield|new|case|else|if|for|foreach|while|do|switch|catch|with|using|lock)\b/;
const HEADING = /^#{1,6}\s+\S/;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const MAX_TEXT = 160;

/** If fewer declarations are outermost, those of the next indentation are listed too: one wrapper may hold the whole file. */
const FEW = 10;

export function outline(path: string, lines: readonly string[]): readonly OutlineEntry[] {
  if (!MARKDOWN.test(path)) return declarations(lines);
  const isHeading = headings();
  return lines.flatMap((text, index) => (isHeading(text) ? [entry(text, index)] : []));
}

const entry = (text: string, index: number): OutlineEntry => ({
  line: index + 1,
  text: text.trimEnd().slice(0, MAX_TEXT),
});

function declarations(lines: readonly string[]): readonly OutlineEntry[] {
  const found = lines.flatMap((text, index) =>
    declares(text) ? [{ ...entry(text, index), depth: text.search(/\S/) }] : [],
  );
  const counts = Map.groupBy(found, ({ depth }) => depth);
  let deepest = -1;
  let listed = 0;
  for (const depth of [...counts.keys()].sort((one, other) => one - other)) {
    if (listed >= FEW) break;
    deepest = depth;
    listed += counts.get(depth)?.length ?? 0;
  }
  return found.filter(({ depth }) => depth <= deepest).map(({ line, text }) => ({ line, text }));
}

/** Below the top level a line may also be a statement or a method. */
function declares(line: string): boolean {
  const text = line.trim();
  if (text === line.trimEnd()) return DECLARATION.test(text) || SIGNATURE.test(text);
  return !STATEMENT.test(text) && (DECLARATION.test(text) || SIGNATURE.test(text) || METHOD.test(text));
}

/** A line with a leading `#` inside a fenced block is not a heading. */
function headings(): (line: string) => boolean {
  let fenced = false;
  return (line) => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    return !fenced && HEADING.test(line);
  };
}
