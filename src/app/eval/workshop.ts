/**
 * The folders of an eval, below the folder of all clones: agents can read neither each other's runs, nor the user's repository and
 * its other checkouts, nor the hidden tests.
 */
import { lstat, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCommandRunner, type ShellRunner } from '../../adapters/shell/commandRunner.ts';
import { removeTree } from '../../adapters/shell/removeTree.ts';
import type { Workshop } from '../../engine/eval/ports.ts';
import { VERIFY_TIMEOUT_MS } from '../../engine/job/work/commands.ts';
import { diskFailure } from '../../engine/state/filePorts.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';
import { runJobIn } from './jobRun.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const RUN = 'run-';
const SCRATCH = 'scratch-';

export interface OpenedWorkshop extends Workshop {
  /** Folder for scratch data that agents cannot read. */
  readonly scratch: string;
  /** Removes everything but the folders of runs. */
  close(): Promise<void>;
}

/** `options` are those of the user's workspace. `hidden`: folders that no agent and no test of the eval may read. */
export async function openWorkshop(options: OwnerOptions, hidden: readonly string[]): Promise<OpenedWorkshop> {
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
    run: (folder, request, signal) => {
      const places = {
        ...options.places,
        projectDir: repositoryIn(folder),
        stateDir: join(folder, 'state'),
        jobsDir: join(folder, 'jobs'),
      };
      return runJobIn({ ...options, places, hidden: [...hidden, real] }, request, signal);
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
