/** Parses words of a command line. An invalid word is a USAGE failure whose hint describes valid ones. */
import { idOf } from '../../core/text/ids.ts';
import { type Executors, executorName } from '../../shared/agent/executorSchemas.ts';
import { EXECUTOR_ROLES } from '../../shared/agent/executors.ts';
import { type AutonomousError, failure } from '../../shared/errors.ts';
import {
  COMMIT_AUTHORS,
  CONVERSATION_MODES,
  type CommitAuthor,
  type ConversationMode,
  FEATURE_STATUSES,
  type FeatureStatus,
  GATES,
  type Gate,
  MERGE_MODES,
  type MergeMode,
} from '../../shared/job/rows.ts';
import { EFFORT_ROLES, EFFORTS, type Effort, type Efforts } from '../../shared/model/effort.ts';
import { PROVIDERS, type ProviderName } from '../../shared/model/models.ts';
import { LADDER_ROLES, type LadderRole, ROUTINGS, type Routing } from '../../shared/routing.ts';
import { visibleLine } from './visible.ts';

export function usage(message: string, hint = ''): AutonomousError {
  return failure('USAGE', message, { hint });
}

export function parseId(text: string, what: string): number {
  const id = idOf(text);
  if (id === null) throw usage(`"${visibleLine(text)}" is no ${what} id`, 'An id is digits only, from 1 on.');
  return id;
}

/** A whole number of an option, within bounds. */
export function parseCount(text: string, option: string, least: number, most: number): number {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw usage(`${option} "${visibleLine(text)}" is not a number from ${least} to ${most}`);
}

const UNITS = { m: 1, h: 60, d: 1440 } as const;

/** Minutes, of a time as PROJECT.md has it: `30m`, `4h`, `1d`; digits alone are minutes. */
export function parseMinutes(text: string, option: string, least: number, most: number): number {
  const [, amount = '', unit = 'm'] = /^(\d{1,7})([mhd])?$/.exec(text) ?? [];
  const minutes = Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (amount !== '' && minutes >= least && minutes <= most) return minutes;
  throw usage(
    `${option} "${visibleLine(text)}" is not a time`,
    `Write e.g. 30m, 4h or 1d, at most ${most / UNITS.d}d.`,
  );
}

export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Parses US dollars with at most six decimals as micro-USD, exactly. `none` is null: no limit. */
export function parseUsd(text: string, option: string): number | null {
  if (text === 'none') return null;
  const match = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) {
    throw usage(`${option} "${visibleLine(text)}" is not an amount`, 'Write US dollars, e.g. 5 or 0.25, or none.');
  }
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
}

/** Parses an amount. `none` is refused. */
export function parseAmount(text: string, option: string): number {
  const amount = parseUsd(text, option);
  if (amount === null) throw usage(`${option} needs an amount`, 'Write US dollars, e.g. 5 or 0.25.');
  return amount;
}

export function oneOf<T extends string>(text: string, options: readonly T[], what: string): T {
  const found = options.find((option) => option === text);
  if (found === undefined) throw usage(`"${visibleLine(text)}" is no ${what}`, `It is one of ${options.join(', ')}.`);
  return found;
}

/** Parses `plan,merge`. `none` returns an empty list. */
export function parseGates(text: string): Gate[] {
  if (text === 'none') return [];
  return [...new Set(text.split(',').map((word) => oneOf(word.trim(), GATES, 'gate')))];
}

export const NAMED_ROLES = ['planner', 'worker', 'reviewer', 'summarizer'] as const;

type NamedRole = (typeof NAMED_ROLES)[number];

/** `model` for all roles, and `role=model`, each role once. */
export function parseModels(texts: readonly string[]): Partial<Record<NamedRole, string>> {
  const [model, ...more] = texts.filter((text) => !text.includes('='));
  if (more.length > 0) throw usage('--model names several models for all roles', 'Others: role=model.');
  if (model !== undefined && (model === '' || NAMED_ROLES.some((role) => role === model)))
    throw usage(`--model "${visibleLine(model)}" names no model`, 'Write --model MODEL, or --model role=MODEL.');
  const pairs = texts.filter((text) => text.includes('=')).map(modelOfRole);
  if (new Set(pairs.map(([role]) => role)).size < pairs.length) throw usage('--model names a role twice');
  const all = model === undefined ? [] : NAMED_ROLES.map((role) => [role, model] as const);
  return Object.fromEntries([...all, ...pairs]);
}

function modelOfRole(text: string): readonly [NamedRole, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw usage(`--model "${visibleLine(text)}" is not role=model`, `The role is one of ${NAMED_ROLES.join(', ')}.`);
  return [oneOf(text.slice(0, at), NAMED_ROLES, 'role with its own model'), text.slice(at + 1)];
}

/** `role=cheap,…,strong`, each role once. */
export function parseLadders(texts: readonly string[]): Partial<Record<LadderRole, string[]>> {
  const pairs = texts.map((text) => {
    const [role = '', models = ''] = text.split('=', 2);
    const names = models.split(',').map((word) => word.trim());
    if (names.includes(''))
      throw usage(`--ladder "${visibleLine(text)}" is not role=model,model`, 'Name the models from cheap to strong.');
    return [oneOf(role, LADDER_ROLES, 'role with a ladder'), names] as const;
  });
  if (new Set(pairs.map(([role]) => role)).size < pairs.length) throw usage('--ladder names a role twice');
  return Object.fromEntries(pairs);
}

/** `high` for every role, or `role=level,role=level`; each role once. */
export function parseEffort(texts: readonly string[]): Efforts {
  const level = (word: string): Effort => oneOf(word, EFFORTS, 'effort');
  const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim());
  const pairs = words.flatMap((word) => {
    const at = word.indexOf('=');
    if (at < 0) return EFFORT_ROLES.map((role) => [role, level(word)] as const);
    return [[oneOf(word.slice(0, at), EFFORT_ROLES, 'role with an effort'), level(word.slice(at + 1))] as const];
  });
  if (new Set(pairs.map(([role]) => role)).size < pairs.length) throw usage('--effort names a role twice');
  return Object.fromEntries(pairs);
}

/** `cline` for every role, or `role=agent,role=agent`; each role once. */
export function parseExecutors(texts: readonly string[]): Executors {
  const named = (word: string): string => {
    if (executorName.safeParse(word).success) return word;
    throw usage(`"${visibleLine(word)}" is not the name of an agent`, 'See the names: autonomous agents');
  };
  const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim());
  const pairs = words.flatMap((word) => {
    const at = word.indexOf('=');
    if (at < 0) return EXECUTOR_ROLES.map((role) => [role, named(word)] as const);
    return [[oneOf(word.slice(0, at), EXECUTOR_ROLES, 'role of an agent'), named(word.slice(at + 1))] as const];
  });
  if (new Set(pairs.map(([role]) => role)).size < pairs.length) throw usage('--executor names a role twice');
  return Object.fromEntries(pairs);
}

export const parseConversation = (text: string): ConversationMode => oneOf(text, CONVERSATION_MODES, 'way to start');
export const parseRouting = (text: string): Routing => oneOf(text, ROUTINGS, 'way to route');
export const parseMergeMode = (text: string): MergeMode => oneOf(text, MERGE_MODES, 'way to merge');
export const parseCommitAuthor = (text: string): CommitAuthor => oneOf(text, COMMIT_AUTHORS, 'author of commits');
export const parseProvider = (text: string): ProviderName => oneOf(text, PROVIDERS, 'provider');
export const parseStatus = (text: string): FeatureStatus => oneOf(text, FEATURE_STATUSES, 'status of a feature');
