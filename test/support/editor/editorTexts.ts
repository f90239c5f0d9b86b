/** Where the editor makes links of what it is given: only fixed texts, or ones that went through `plainWords`, may go there. */
import { codeOnly } from '../suite/sourceScan.ts';

const SINK = /\b(show(?:Information|Warning|Error)Message|showInputBox|Unavailable)\b\s*(?:<[^>]*>)?\s*/g;
/** As `codeOnly` leaves it: a text of ours without anything put into it. */
const FIXED = /^vscode\.l10n\.t\(\s*''\s*,?\s*\)$/;

/** The texts between brackets at `open`, split at commas that stand in no bracket. */
function argumentsAt(code: string, open: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < code.length; at++) {
    const char = code[at] ?? '';
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth === 0 || (depth === 1 && char === ',')) {
      found.push(code.slice(from, at).trim());
      from = at + 1;
    }
    if (depth === 0) break;
  }
  return found.filter((text) => text !== '');
}

/** `plainWords(…)` from its beginning to its end, or a text that stands in the source. */
function isPlain(text: string): boolean {
  return FIXED.test(text) || (text.startsWith('plainWords(') && closes(text, text.indexOf('(')) === text.length - 1);
}

/** Where the bracket at `open` is closed. */
function closes(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** What an object that stands in the call says in a place where links are made. */
function shownBy(options: string): string[] {
  const members = argumentsAt(options, 0);
  return members.flatMap((member) => {
    const [, name, mark] = /^(prompt|detail)\s*(:|$)/.exec(member) ?? [];
    if (name === undefined) return [];
    return [mark === ':' ? member.slice(member.indexOf(':') + 1).trim() : name];
  });
}

function judge(name: string, given: readonly string[]): string[] {
  const [first = '', second = ''] = given;
  const wrong = (text: string): string[] => (isPlain(text) ? [] : [`${name}: ${text.slice(0, 60)}`]);
  if (name === 'showInputBox') {
    return first.startsWith('{') ? shownBy(first).flatMap(wrong) : [`${name}: its options stand elsewhere`];
  }
  return [...wrong(first), ...(second.startsWith('{') ? shownBy(second).flatMap(wrong) : [])];
}

/** The texts of a source that could become links. */
export function linkableTexts(source: string): string[] {
  const code = codeOnly(source);
  return [...code.matchAll(SINK)].flatMap((match) => {
    const open = match.index + match[0].length;
    const name = match[1] ?? '';
    return code[open] === '(' ? judge(name, argumentsAt(code, open)) : [`${name}: is called under another name`];
  });
}
