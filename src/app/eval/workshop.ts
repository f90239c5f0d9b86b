/**
 * The folders of an eval, below the folder of all clones: agents can read neither each other's runs, nor the user's repository and
 * its other checkouts, nor the hidden tests.
 */
import { lstat, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPendingBatches } from '../../adapters/files/eval/pendingBatches.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { batchProvider } from '../../adapters/gateway/send/batches.ts';
import { createCommandRunner, type ShellRunner } from '../../adapters/shell/commandRunner.ts';
import { removeTree } from '../../adapters/shell/removeTree.ts';
import type { RunEnd, Workshop } from '../../engine/eval/ports.ts';
import { VERIFY_TIMEOUT_MS } from '../../engine/job/work/commands.ts';
import { diskFailure } from '../../engine/state/filePorts.ts';
import { doorsOf } from '../open/model/models.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';
import { runJobIn } from './jobRun.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** The time of an attempt includes its waits for batches, which have a limit of their own. */
const MAX_SECONDS = 30 * 86_400;
const RUN = 'run-';
const SCRATCH = 'scratch-';

export interface OpenedWorkshop extends Workshop {
  /** Folder for scratch data that agents cannot read. */
  readonly scratch: string;
  /** Removes everything but the folders of runs. */
  close(): Promise<void>;
}

/**
 * `options` are those of the user's workspace. `hidden`: folders that no agent and no test of the eval may read. `batchPrices`: whether
 * model calls are sent in batches.
 */
export async function openWorkshop(
  options: OwnerOptions,
  hidden: readonly string[],
  batchPrices = false,
): Promise<OpenedWorkshop> {
  const root = join(options.places.jobsDir, 'eval');
  await mkdir(root, { recursive: true, mode: 0o700 }).catch((thrown: unknown) => {
    throw diskFailure(thrown, root);
  });
  const real = await realpath(root);
  // Those of a process that was killed: one eval of a workspace runs at a time.
  for (const name of await readdir(real)) if (name.startsWith(SCRATCH)) removeTree(join(real, name));
  const scratch = await mkdtemp(join(real, SCRATCH));
  const isOwn = (folder: string): boolean => dirname(folder) === real && folder.startsWith(join(real, RUN));
  const repositoryIn = (folder: string): string => join(folder, 'repo');
  return {
    scratch,
    repositoryIn,
    makeFolder: () => mkdtemp(join(real, RUN)),
    hasRun: async (folder) =>
      isOwn(folder) && (await lstat(join(repositoryIn(folder), '.git', 'HEAD')).catch(() => null)) !== null,
    remove: async (folder) => {
      if (isOwn(folder)) removeTree(folder);
    },
    run: async (folder, request, signal) => {
      const places = {
        ...options.places,
        projectDir: repositoryIn(folder),
        stateDir: join(folder, 'state'),
        jobsDir: join(folder, 'jobs'),
      };
      const own = { ...options, places, hidden: [...hidden, real] };
      if (!batchPrices) return runJobIn(own, request, signal);
      const attempt = { ...request.attempt, seconds: MAX_SECONDS };
      return notForRouting(await runJobIn(await inBatches(own, folder), { ...request, attempt }, signal));
    },
    inCheckout: async (use) => {
      const folder = await mkdtemp(join(scratch, 'check-'));
      try {
        return await use(folder);
      } finally {
        removeTree(folder);
      }
    },
    command: async (folder, command, network, signal) => {
      // Each command has separate homes, so that no cache of hidden tests survives it.
      const homes = await mkdtemp(join(scratch, 'homes-'));
      const runner = commandRunner(options, homes, [...hidden, real]);
      try {
        return await runner.run({
          command,
          cwd: folder,
          writable: [folder],
          home: 'engine',
          env: {},
          network,
          timeoutMs: options.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS,
          maxOutputBytes: MAX_OUTPUT_BYTES,
          allowed: [],
          approved: false,
          signal,
        });
      } finally {
        await runner.close();
        removeTree(homes);
      }
    },
    close: async () => removeTree(scratch),
  };
}

/** The same options, with an Anthropic provider that sends each call as a batch. `folder` is that of the run. */
async function inBatches(options: OwnerOptions, folder: string): Promise<OwnerOptions> {
  const { clock, credentials, providers } = options;
  const inner = doorsOf(credentials, clock, providers)('anthropic');
  if (inner === null) throw new Error('there is no provider for batches');
  const pending = await openPendingBatches(join(folder, 'batches.jsonl'), nodeFiles);
  return { ...options, providers: { ...providers, anthropic: batchProvider(inner, pending, clock) } };
}

/** What a worker cost in batches, with a cache of an hour, cannot be compared with jobs, so routing does not use it. */
const notForRouting = ({ facts, ...end }: RunEnd): RunEnd => ({ ...end, facts: { ...facts, worker: null } });

function commandRunner(
  { clock, places, env }: OwnerOptions,
  privateDir: string,
  hidden: readonly string[],
): ShellRunner {
  const { projectDir, stateDir, configDir, runtimeDir } = places;
  return createCommandRunner({
    clock,
    privateDir,
    environment: env,
    denyRead: [projectDir, stateDir, configDir, runtimeDir, ...hidden],
  });
}
