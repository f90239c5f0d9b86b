/** Gives paths to takers and looks at what lies around the tree: the judge knows neither how a path is checked nor who does it. */
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { systemClock } from '../../../src/adapters/clock.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';
import type { LinkedTree } from './linkedTree.ts';
import type { PathTaker } from './takers.ts';

/** A path that waits for a pipe or reads without end takes longer than this on any machine. */
const PATIENCE_MS = 180_000;
/** The surroundings are looked at after so many paths. */
const LOOK_AFTER = 100;

export interface Broken {
  readonly taker: string;
  /** One of these, or the only one. */
  readonly paths: readonly string[];
  readonly what: 'shown' | 'touched' | 'untyped' | 'hung';
  readonly detail: string;
}

export interface Tried {
  readonly inputs: number;
  readonly refused: number;
  readonly broken: readonly Broken[];
}

const TYPES = ['NOT_PERMITTED', 'NOT_FOUND', 'INVALID_INPUT', 'USAGE'];

function isTyped(thrown: unknown): boolean {
  if (thrown instanceof AutonomousError) return TYPES.includes(thrown.code);
  return thrown instanceof ToolError || thrown instanceof RequestError;
}

/** `paths` for one taker, in a tree as new. */
export async function tryPaths(world: LinkedTree, taker: PathTaker, paths: readonly string[]): Promise<Tried> {
  await prepare(world, taker);
  let before = world.sentinel();
  const broken: Broken[] = [];
  let refused = 0;
  let since: string[] = [];
  const say = (what: Broken['what'], detail: string, of: readonly string[]): void => {
    broken.push({ taker: taker.name, paths: of, what, detail: detail.slice(0, 300) });
  };
  const look = async (): Promise<void> => {
    const now = world.sentinel();
    if (now !== before) {
      say('touched', difference(before, now), since);
      await prepare(world, taker);
      before = world.sentinel();
    }
    since = [];
  };
  for (const path of paths) {
    since.push(path);
    const given = await within(taker.take(path), () => release(world));
    if (given.kind === 'late') say('hung', `no answer in ${PATIENCE_MS} ms`, [path]);
    else if (given.kind === 'thrown') {
      refused++;
      if (!isTyped(given.thrown)) say('untyped', String(given.thrown), [path]);
      else if (taker.hidden.some((mark) => String(given.thrown).includes(mark)))
        say('shown', String(given.thrown), [path]);
    } else if (taker.hidden.some((mark) => given.text.includes(mark))) say('shown', given.text, [path]);
    if (since.length >= LOOK_AFTER) await look();
  }
  await look();
  return { inputs: paths.length, refused, broken };
}

async function prepare(world: LinkedTree, { without }: PathTaker): Promise<void> {
  world.grow();
  await world.listen();
  for (const name of without) rmSync(join(world.tree, name), { force: true });
}

type Given =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'late' };

/** `late`: what frees whoever waits for ever. */
async function within(work: Promise<string>, late: () => void): Promise<Given> {
  let stop = (): void => undefined;
  const patience = new Promise<Given>((resolve) => {
    stop = systemClock().timer(PATIENCE_MS, () => {
      late();
      resolve({ kind: 'late' });
    });
  });
  const given: Promise<Given> = work.then(
    (text) => ({ kind: 'text', text }),
    (thrown: unknown) => ({ kind: 'thrown', thrown }),
  );
  return Promise.race([given, patience]).finally(stop);
}

/** Whoever reads the pipe comes to its end. */
function release({ tree }: LinkedTree): void {
  closeSync(openSync(join(tree, 'fifo'), constants.O_RDWR | constants.O_NONBLOCK));
}

function difference(before: string, now: string): string {
  const [was, is] = [new Set(before.split('\n')), new Set(now.split('\n'))];
  return [...[...was].filter((line) => !is.has(line)), '→', ...[...is].filter((line) => !was.has(line))].join('\n');
}
