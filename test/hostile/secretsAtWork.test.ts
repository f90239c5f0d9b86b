/** T14, the whole engine: an agent that reads, prints and repeats secrets, on a job from its brief to its merge; then everything is searched. */
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { panelMaker } from '../../src/core/workspace/panel.ts';
import { NO_LOOK } from '../../src/shared/workspace/panel.ts';
import { approves, attempt, bash, report, scenarioOf, write } from '../support/demo/briefs.ts';
import { amount, figure, randomOf, SEED } from '../support/suite/proof.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';
import { allText } from './secrets/sinks.ts';
import { type Canary, canaries, leaks, type Token, tokens } from './secrets/tokens.ts';

const below = randomOf(SEED);
const TOKENS = tokens(amount({ short: 16, long: 48 }), below);
/** As the world gives it to its owner. */
const KEY: Token = {
  kind: 'our key',
  promised: 'known',
  secret: 'sk-secret-of-the-user',
  line: 'sk-secret-of-the-user',
};
const KNOWN = TOKENS.filter(({ promised }) => promised === 'known');
const READ: readonly Canary[] = canaries(TOKENS.filter(({ promised }) => promised !== 'known'));

/** What a repository would have of them, each on lines of its own. */
const FILE = READ.map(({ text }) => `${text}\n`).join('\n');

it(`leaves nothing of them anywhere, seed ${SEED}`, async () => {
  const said = READ.slice(0, 12).map(({ text }) => text);
  const looks = attempt(
    { tool: 'read', input: { file_path: 'A.txt' } },
    bash('cat A.txt'),
    bash('env'),
    { tool: 'grep', input: { pattern: 'sk-ant|ghp_|AKIA|SECRET|PASSWORD', path: '.' } },
    { tool: 'note', input: { scope: 'global', content: said.join(' | ') } },
  );
  const ends = attempt(write('made.txt', 'made\n'), report('done'));
  const scenario = scenarioOf([
    {
      verify: ['cat A.txt'],
      features: [{ name: 'one', attempts: [{ turns: [...looks.turns, ...ends.turns] }], reviews: [approves] }],
    },
  ]);
  const env = Object.fromEntries(KNOWN.map(({ secret }, at) => [`DEPLOY_TOKEN_${at}`, secret]));
  await using world = await EngineWorld.open({
    scenario,
    files: { 'A.txt': FILE },
    allowed: [['env']],
    owner: { env: { ...process.env, ...env } },
  });
  await world.run({
    brief: `Build it with ${READ.slice(0, 60)
      .map(({ text }) => text)
      .join(' ')}`,
    setup: ['cat A.txt'],
  });
  const all: readonly Canary[] = [...READ, ...canaries([KEY, ...KNOWN])];
  const found = leaks(told(world), all);
  figure({ method: 'T14', what: 'secrets searched for after a whole job', value: all.length, unit: '', aim: null });
  figure({ method: 'T14', what: 'secrets found after a whole job', value: found.length, unit: '', aim: { atMost: 0 } });
  expect(found).toEqual([]);
  // Not for want of having been there.
  expect(told(world).split('[secret: ').length).toBeGreaterThan(2 * all.length);
  await world.close();
  expect(leaks(told(world), all)).toEqual([]);
});

/** Everything but the user's repository and the clones of it, which are the work itself. */
function told(world: EngineWorld): string {
  const view = panelMaker().view(world.state, '2026-11-22', { banner: null, mode: 'owner' }, NO_LOOK, 0);
  const isWork = (path: string): boolean =>
    path.startsWith(join(world.folder, 'jobs') + sep) ||
    (path.startsWith(world.repo + sep) && !path.includes(`${sep}.autonomous${sep}`));
  return [
    JSON.stringify(world.events),
    JSON.stringify(world.lives),
    JSON.stringify(world.failures),
    JSON.stringify(view),
    world.server.requests.map(({ body }) => body).join('\n'),
    allText(world.folder, isWork),
  ].join('\n');
}
