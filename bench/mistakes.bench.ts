/** Turns and tokens of workers that make ordinary mistakes on three packages: see test/support/mistakes. Needs a sandbox. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Owner } from '../src/app/owner/assemble.ts';
import { ONE_FEATURE } from '../test/support/demo/briefs.ts';
import {
  ALL_JOBS,
  briefFor,
  carryOut,
  costs,
  lostWork,
  type MistakenJob,
  mistakenModel,
} from '../test/support/mistakes/job.ts';
import {
  type MessagesServer,
  type ServedRequest,
  startMessagesServer,
} from '../test/support/provider/messagesServer.ts';
import { JobWorld } from '../test/support/world/jobWorld.ts';
import { show } from './table.ts';
import { benchWorld, openOwner } from './world.ts';

class World extends JobWorld {
  readonly owner: Owner;
  readonly #server: MessagesServer;

  constructor(owner: Owner, server: MessagesServer) {
    super([]);
    this.owner = owner;
    this.#server = server;
    this.hear();
  }

  override get requests(): readonly ServedRequest[] {
    return this.#server.requests;
  }
}

/** Run by itself with `--requests=FOLDER`, it keeps each request there, as it was sent. */
const kept = process.argv.find((word) => word.startsWith('--requests='))?.slice('--requests='.length);

function keep(folder: string, name: string, bodies: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, body] of bodies.entries())
    writeFileSync(join(folder, `${name}-${String(index).padStart(2, '0')}.json`), body);
}

async function measured(job: MistakenJob) {
  const model = mistakenModel(job);
  const bench = benchWorld(job.of.files, ['git']);
  const server = await startMessagesServer({ scenario: ONE_FEATURE, model });
  const env = { ...bench.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
  const owner = await openOwner({ ...bench, env }, { key: () => server.apiKey, baseUrl: server.url });
  try {
    const world = new World(owner, server);
    await world.submit({ brief: briefFor(job) });
    await carryOut(world, model);
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: bench.places.projectDir, env, encoding: 'utf8' });
    const files = git('ls-tree', '-r', '--name-only', 'main').split('\n');
    const lost = lostWork(job, (path) => (files.includes(path) ? git('show', `main:${path}`) : null));
    if (kept !== undefined)
      keep(
        kept,
        job.name,
        model.spent.map(({ body }) => body),
      );
    const rows = costs(job, model.spent);
    return rows.map(({ name, turns, input, fresh, output, lacking }, index) => {
      const feature = job.features[index - 1]?.change.name;
      const isLost = feature !== undefined && lost.includes(feature);
      return [
        job.of.name,
        name,
        turns,
        input,
        fresh,
        output,
        [...lacking, ...(isLost ? ['LOST'] : [])].join('; '),
      ] as const;
    });
  } finally {
    await owner.close();
    await server.close();
    rmSync(bench.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const rows: Awaited<ReturnType<typeof measured>> = [];
for (const job of ALL_JOBS) rows.push(...(await measured(job)));
const total = (of: 2 | 3 | 4 | 5): number => rows.reduce((sum, row) => sum + row[of], 0);
rows.push(['all', '', total(2), total(3), total(4), total(5), '']);
show(
  'Ordinary mistakes: turns and tokens',
  ['package', 'mistake', 'turns', 'input', 'not cached', 'output', 'spent to find out'],
  rows,
);
