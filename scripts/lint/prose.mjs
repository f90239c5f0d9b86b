/** `node scripts/lint/prose.mjs`: finds wording that a newcomer stumbles over, in comments, texts and documents. See AGENTS.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from '../setup.mjs';

const PLACES = /^(?:src|webview-ui\/src|media\/walkthrough|docs)\/|^(?:README|CHANGELOG|AGENTS|CONTRIBUTING)\.md$/;

/**
 * Each rule: its pattern, what to write instead, and where it holds: `c` comments, `s` texts in code, `d` documents.
 * @typedef {readonly [pattern: RegExp, instead: string, where: string]} Rule
 * @type {readonly Rule[]}
 */
export const RULES = [
  [/^Of (?!course\b)/g, 'begin with a subject and a verb', 'cs'],
  [/^(?:Who|Whose|Whom|Whoever)\b(?![^.:]*\?)/g, 'begin with a subject and a verb', 'c'],
  [/\b(?:whoever|whomever)\b/gi, 'name who acts', 'csd'],
  [/\b(?:nobody|somebody|anybody|everybody)\b/gi, 'name who acts, or write that it is not done', 'csd'],
  [/\banew\b/gi, 'again, from scratch', 'csd'],
  [/\b(?:lies|lie|lay|lying)\b/gi, 'is, is stored', 'csd'],
  [/\b(?:go(?:es|ne)? on|going on|went on)\b/gi, 'continue, resume', 'csd'],
  [/\b(?:goes?|comes?|tries|runs) (?:again|anew)\b/gi, 'is repeated, is retried', 'csd'],
  [/\b(?:comes?|came) (?:to (?!an? |the (?!same))|of (?:it|that|them|a|the)\b)/gi, 'reach, result in', 'csd'],
  [/\b(?:becomes?|became) of\b/gi, 'the outcome of', 'csd'],
  [/\bunder way\b/gi, 'in progress, running', 'csd'],
  [
    /\b(?:is|are|was|were|be|been|what is) told\b|\b(?:told|tells?) (?:of|to|by|it|in|at|with)\b/gi,
    'notify, log, show',
    'csd',
  ],
  [/\b(?:hears?|heard|hearing)\b/gi, 'receive, read', 'csd'],
  [/\b(?:of|is|are|none|nothing) (?:ours|theirs|the user's own)\b/gi, "internal, the agent's, third-party", 'csd'],
  [
    /(?<!\bthere )\b(?:(?:is|are|was|were) none\b|is no (?!longer|more|later|way)[a-z])/gi,
    'there is no …, or: is not',
    'csd',
  ],
  [/\b(?:nothing|none|all) of (?:it|them|this|that)\b/gi, 'name the thing', 'csd'],
  [/(?:^|[,;] )to be \w+ed\b/gi, 'use a finite verb', 'csd'],
  [/\b(?:all the same|as ever|without a word|by then|from (?:then|here|there|now) on)\b/gi, 'leave it out', 'csd'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix, repair', 'csd'],
  [/\bwish(?:es)?\b/gi, 'request', 'csd'],
  [/\b(?:he|his|him|himself)\b/gi, 'the user, you, they', 'csd'],
  [/\b(?:made of|take[ns]? away|takes? away|put away|puts? away)\b/gi, 'consists of; remove, archive, delete', 'csd'],
  [/\b(?:dear|dearer|dearest)\b/gi, 'expensive', 'csd'],
];

/** Roughly: a quote inside a regular expression can hide the rest of its line. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|(?<![:'"`\w\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=>)[^<>{}=;]*[a-z] [^<>{}=;]*(?=<)/g;

/** @param {string} raw */
const commentText = (raw) =>
  raw
    .replace(/^\/\*+|\*+\/$|^\s*\*+ ?|^\/\/+/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The texts of a file for people. @param {string} path @param {string} source @returns {{where: string, line: number, text: string}[]} */
function textsOf(path, source) {
  if (path.endsWith('.md')) {
    const prose = source.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''));
    return prose
      .split('\n')
      .map((text, at) => ({ where: 'd', line: at + 1, text: text.replace(/^[\s>|*#-]+|`[^`]*`/g, '') }));
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return [...source.matchAll(TOKEN)].flatMap(({ 0: raw, index }) => {
    const line = source.slice(0, index).split('\n').length;
    if (/^\/[*/]/.test(raw)) return /biome-ignore|@ts-/.test(raw) ? [] : [{ where: 'c', line, text: commentText(raw) }];
    return /[A-Za-z]{2,} [A-Za-z]/.test(raw)
      ? [{ where: 's', line, text: raw.replace(/^['"`]|['"`]$/g, '').trim() }]
      : [];
  });
}

/** What to reword in a file, one line each. @param {string} path relative to the root @param {string} source @returns {string[]} */
export function proseFaults(path, source) {
  return textsOf(path, source).flatMap(({ where, line, text }) =>
    RULES.filter(([, , places]) => places.includes(where)).flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)].map(
        ({ 0: found }) => `${path}:${line}: "${found.trim()}" — ${instead}: ${text.slice(0, 160)}`,
      ),
    ),
  );
}

if (process.argv[1] === import.meta.filename) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => PLACES.test(path));
  const faults = files.flatMap((path) => proseFaults(path, readFileSync(`${root}/${path}`, 'utf8')));
  for (const fault of faults) console.log(fault);
  console.log(`${faults.length} places to reword in ${files.length} files`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
