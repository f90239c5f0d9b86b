/** Finds the lines by which a large text is best entered: its headings, or its top-level declarations. */

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
const HEADING = /^#{1,6}\s+\S/;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const MAX_TEXT = 160;

export function outline(path: string, lines: readonly string[]): readonly OutlineEntry[] {
  const isEntry = MARKDOWN.test(path) ? headings() : declares;
  return lines.flatMap((text, index) =>
    isEntry(text) ? [{ line: index + 1, text: text.trimEnd().slice(0, MAX_TEXT) }] : [],
  );
}

const declares = (line: string): boolean => DECLARATION.test(line) || SIGNATURE.test(line);

/** A line that begins with `#` inside a fenced block is no heading. */
function headings(): (line: string) => boolean {
  let fenced = false;
  return (line) => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    return !fenced && HEADING.test(line);
  };
}
