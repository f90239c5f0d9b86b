/**
 * Finds the verdict in a call of an external agent, wherever that agent puts the engine's tool: under its name, under a server's name before it, as
 * an argument of a tool for all servers, in a shell command.
 */
import type { Verdict } from '../../shared/job/plan.ts';
import type { AnsweredCall } from '../model/answeredCalls.ts';
import { isFields, parseJson } from '../text/json.ts';

type Word = Verdict['verdict'];

const TOOL = 'submit_verdict';
const WORDS: readonly Word[] = ['APPROVED', 'REJECTED', 'ESCALATE'];
/** Matches the JSON in a command line, with any number of escaped quotes. */
const IN_TEXT = /verdict[\\"']+\s*:\s*[\\"']+(APPROVED|REJECTED|ESCALATE)\b/g;
const MAX_DEPTH = 12;

/** Returns null if the call has no verdict, or more than one. */
export function namedVerdict({ name, input }: AnsweredCall): Word | null {
  const found = new Set<Word>();
  const named = look(input, found, 0);
  if (!named && !name.includes(TOOL)) return null;
  const [first, ...more] = found;
  return more.length === 0 ? (first ?? null) : null;
}

/** Whether the value names the tool. Adds its verdicts to `found`. */
function look(value: unknown, found: Set<Word>, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return lookInText(value, found, depth);
  if (Array.isArray(value)) return value.map((part) => look(part, found, depth + 1)).some(Boolean);
  if (!isFields(value)) return false;
  const word = WORDS.find((one) => one === value['verdict']);
  // The other fields are prose, which may mention verdicts.
  if (word !== undefined) {
    found.add(word);
    return false;
  }
  return Object.values(value)
    .map((part) => look(part, found, depth + 1))
    .some(Boolean);
}

function lookInText(text: string, found: Set<Word>, depth: number): boolean {
  const json = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined) return look(json, found, depth + 1);
  const at = text.indexOf(TOOL);
  if (at < 0) return false;
  for (const [, word] of text.slice(at + TOOL.length).matchAll(IN_TEXT)) found.add(word as Word);
  return true;
}
