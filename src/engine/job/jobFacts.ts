/** Collects the shared facts of a job's sessions from its rows and from its starting commit. A restart does not change them. */

import { withoutSecrets } from '../../core/guard/secrets.ts';
import {
  folderOf,
  type InstructionFile,
  linkTarget,
  namesFolder,
  nestedInstructions,
  topInstructions,
  withoutRepeats,
} from '../../core/repository/instructionFiles.ts';
import type { ListedFile } from '../../core/repository/repositoryFiles.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { FeatureRow, JobRow } from '../../shared/job/rows.ts';
import { MANIFESTS } from '../session/prompts/facts/entryPoints.ts';
import { mapText, type Shared, sharedOpening } from '../session/prompts/shared.ts';
import type { JobContext } from './context.ts';
import type { JobTree } from './gitPorts.ts';
import type { KnownFacts, ReadText } from './jobMemory.ts';
import { jobHead, jobTree } from './tree/tree.ts';

const SUBJECTS = 10;
const MAX_BYTES = 256 * 1024;
const clean = withoutSecrets();

export type FactsPorts = Pick<JobContext, 'git' | 'projectDir'> & {
  readonly memory: Pick<JobContext['memory'], 'facts'>;
};

export interface SharedWith extends Pick<Shared, 'projectBody' | 'handover' | 'isShort'> {
  /** The agent of the session. External agents read instruction files themselves. */
  readonly executor: string;
}

export async function sharedText(
  context: FactsPorts,
  job: JobRow,
  { executor, ...given }: SharedWith,
): Promise<string> {
  const facts = await knownFacts(context, job);
  const own = executor === BUILT_IN ? facts : { ...facts, instructions: [] };
  return sharedOpening({ job, facts: own, ...given });
}

/** Folders and entry points of the repository at the job's starting commit. Empty if the commit has no file. */
export async function repositoryMapOf(context: FactsPorts, job: JobRow): Promise<string> {
  return (await knownFacts(context, job)).map;
}

/** Instruction files of the folders that a feature names or that differ from the last accepted commit. */
export async function folderInstructions(
  context: FactsPorts,
  job: JobRow,
  feature: FeatureRow,
  changed: readonly string[],
): Promise<readonly InstructionFile[]> {
  const { files, read } = await knownFacts(context, job);
  const named = [feature.name, feature.description, ...feature.testing_steps, ...changed].join('\n');
  const wanted = nestedInstructions(files).filter(({ path }) => namesFolder(named, folderOf(path)));
  return instructionsOf(files, wanted, read);
}

/** A job's starting commit does not change, so it is read once per process. */
async function knownFacts(context: FactsPorts, job: JobRow): Promise<KnownFacts> {
  const base = baseOf(context, job);
  const { memory } = context;
  if (memory.facts?.commit !== base.commit) memory.facts = await readFacts(context, job, base);
  return memory.facts;
}

async function readFacts(context: FactsPorts, job: JobRow, base: Base): Promise<KnownFacts> {
  const { git } = context;
  const text = reader(context, base);
  const [files, origin] = await Promise.all([
    git.listFiles(base.tree, base.commit),
    git.origin(base.tree, base.commit, job.snapshot),
  ]);
  const [subjects, instructions, manifests] = await Promise.all([
    git.lastSubjects(base.tree, origin, SUBJECTS),
    instructionsOf(files, topInstructions(files), text),
    manifestsOf(files, text),
  ]);
  const nested = nestedInstructions(files).map(({ path }) => path);
  const map = mapText({ files, nested, manifests });
  return { commit: base.commit, files, read: text, instructions, map, subjects: subjects.map(clean) };
}

interface Base {
  readonly tree: JobTree;
  readonly commit: string;
}

function baseOf({ projectDir }: FactsPorts, job: JobRow): Base {
  return { tree: jobTree(projectDir, job), commit: job.baseline ?? jobHead(job) };
}

function reader({ git }: FactsPorts, { tree, commit }: Base): ReadText {
  return async (path) => {
    const found = await git.textAt(tree, commit, path, MAX_BYTES);
    return found === null ? null : clean(found);
  };
}

/** Links are followed to a file of the repository. A file is given once. */
async function instructionsOf(
  all: readonly ListedFile[],
  wanted: readonly ListedFile[],
  text: ReadText,
): Promise<readonly InstructionFile[]> {
  const paths = await Promise.all(
    wanted.map(async ({ path, isLink }) => (isLink ? linkTarget(path, (await text(path)) ?? '/') : path)),
  );
  const regular = new Set(all.filter(({ isLink }) => !isLink).map(({ path }) => path));
  const once = [...new Set(paths)].filter((path) => path !== null).filter((path) => regular.has(path));
  return withoutRepeats(await Promise.all(once.map(async (path) => ({ path, text: await text(path) }))));
}

async function manifestsOf(files: readonly ListedFile[], text: ReadText): Promise<ReadonlyMap<string, string>> {
  const there = files.filter(({ path, isLink }) => !isLink && MANIFESTS.includes(path));
  const found = await Promise.all(there.map(async ({ path }) => [path, await text(path)] as const));
  return new Map(found.flatMap(([path, content]) => (content === null ? [] : [[path, content] as const])));
}
