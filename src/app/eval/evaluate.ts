/** Opens what an eval of this workspace needs, and runs it. One eval of a workspace runs at a time. */
import { evalDirOf, openEvalRecords } from '../../adapters/files/eval/evalRecords.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { detectSetup } from '../../adapters/files/setupCommands.ts';
import { folderTasks } from '../../adapters/git/history/folderTasks.ts';
import { historyTasks } from '../../adapters/git/history/historyTasks.ts';
import { repositoryFolders } from '../../adapters/git/history/repositoryFolders.ts';
import { listen } from '../../adapters/ipc/server.ts';
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import type { EvalRequest, Evaluated, EvalWatch } from '../../engine/eval/evaluation.ts';
import type { TaskTrees } from '../../engine/eval/ports.ts';
import { runEval } from '../../engine/eval/runEval.ts';
import { jobsRootOf } from '../../engine/state/workspacePaths.ts';
import { failure, findFailure } from '../../shared/errors.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';
import { openEngine } from '../workspace/engine.ts';
import { checkVariants } from './checkVariants.ts';
import { shippedFault } from './recordedResults.ts';
import { openWorkshop } from './workshop.ts';

export async function evaluate(options: OwnerOptions, request: EvalRequest, watch: EvalWatch): Promise<Evaluated> {
  const { places, clock, env } = options;
  const folder = evalDirOf(places.stateDir);
  // Creates the state, and refuses one that another installation wrote.
  await (await openEngine({ ...options, work: false })).close();
  const shipped = await shippedFault(options);
  if (shipped !== null) throw shipped;
  await requireSandbox(options);
  const setup = await setupOf(request, places.projectDir);
  await checkVariants(options, request, watch.say);
  const listening = await onlyEval(options, folder, watch.say);
  try {
    const hidden = [...(await repositoryFolders({ clock, env }, places.projectDir)), jobsRootOf(places.jobsDir)];
    const ofTasks = request.tasks.from === 'folder' ? [request.tasks.folder] : [];
    const notReadable = [...hidden, ...ofTasks, places.stateDir];
    const workshop = await openWorkshop(options, notReadable, request.batchPrices);
    try {
      const records = await openEvalRecords(folder, nodeFiles);
      const trees = await treesOf(options, request, workshop.scratch);
      const ports = { trees, workshop, records, clock, release: options.version, ...watch };
      const count = request.tasks.from === 'history' ? request.tasks.count : Number.POSITIVE_INFINITY;
      const ended = await runEval(ports, { ...request, count, setup });
      return { ...ended, results: records.results, folder };
    } finally {
      await workshop.close();
    }
  } finally {
    await listening.close();
  }
}

function treesOf({ clock, env, places }: OwnerOptions, { tasks }: EvalRequest, root: string): Promise<TaskTrees> {
  if (tasks.from === 'folder') return folderTasks({ clock, env, root, folder: tasks.folder });
  return historyTasks({ clock, env, root, projectDir: places.projectDir, at: tasks.at });
}

/** Without a sandbox, an agent could read the hidden tests, and the tests of the result would run as the user. */
async function requireSandbox({ clock, env, confine }: OwnerOptions): Promise<void> {
  const runner = createCommandRunner({ clock, environment: env, confine: confine !== false });
  try {
    const state = await runner.sandbox();
    if (state.mode === 'sandboxed') return;
    throw failure('SANDBOX_UNAVAILABLE', `an eval needs the sandbox: ${state.detail}`, {
      hint: state.missing.join(' '),
    });
  } finally {
    await runner.close();
  }
}

/** The commands of a lock file run only if the person named them, because no one is asked later. */
async function setupOf({ setup, tasks }: EvalRequest, projectDir: string): Promise<readonly string[]> {
  if (setup !== null) return setup;
  const detected = tasks.from === 'history' ? await detectSetup(projectDir) : [];
  if (detected.length === 0) return [];
  throw failure('USAGE', 'this repository has a lock file, and no setup command was given', {
    hint: `Add ${detected.map((command) => `--setup "${command}"`).join(' ')}, or --no-setup.`,
  });
}

/** Throws OWNER_BUSY while another process runs an eval of this workspace. */
async function onlyEval(
  { places, clock }: OwnerOptions,
  folder: string,
  problem: (text: string) => void,
): Promise<{ close(): Promise<void> }> {
  try {
    const only = await listen({ runtimeDir: places.runtimeDir, stateDir: folder, functions: {}, clock });
    await only.open({ isOwner: async () => true, problem });
    return only;
  } catch (thrown) {
    const known = findFailure(thrown);
    if (known?.code !== 'OWNER_BUSY') throw thrown;
    throw failure('OWNER_BUSY', 'another process runs an eval of this workspace', {
      hint: 'Wait for its end, or stop it.',
      details: known.details,
      cause: thrown,
    });
  }
}
