/** The text that the sessions of a job share: facts about the repository and the machine, the project, the brief. */
import type { InstructionFile } from '../../../core/repository/instructionFiles.ts';
import type { ListedFile } from '../../../core/repository/repositoryFiles.ts';
import type { JobOptions, JobRow } from '../../../shared/job/rows.ts';
import { quoted } from '../text.ts';
import { entryPoints } from './facts/entryPoints.ts';
import { linesWithin, oneLine, room } from './facts/factsBudget.ts';
import { instructionsSection } from './facts/instructionsSection.ts';
import { repositoryMap } from './facts/repositoryMap.ts';
import {
  baseSection,
  briefSection,
  type Handover,
  handoverSections,
  installedSections,
  projectSection,
  prompt,
  section,
} from './sections.ts';

export interface Shared {
  readonly job: Pick<
    JobRow,
    | 'brief'
    | 'setup_ran'
    | 'setup_gap'
    | 'setup_removed'
    | 'baseline_checks'
    | 'machine'
    | 'base_branch'
    | 'base_merges'
  > & {
    readonly options: Pick<JobOptions, 'attempt'>;
  };
  readonly facts: JobFacts;
  /** For a small context window: half as much of each. */
  readonly isShort?: boolean;
  /** Empty for a role that is given nothing of the project. */
  readonly projectBody: string;
  /** The parts of the accepted plan that the role is given. */
  readonly handover?: Handover;
}

/** Facts about a job's repository at the job's starting commit. Texts are without secrets. */
export interface JobFacts {
  /** Instruction files for the whole repository. Empty for an agent that reads such files itself. */
  readonly instructions: readonly InstructionFile[];
  /** Result of `mapText`. Empty if the repository has no file. */
  readonly map: string;
  /** Subjects of the last commits, newest first. */
  readonly subjects: readonly string[];
}

const MAX_OS_LINE = 200;
const MAX_TOOLS_LINE = 600;

/** The brief comes last and whole. */
export function sharedOpening({ job, facts, isShort = false, projectBody, handover = {} }: Shared): string {
  return prompt(
    machineSection(job),
    ...installedSections(job),
    instructionsSection('Conventions of the repository', facts.instructions, room('instructions', isShort)),
    mapSection(isShort ? shortMap(facts) : facts, job.base_merges.length > 0),
    commitsSection(facts, baseSection(job).length, isShort),
    projectSection(projectBody),
    handoverSections(handover),
    briefSection(job),
  );
}

/** Limits that are the same for all sessions. `limitsSection` states what is left of the others. */
function machineSection({ machine, options }: Shared['job']): string {
  const { turns, seconds, tokens } = options.attempt;
  const minutes = Math.round(seconds / 60);
  const limits = `Limits of an attempt: ${turns} turns, ${minutes} minutes, ${tokens.toLocaleString('en-US')} tokens.`;
  if (machine === null) return section('Machine and limits', `- ${limits}`);
  const tools = machine.tools.map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  const lines = [
    machine.os === '' ? '' : oneLine(`${machine.os}. Commands run in ${machine.shell}.`, MAX_OS_LINE),
    tools.length === 0 ? '' : oneLine(`Installed: ${tools.join(', ')}.`, MAX_TOOLS_LINE),
    machine.sandboxed
      ? 'Commands run in a sandbox without network. Setup commands alone reach the package registries.'
      : 'There is no sandbox on this machine: a command runs only if the steward allows it.',
    limits,
  ].filter((line) => line !== '');
  return section('Machine and limits', lines.map((line) => `- ${line}`).join('\n'));
}

/** Share of the map's room that entry points and nested instructions may take. */
const BESIDE_FOLDERS = 0.4;

export interface Mapped {
  readonly files: readonly ListedFile[];
  /** Paths of instruction files for single folders. */
  readonly nested: readonly string[];
  /** Texts of manifests, by their path. */
  readonly manifests: ReadonlyMap<string, string>;
}

/** The folders of a repository, its entry points, and the folders with separate instructions. */
export function mapText({ files, nested, manifests }: Mapped): string {
  if (files.length === 0) return '';
  const max = room('map');
  const lines = [
    ...entryPoints(files, manifests),
    ...(nested.length === 0 ? [] : ['Folders with instructions of their own; read them before a change there:']),
    ...nested,
  ];
  const beside = linesWithin(lines, BESIDE_FOLDERS * max, (left) => `(${left} more lines are not shown)`);
  const folders = repositoryMap(files, max - beside.length - 1);
  return beside === '' ? folders : `${folders}\n${beside}`;
}

function shortMap({ map }: Pick<JobFacts, 'map'>): Pick<JobFacts, 'map'> {
  return { map: linesWithin(map.split('\n'), room('map', true), (left) => `(${left} more lines are not shown)`) };
}

/** `moved`: whether the facts are about a base that moved since the start of the job. */
export function mapSection({ map }: Pick<JobFacts, 'map'>, moved = false): string {
  const heading = moved ? 'The repository at the newest base' : 'The repository when the job began';
  return map === '' ? '' : section(heading, quoted('map', map));
}

/** `used`: characters of its room that are used already. */
function commitsSection({ subjects }: JobFacts, used: number, isShort: boolean): string {
  if (subjects.length === 0) return '';
  const more = (left: number): string => `(${left} more are not shown)`;
  return section(
    'The last commits of the base, newest first',
    quoted('commits', linesWithin(subjects, Math.max(0, room('commits', isShort) - used), more)),
  );
}
