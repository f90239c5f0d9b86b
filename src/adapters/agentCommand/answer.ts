/** Reads the stdout of a command while it runs: its updates, and its final text. */

import { type Fields, isFields, parseJson } from '../../core/text/json.ts';
import { Lines } from '../../core/text/lines.ts';
import type { AgentUpdate } from '../../engine/agent/ports.ts';
import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { Usage } from '../../shared/money.ts';
import { reportedIn, updatesOf } from './knownLines.ts';

/** Limit of a line of `lines`, and of the whole output of `text` and `json`. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Limit of the final text. */
const MAX_TEXT = 64 * 1024;

export interface Answer {
  readonly text: string;
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}

export interface AnswerReader {
  /** Returns false if the output exceeds its limit. */
  take(piece: string): boolean;
  /** Whether any output had a known format. */
  known(): boolean;
  /** Called after the last piece. Returns null if the output had no known format. */
  answer(): Answer | null;
}

type Form = Pick<AgentEntry, 'output' | 'field'>;

export function readAnswer(form: Form, heard: (update: AgentUpdate) => void): AnswerReader {
  return form.output === 'jsonl' ? readLines(form, heard) : readWhole(form);
}

function readWhole({ output, field }: Form): AnswerReader {
  let all = '';
  const parsed = (): Answer | null => {
    if (output === 'text') return { text: all.trim().slice(-MAX_TEXT), usage: null, costMicroUsd: null };
    const line = lineOf(all);
    return line === null ? null : answerIn(line, field);
  };
  return {
    take(piece) {
      all += piece;
      return all.length <= MAX_CHARACTERS;
    },
    known: () => all.trim() !== '' && parsed() !== null,
    answer: parsed,
  };
}

function readLines({ field }: Form, heard: (update: AgentUpdate) => void): AnswerReader {
  const lines = new Lines();
  let known = false;
  let last: Answer | null = null;
  const read = (text: string): void => {
    const line = lineOf(text);
    if (line === null) return;
    const updates = updatesOf(line);
    for (const update of updates) heard(update);
    last = answerIn(line, field) ?? last;
    known ||= updates.length > 0 || last !== null;
  };
  return {
    take(piece) {
      for (const line of lines.push(piece)) read(line);
      return lines.length <= MAX_CHARACTERS;
    },
    known: () => known,
    answer() {
      read(lines.take());
      return last;
    },
  };
}

function lineOf(text: string): Fields | null {
  const value = parseJson(text);
  return isFields(value) ? value : null;
}

/** Returns null if the field is missing or not text. */
function answerIn(line: Fields, field: string | undefined): Answer | null {
  if (field === undefined) return null;
  let at: unknown = line;
  for (const step of field.split('.')) at = isFields(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return typeof at === 'string' ? { text: at.slice(-MAX_TEXT), ...reportedIn(line) } : null;
}
