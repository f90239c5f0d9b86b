/** Every place where we run git, in the order of a job's life, over a hostile ground; after each one what ran is looked at. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MergeRequest } from '../../../src/engine/job/gitPorts.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { FIXED_CLOCK, NEVER, plainGit } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import type { GitGround } from './ground.ts';
import type { Judged } from './judged.ts';
import type { Vector } from './vector.ts';

export interface ToolResult {
  /** `<vector> at <operation>`. */
  readonly fired: readonly string[];
  /** Operations that failed, by what code; a failure without one is `untyped`. */
  readonly failed: readonly string[];
  readonly operations: readonly string[];
  readonly outcomes: Readonly<Record<string, string>>;
  /** Of the user's: files and git directory, before and after. */
  readonly user: readonly string[];
  readonly slowestMs: number;
}

export interface Life {
  /** Planted before anything of ours runs. */
  readonly user: readonly Vector[];
  /** Planted in the fresh clone. */
  readonly agent: readonly Vector[];
  /** In place of the agent's `.git`, one at a time, later. */
  readonly dotGit?: readonly Vector[];
  /** After the last restore: what lies there while the commits are read. */
  readonly late?: readonly Vector[];
  /** Of the judged; stands still unless told. */
  readonly clock?: Clock;
  /** Ends at the first program that ran, and at the first failure. */
  readonly first?: boolean;
}

class Enough extends Error {}

class Watch {
  readonly #fired: string[] = [];
  readonly #failed: string[] = [];
  readonly #operations: string[] = [];
  readonly #outcomes: Record<string, string> = {};
  readonly #seen = new Set<string>();
  readonly #user: string[] = [];
  #slowestMs = 0;

  readonly ground: GitGround;
  readonly #first: boolean;

  constructor(ground: GitGround, first: boolean) {
    this.ground = ground;
    this.#first = first;
    for (const name of ground.fired()) this.#seen.add(name);
  }

  /** What it gave, or null when it failed. */
  async of<T>(operation: string, run: () => Promise<T>): Promise<T | null> {
    this.#operations.push(operation);
    const began = performance.now();
    const answer = await run().catch((thrown: unknown) => {
      const code =
        thrown instanceof Error && thrown.name === 'AutonomousError' && 'code' in thrown ? thrown.code : null;
      this.#failed.push(`${operation}: ${code === null ? `untyped ${thrown}` : `${code} ${thrown}`}`);
      return null;
    });
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - began);
    if (answer !== null && typeof answer === 'object' && 'outcome' in answer)
      this.#outcomes[operation] = 'reason' in answer ? `${answer.outcome}: ${answer.reason}` : String(answer.outcome);
    for (const name of this.ground.fired().filter((each) => !this.#seen.has(each))) {
      this.#seen.add(name);
      this.#fired.push(`${name} at ${operation}`);
    }
    if (this.#first && this.#fired.length + this.#failed.length > 0) throw new Enough();
    return answer;
  }

  differs(what: string, before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): void {
    const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
    for (const path of paths) {
      if (path.startsWith('objects/') && !(path in before) && !path.endsWith('.lock')) continue;
      if (before[path] !== now[path]) this.#user.push(`${what}: ${path}`);
    }
  }

  told(): ToolResult {
    return {
      fired: this.#fired,
      failed: this.#failed,
      operations: this.#operations,
      outcomes: this.#outcomes,
      user: this.#user,
      slowestMs: this.#slowestMs,
    };
  }
}

/** One job on this ground. */
export async function live(judged: Judged, ground: GitGround, life: Life): Promise<ToolResult> {
  for (const vector of life.user) vector.plant(ground);
  const watch = new Watch(ground, life.first === true);
  try {
    await wholeLife(judged, watch, life);
  } catch (thrown) {
    if (!(thrown instanceof Enough)) throw thrown;
  }
  return watch.told();
}

async function wholeLife(judged: Judged, watch: Watch, life: Life): Promise<void> {
  const { ground } = watch;
  const { fixture, repo, environment } = ground;
  const { tree } = fixture;
  const git = judged.createGit({ clock: life.clock ?? FIXED_CLOCK, env: environment });
  const dirty = { 'a.txt': 'dirty\n', 'new.txt': 'untracked\n', 'new.slow': 'x\n' };
  fixture.write(repo, dirty);
  const files = snapshotOf(repo);
  const kept = ground.kept();
  await watch.of('doctor', async () => judged.diagnose(machine(environment, repo)));
  await watch.of('inspect', () => git.inspect(repo));
  await watch.of('branchOf', () => git.branchOf(repo));
  await watch.of('isCommitted', () => git.isCommitted(repo, 'dir/b.txt'));
  await watch.of('isShipped', () => git.isShipped(repo, `${repo}/dir/b.txt`));
  await watch.of('clone of a dirty tree', () => git.makeClone(tree, { snapshot: true, signal: NEVER }));
  const clone = await watch.of('clone', () => git.makeClone(tree, { snapshot: false, signal: NEVER }));
  if (clone === null) return watch.differs('his files', files, snapshotOf(repo));
  for (const vector of life.agent) vector.plant(ground);
  const feature = await attempts(watch, git, clone.baseline, life);
  watch.differs('his files', files, snapshotOf(repo));
  watch.differs('his git', kept, ground.kept());
  fixture.write(repo, { ...Object.fromEntries(Object.keys(dirty).map((path) => [path, null])), 'a.txt': 'one\n' });
  await results(judged, watch, life, clone.baseline, feature);
  watch.differs('his git', kept, ground.kept());
}

const machine = (environment: Readonly<Record<string, string | undefined>>, folder: string) => ({
  clock: FIXED_CLOCK,
  runner: { probe: async () => ({ diagnostics: [] }) } as never,
  environment,
  folders: [folder],
  runtimeDir: folder,
  key: { source: 'unneeded', surface: 'terminal', short: false } as const,
});

/** The attempts of a feature; its commit. */
async function attempts(
  watch: Watch,
  git: ReturnType<Judged['createGit']>,
  baseline: string,
  life: Life,
): Promise<string> {
  const { ground } = watch;
  const { tree } = ground.fixture;
  const at = (commit: string | null): string => commit ?? baseline;
  const state = { baseline, baseBranch: 'main', snapshot: false, anew: true, signal: NEVER };
  const point = at(await watch.of('checkpoint', () => git.checkpoint(tree, baseline)));
  ground.fixture.write(tree.workTree, { 'later.slow': 'x\n', 'b.txt': 'b\n', 'nested/more.txt': 'm\n' });
  const message = '--amend\n\n-c core.pager=x\nTrailer: $(touch x)';
  const feature = at(await watch.of('commit', () => git.commit(tree, { parent: point, message })));
  const undone = at(
    await watch.of('commit of a checkpoint', () => git.commit(tree, { parent: feature, message, of: point })),
  );
  const folds = [{ from: undone, into: point }];
  await watch.of('ownCommits', () => git.ownCommits(tree, { baseline, head: undone }));
  await watch.of('foldCommits', () => git.foldCommits(tree, { baseline, head: undone, folds }));
  for (const vector of life.dotGit ?? []) {
    vector.plant(ground);
    await watch.of(`restore, ${vector.name}`, () => git.restore(tree, feature));
    await watch.of(`followHead, ${vector.name}`, () => git.followHead(tree, { ...state, head: feature }));
  }
  await watch.of('followHead', () => git.followHead(tree, { ...state, head: feature }));
  await watch.of('restore', () => git.restore(tree, point));
  await watch.of('restore again', () => git.restore(tree, feature));
  await watch.of('checkpoint of nothing', () => git.checkpoint(tree, feature));
  for (const vector of life.late ?? []) vector.plant(ground);
  await watch.of('diff', () => git.diff(tree, baseline, feature, 1_000_000));
  await watch.of('diffStat', () => git.diffStat(tree, baseline, feature));
  await watch.of('changedPaths', () => git.changedPaths(tree, baseline, feature));
  await watch.of('textAt', () => git.textAt(tree, feature, 'b.txt', 100));
  await watch.of('change', () => git.change(tree, baseline, feature));
  await watch.of('origin', () => git.origin(tree, feature, true));
  return feature;
}

/** The user's branch moves, is taken in, and gets the result in each way; his files are as in his commit. */
async function results(judged: Judged, watch: Watch, life: Life, baseline: string, feature: string): Promise<void> {
  const { ground } = watch;
  const { fixture, repo, environment } = ground;
  const { tree } = fixture;
  const git = judged.createGit({ clock: life.clock ?? FIXED_CLOCK, env: environment });
  const change = await watch.of('change of a kept attempt', () => git.change(tree, baseline, feature));
  const tip = plainGit(tree.gitDir, ['commit-tree', '-p', baseline, '-m', 'moved', `${baseline}^{tree}`]).trim();
  const alternates = join(ground.userGit, 'objects', 'info', 'alternates');
  ground.append(alternates, `${join(tree.gitDir, 'objects')}\n`);
  writeFileSync(join(ground.userGit, 'refs', 'heads', 'main'), `${tip}\n`);
  await watch.of('baseTip', () => git.baseTip(repo, 'main'));
  await watch.of('merge into a base that moved', () => git.integrate(fixture.request(feature)));
  const merged = await watch.of('mergeBase', () =>
    git.mergeBase(tree, { head: feature, baseBranch: 'main', message: '--no-verify' }),
  );
  const head = merged?.outcome === 'clean' ? merged.head : feature;
  const request = (mode: MergeRequest['mode']) => fixture.request(head, { mode });
  for (const mode of ['patch', 'branch', 'merge'] as const) {
    const result = await watch.of(`integrate: ${mode}`, () => git.integrate(request(mode)));
    await watch.of(`findMerge: ${mode}`, () => git.findMerge(request(mode)));
    if (mode !== 'merge' || result?.outcome !== 'done') continue;
    await watch.of('rollBack', () => git.rollBack(tree, result.merge, '--hard'));
  }
  if (change === null) return;
  const user = {
    git: judged.createRunGit({ clock: FIXED_CLOCK, env: environment }),
    env: environment,
    clock: FIXED_CLOCK,
  };
  const steps = [{ ...change, message: '-m' }];
  await watch.of('restore of a kept attempt', () =>
    judged.restoreKeptWork(user, { projectDir: repo, branch: 'again', origin: baseline, steps }),
  );
}
