/** Parses the words of `autonomous note` in a session: `ID TEXT`, `--category C TEXT` or `--global TEXT`, with `--file` and `--line`. */
import { idOf } from '../text/ids.ts';

export interface NoteWords {
  readonly scope: 'feature' | 'category' | 'global';
  /** The feature's id as it was typed, or the category; empty if the scope is global. */
  readonly of: string;
  readonly content: string;
  readonly file: string | null;
  readonly line: number | null;
}

type Option = 'global' | 'category' | 'file' | 'line';
const OPTION = /^--(global|category|file|line)(?:=(.*))?$/s;
/** A single word that looks like an option; a text in quotes has spaces. */
const LOOKS_LIKE_OPTION = /^--[a-z][\w-]*(=\S*)?$/i;

/** Returns why the words are refused instead of dropping one that was not expected. */
export function noteWords(words: readonly string[]): NoteWords | { readonly fault: string } {
  const options = new Map<Option, string>();
  const texts: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      texts.push(...words.slice(at + 1));
      break;
    }
    const [, name, given] = OPTION.exec(word) ?? [];
    if (name === undefined) {
      if (LOOKS_LIKE_OPTION.test(word)) return { fault: `unknown option ${word}: put -- before such a text` };
      texts.push(word);
      continue;
    }
    if (options.has(name as Option)) return { fault: `--${name} is given twice` };
    const value = name === 'global' ? '' : (given ?? words[++at]);
    if (value === undefined || (name !== 'global' && value === '')) return { fault: `--${name} needs a value` };
    options.set(name as Option, value);
  }
  return scoped(options, texts);
}

function scoped(options: ReadonlyMap<Option, string>, texts: readonly string[]): ReturnType<typeof noteWords> {
  const category = options.get('category');
  if (category !== undefined && options.has('global')) return { fault: 'a note has one scope: --category or --global' };
  const place = placeOf(options);
  if ('fault' in place) return place;
  const [first = '', ...rest] = texts;
  if (options.has('global')) return { scope: 'global', of: '', content: texts.join(' '), ...place };
  if (category !== undefined) return { scope: 'category', of: category, content: texts.join(' '), ...place };
  return { scope: 'feature', of: first, content: rest.join(' '), ...place };
}

function placeOf(options: ReadonlyMap<Option, string>): Pick<NoteWords, 'file' | 'line'> | { readonly fault: string } {
  const file = options.get('file') ?? null;
  const typed = options.get('line');
  if (typed === undefined) return { file, line: null };
  const line = idOf(typed);
  if (line === null) return { fault: `--line "${typed}" is not a line number` };
  return file === null ? { fault: '--line needs --file' } : { file, line };
}
