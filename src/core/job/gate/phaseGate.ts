/** Writes the facts for the steward's decision about a phase: the reviewer's words, the evidence, the features, the changed files, the next step. */

import type { Evidence } from '../../../shared/job/evidence.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import { cutText } from '../../text/cutText.ts';
import { endText } from '../missingTool.ts';
import { hasPassed, originText } from '../view/freshRun.ts';

/** Characters of the reviewer's words, and of a command or a feature with its reason. */
const MAX_REASON = 4_000;
const MAX_LINE = 200;
/** Lines of each list. */
const MAX_LINES = 20;
/** Earlier rejections, and characters of each. */
const MAX_REJECTIONS = 3;
const MAX_REJECTION = 600;

export interface PhaseFacts {
  /** The reviewer's reason. */
  readonly reason: string;
  /** Earlier rejections of the phase with author and reason, oldest first. */
  readonly rejections: readonly string[];
  readonly evidence: readonly EvidenceFact[];
  readonly features: readonly FeatureFact[];
  /** Output of `git diff --stat`. */
  readonly stat: string;
  /** The step after an approval. */
  readonly next: string;
}

export interface EvidenceFact extends Pick<Evidence, 'command' | 'exitCode' | 'ended' | 'fresh'> {
  /** Whether the command failed in the same way before any work. */
  readonly asBefore: boolean;
}

export interface FeatureFact extends Pick<FeatureRow, 'name' | 'status' | 'failure_reason'> {
  /** The reason why a pending feature cannot start. Null for any other feature. */
  readonly held: string | null;
}

/** The reviewer's words come first, because some clients show only the first line. */
export function phaseGateText({ reason, rejections, evidence, features, stat, next }: PhaseFacts): string {
  const parts = [
    cutText(reason.trim(), MAX_REASON),
    rejections.length === 0 ? '' : listed('Rejected before', lastOf(rejections)),
    listed('Verify commands', evidenceLines(evidence)),
    listed('Features', featureLines(features)),
    stat.trim() === '' ? 'Changes: none' : `Changes:\n${shortStat(stat)}`,
    next,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** States the effect of approving the phase. `phases`: all phases of the job. */
export function afterApproval(job: Pick<JobRow, 'options'>, phase: PhaseRow, phases: readonly PhaseRow[]): string {
  const next = phases.find(({ number }) => number > phase.number);
  if (next !== undefined) return `If you approve: phase ${next.number} of ${phases.length}, "${next.title}", is next.`;
  const asks = job.options.gates.includes('merge') ? 'You are asked again before the merge.' : 'Then it is merged.';
  return `If you approve: this was the last phase, so the whole result is verified. ${asks}`;
}

/** The text without the files of the diffstat, for a dialog. The totals stay. */
export const withoutFiles = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^ (?:.+ \| |\.\.\.|…)/.test(line))
    .join('\n');

export const listed = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? `${heading}: none` : [`${heading}:`, ...lines.map((line) => `- ${line}`)].join('\n');

export function evidenceLines(evidence: readonly EvidenceFact[]): string[] {
  const failedFirst = [...evidence.filter((one) => !hasPassed(one)), ...evidence.filter(hasPassed)];
  const lines = failedFirst.map((one) => {
    const end = hasPassed(one) ? 'passed' : `failed (${endText(one)}${one.asBefore ? ', as before any work' : ''})`;
    return `${oneLine(one.command)}: ${end}${originText(one)}`;
  });
  return bounded(lines, 'commands');
}

/** Lists the features, open ones first, one line each. */
export function featureLines(features: readonly FeatureFact[]): string[] {
  const completed = features.filter(({ status }) => status === 'completed');
  const open = features.filter(({ status }) => status !== 'completed').map(openLine);
  const names = oneLine(completed.map(({ name }) => name).join(', '), MAX_LINE * 2);
  return [
    ...bounded(open, 'features'),
    ...(completed.length === 0 ? [] : [`completed (${completed.length}): ${names}`]),
  ];
}

function openLine({ name, status, failure_reason, held }: FeatureFact): string {
  const state = status === 'pending' && held !== null ? 'held' : status.replace('_', ' ');
  const why = held ?? failure_reason;
  return `${state}: ${oneLine(name)}${why === null ? '' : ` (${oneLine(why)})`}`;
}

/** The newest rejections, one line each. */
function lastOf(rejections: readonly string[]): string[] {
  const shown = rejections.slice(-MAX_REJECTIONS).map((text) => oneLine(text, MAX_REJECTION));
  const more = rejections.length - shown.length;
  return more === 0 ? shown : [`${more} older`, ...shown];
}

function bounded(lines: readonly string[], noun: string): string[] {
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `${more} more ${noun}`] : [...lines];
}

/** The first files, and the totals in the last line. Each line has a leading space, as git prints it. */
export function shortStat(stat: string, max = MAX_LINES): string {
  const lines = stat.split('\n').filter((line) => line.trim() !== '');
  const more = lines.length - 1 - max;
  if (more <= 0) return lines.join('\n');
  return [...lines.slice(0, max), ` … ${more} more lines`, ...lines.slice(-1)].join('\n');
}

export const gateLine = (text: string): string => oneLine(text);

const oneLine = (text: string, max = MAX_LINE): string => cutText(text.replaceAll(/\s+/g, ' ').trim(), max);
