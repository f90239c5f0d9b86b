/** A repository in a temp folder, and the real engine over it in this process. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/adapters/clock.ts';
import type { Credentials } from '../src/app/open/model/models.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import { becomeOwner } from '../src/app/owner/owner.ts';
import type { WorkspacePaths } from '../src/engine/state/workspacePaths.ts';
import type { Event } from '../src/shared/workspace/events.ts';
import { writeFiles } from '../test/support/git/gitFixture.ts';
import { workspacePathsOf } from '../test/support/state/testPaths.ts';

interface BenchWorld {
  readonly folder: string;
  readonly places: WorkspacePaths;
  readonly env: Readonly<Record<string, string>>;
}

/** `programs` are all that its commands find: nothing that could make a sandbox, so that its cost stays out. */
export function benchWorld(files: Readonly<Record<string, string>>, programs: readonly string[]): BenchWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-bench-')));
  const projectDir = join(folder, 'repo');
  const bin = join(folder, 'bin');
  for (const path of [projectDir, bin]) mkdirSync(path);
  for (const name of programs) {
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    const found = name === 'node' ? process.execPath : folders.map((dir) => join(dir, name)).find(existsSync);
    if (found === undefined) throw new Error(`${name} is not on PATH`);
    symlinkSync(realpathSync(found), join(bin, name));
  }
  const env = { PATH: bin, HOME: folder, TMPDIR: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], {
      cwd: projectDir,
      env,
    });
  };
  git('init', '--quiet', '--initial-branch=main');
  writeFiles(projectDir, files);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  return { folder, places: workspacePathsOf(folder, projectDir), env };
}

/** Settles when the owner's job has ended: rejects if it failed or asks the steward. `seen` gets each event first. */
export function jobEnd(owner: Owner, seen?: (event: Event) => void): Promise<void> {
  const over = Promise.withResolvers<void>();
  owner.follow({
    event: (event) => {
      seen?.(event);
      if (event.type === 'job_completed') over.resolve();
      if (event.type === 'approval_requested' || event.type === 'job_failed')
        over.reject(new Error(JSON.stringify(event)));
    },
    failed: (_, { message }) => over.reject(new Error(message)),
  });
  return over.promise;
}

const NOBODY: Credentials = { key: () => null, baseUrl: null };

export function openOwner(
  { places, env }: BenchWorld,
  credentials: Credentials = NOBODY,
  workerScript: URL = new URL('../src/worker.ts', import.meta.url),
  /** Before each answer of the simulated model. */
  delayMs = 0,
): Promise<Owner> {
  return becomeOwner({
    places,
    clock: systemClock(),
    version: 'bench',
    credentials,
    workerScript,
    wasmFile: fileURLToPath(import.meta.resolve('sql.js/dist/sql-wasm.wasm')),
    work: true,
    delayMs,
    env,
  });
}
