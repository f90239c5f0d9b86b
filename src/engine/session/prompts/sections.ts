/** The sections of openings: rows as text. Stable sections come first in a prompt, for the sake of caches. */

import type { Decision, Decisions } from '../../../core/job/history/decisions.ts';
import type { PhaseRecord } from '../../../core/job/history/phaseRecord.ts';
import { endText } from '../../../core/job/missingTool.ts';
import { movedText } from '../../../core/job/result/baseMerges.ts';
import { hasPassed, originText } from '../../../core/job/view/freshRun.ts';
import { noteLine } from '../../../core/note/noteSelection.ts';
import { noteText } from '../../../core/note/notes.ts';
import { minuteText } from '../../../shared/clock.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { Plan } from '../../../shared/job/plan.ts';
import type { FeatureRow, JobRow, PhaseRow, SetupRemoved } from '../../../shared/job/rows.ts';
import { splitPrinted } from '../../../shared/printed.ts';
import { headAndTail, quoted, visibleText } from '../text.ts';
import { linesWithin, oneLine, room } from './facts/factsBudget.ts';

/** Non-empty pieces with a blank line between them. */
export function prompt(...pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== '').join('\n\n');
}

/** A heading and its text; nothing when there is no text. */
export function section(heading: string, text: string | null | undefined): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? '' : `# ${heading}\n${trimmed}`;
}

/** `- a` lines under a name; nothing for an empty list. */
export function list(name: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`${name}:`, ...items.map((item) => `- ${item}`)].join('\n');
}

export function projectSection(projectBody: string): string {
  return section('Project', projectBody);
}

export function briefSection(job: Pick<JobRow, 'brief'>): string {
  return section('Brief', job.brief);
}

type Setup = Pick<JobRow, 'setup_ran' | 'setup_gap' | 'setup_removed'>;
type Moved = Pick<JobRow, 'base_branch' | 'base_merges'>;

/**
 * The installed tools, the failures before any work, and the moves of the base branch: facts of a job that change when a setup
 * command is added or the base is merged.
 */
export function installedSections(job: Setup & Moved & Pick<JobRow, 'baseline_checks'>): readonly string[] {
  return [setupSection(job), baselineSection(job, room('baseline')), baseSection(job)].filter((text) => text !== '');
}

/** Characters of the section on the moved base. They are taken from those of the last commits. */
const MAX_MOVES = 200;
const SHOWN_SUBJECTS = 3;
const MAX_SUBJECT = 80;

/** The newest merge of the moved base, so that the user's commits are not taken for work of the job. Empty if the base did not move. */
export function baseSection({ base_branch, base_merges }: Moved): string {
  const last = base_merges.at(-1);
  if (last === undefined) return '';
  const { gained } = last;
  const counted = gained === null ? null : { ...gained, subjects: [] };
  const subjects = (gained?.subjects ?? []).slice(0, SHOWN_SUBJECTS).map((text) => oneLine(text, MAX_SUBJECT));
  const lines = [
    "Its commits are the user's. If this job changes their files and tests, it changes work of the user.",
    `- ${oneLine(movedText({ base_branch }, { ...last, gained: counted }), MAX_MOVES)}`,
    ...(base_merges.length === 1 ? [] : [`- It had moved ${base_merges.length - 1} times before.`]),
    ...(subjects.length === 0 ? [] : [quoted('commits', subjects.join('\n'))]),
  ];
  return section('The base branch moved while the job ran', lines.join('\n'));
}

/** Which setup ran, so that no session has to find out what is installed. */
function setupSection({ setup_ran, setup_gap, setup_removed }: Setup): string {
  if (setup_ran === null) return '';
  const heading = 'Setup of the clone';
  if (setup_ran.length === 0) return section(heading, noSetupText(setup_gap));
  const lines = setup_ran.map(({ command, exitCode }) => `- \`${command}\`: exit code ${exitCode ?? 'none'}`);
  const more = (left: number): string => `- and ${left} more commands`;
  const removed = setup_removed === null ? '' : removedText(setup_removed);
  return section(heading, `${linesWithin(lines, room('setup') - removed.length, more)}${removed}`);
}

function noSetupText(gap: JobRow['setup_gap']): string {
  const why =
    gap === null
      ? ''
      : ` ${oneLine(gap.manifest, MAX_MANIFEST)} names dependencies, and there is no lock file, so none was installed.`;
  const what = gap === null ? ': dependencies that the repository does not hold are not installed.' : '.';
  return `No setup command ran${what}${why} Commands have no network.`;
}

const MAX_MANIFEST = 120;
const MAX_REMOVED_LINE = 120;

/** Names of files are data of the repository and of packages. */
function removedText({ paths, more }: SetupRemoved): string {
  const names = oneLine(`${paths.join('; ')}${more === 0 ? '' : `; and ${more} more`}`, MAX_REMOVED_LINE);
  const what = 'Undone after it, here and in fresh checkouts, because git does not ignore these files:';
  return `\n- ${what}\n${quoted('files', names)}`;
}

/** Characters of an output below which it is left out. */
const SHORTEST_OUTPUT = 200;
/** Characters of the marks around an output, and of the line that states what is left out. */
const MARKS = 120;

/**
 * Lists what fails without the work, so that no session takes it for a fault of the work or lets it pass silently. The text has at
 * most `max` characters: failed commands come first, and the outputs share the rest.
 */
function baselineSection(
  { baseline_checks: checks, base_merges }: Pick<JobRow, 'baseline_checks' | 'base_merges'>,
  max: number,
): string {
  if (checks === null || checks.length === 0) return '';
  const failed = checks.filter((one) => !hasPassed(one));
  const rule =
    failed.length === 0
      ? 'All passed.'
      : 'What failed here fails without the work. If your part is not what fixes it, do not let it pass silently: a worker reports blocked, a reviewer escalates, and names it.';
  const heads = [...failed, ...checks.filter(hasPassed)].map((one) => `- \`${one.command}\`: ${endText(one)}`);
  const text = linesWithin(heads, max - rule.length, (left) => `(${left} more commands are not shown)`).split('\n');
  const output = Math.floor((max - rule.length - text.join('\n').length) / Math.max(1, failed.length)) - MARKS;
  const lines = text.map((line, index) => {
    const tail = failed[index]?.tail ?? '';
    return tail === '' || output < SHORTEST_OUTPUT
      ? line
      : `${line}\n${quoted('output', headAndTail(visibleText(tail), output))}`;
  });
  const old = base_merges.length === 0 ? '' : ', before the base branch moved';
  return section(`Verify commands before any work${old}, in a fresh checkout`, [rule, ...lines].join('\n'));
}

/** The results of the earlier phases, in their order. */
export function earlierSection(earlier: readonly PhaseRow[]): string {
  const told = [...earlier]
    .sort((a, b) => a.number - b.number)
    .map((phase) => `## Phase ${phase.number}: ${phase.title}\n${phase.summary ?? phase.objective}`);
  return section('Completed phases', told.join('\n\n'));
}

/** The same text for every role, in the order in which the answers came. */
export function decisionsSection({ shown, leftOut }: Decisions): string {
  if (shown.length === 0) return '';
  const before = leftOut === 0 ? [] : [`(${leftOut} older ${leftOut === 1 ? 'decision was' : 'decisions were'} cut.)`];
  const rule =
    "The answers are the person's: they hold for all work on this job. A question may be the words of a model. Times are in UTC.";
  return section('Decisions of the steward', [rule, ...before, ...shown.map(decisionLine)].join('\n'));
}

const WHO: Readonly<Record<Decision['by'], string>> = {
  steward: 'the steward',
  yes_flag: 'the option --yes of the steward',
  demo: 'the demo',
  rule: 'a rule of the steward',
};

/** Later lines are indented, so that no line of a question or an answer can pass for another decision. */
function decisionLine({ id, about, question, outcome, choice, answer, by, at }: Decision): string {
  const of = about === null ? '' : `, about ${about}`;
  const chosen = choice === null ? '' : ` with the choice ${JSON.stringify(choice)}`;
  const words = answer === null ? ', without words' : `: ${noteText(answer)}`;
  return `- [question ${id}${of}] ${noteText(question)}\n  ${capitalized(outcome)} by ${WHO[by]} at ${minuteText(at)}${chosen}${words}`;
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Notes and reports are text of workers: data for the reviewer or the summarizer. */
export function claimSections({ notes, reports }: Pick<PhaseRecord, 'notes' | 'reports'>): string {
  const claims = reports.map(
    ({ feature, attempt, ended, text }) =>
      `## ${feature.replaceAll(/\s+/g, ' ')}, attempt ${attempt}: ${visibleText(ended).replaceAll(/\s+/g, ' ')}\n${quoted('report', text)}`,
  );
  return prompt(
    section('Notes of earlier sessions', notes.length === 0 ? '' : quoted('notes', notes.map(noteLine).join('\n'))),
    section('Reports of the workers: claims, not checked by the engine', claims.join('\n')),
  );
}

export function phaseSection(phase: PhaseRow): string {
  return section(
    `Phase ${phase.number}: ${phase.title}`,
    prompt(
      phase.objective,
      list('Acceptance criteria', phase.acceptance_criteria),
      list('Verify commands, run by the engine', phase.verify_commands),
    ),
  );
}

/** `verify_commands` is absent for a feature that has no phase yet. */
type FeatureWords = Pick<FeatureRow, 'category' | 'description' | 'testing_steps'> & {
  readonly verify_commands?: readonly string[] | undefined;
};

export function featureText({ category, description, testing_steps, verify_commands = [] }: FeatureWords): string {
  return prompt(
    `Category: ${category}`,
    description,
    list('Testing steps', testing_steps),
    list(
      "Verify commands of this feature, run instead of the phase's, which run at the end of the phase",
      verify_commands,
    ),
  );
}

export interface Handover {
  readonly findings?: Plan['findings'];
  readonly assumptions?: readonly string[] | undefined;
}

/** The planner's handover to every worker and reviewer. It read the repository, so its findings are data. */
export function handoverSections({ findings = '', assumptions = [] }: Handover): string {
  return prompt(
    section('Findings of the planner, from before any work', findings === '' ? '' : quoted('findings', findings)),
    section('Assumptions of the accepted plan', assumptions.map((text) => `- ${text}`).join('\n')),
  );
}

/**
 * `- name: status (reason)` and its description, one feature after the other. A fix is described without the output of the failed
 * command: the evidence states what the command prints now.
 */
export function featureStates(features: readonly FeatureRow[]): string {
  return features
    .map((feature) => stateText({ ...feature, description: withoutOutput(feature.description) }))
    .join('\n');
}

function withoutOutput(description: string): string {
  const printed = splitPrinted(description);
  return printed === null ? description : `${printed.before}[The output is left out]`;
}

/** Each feature in full, with the testing steps by which a reviewer judges it. */
export function featureChecks(features: readonly FeatureRow[]): string {
  return features
    .map((feature) => {
      const steps = list('Testing steps', feature.testing_steps).replaceAll('\n', '\n  ');
      return steps === '' ? stateText(feature) : `${stateText(feature)}\n  ${steps}`;
    })
    .join('\n');
}

function stateText(feature: FeatureRow): string {
  const reason = feature.failure_reason === null ? '' : ` (${feature.failure_reason})`;
  const description = feature.description.trim().replaceAll('\n', '\n  ');
  return `- ${feature.name}: ${feature.status}${reason}\n  ${description}`;
}

/** Commands that the engine ran, with the end of what they printed. */
export function evidenceSection(evidence: readonly Evidence[]): string {
  const told = evidence.map((one) => {
    const end =
      one.ended === null ? `exit code ${one.exitCode ?? 'none'}` : `${one.ended}, exit code ${one.exitCode ?? 'none'}`;
    const confined = one.sandboxed ? '' : ', without a sandbox';
    const head = `- \`${one.command}\`: ${end}, ${one.durationMs} ms, at ${one.commit.slice(0, 12)}${confined}${originText(one)}`;
    return one.tail.trim() === '' ? head : `${head}\n${quoted('output', one.tail)}`;
  });
  return section('Evidence: commands that the engine ran', told.join('\n'));
}
