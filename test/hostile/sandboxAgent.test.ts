/** T12: somebody else's agent, in a sandbox of its own with a way to its model, gets no further than a command. */
import { expect, test } from 'vitest';
import { agentBench } from '../support/agent/agentBench.ts';
import { scriptedAgent } from '../support/agent/scriptedAgent.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { type Ground, layGround, pathOf, withEscapes } from './sandbox/ground.ts';
import { anybody, rights } from './sandbox/probes.ts';

type Runner = typeof import('../../src/adapters/shell/commandRunner.ts');
const CHOSEN = [
  'write the state',
  'write beside the clone',
  'write in the home',
  'read a key',
  'read another job',
  'read the environment of another',
  'signal another process',
  'shared memory by number',
  'connect to a port',
  'connect to a port by IPv6',
  'send a datagram',
  'connect to a socket by socat',
  'connect to a socket without a file',
  'open a kernel switch',
  'make a namespace of its own',
  'copy the tree of mounts',
  'trace the first process',
  'a raw socket',
] as const;
/** Those that need a compiler. */
const OF_THE_TOOL = new Set<string>([
  'shared memory by number',
  'connect to a socket without a file',
  'copy the tree of mounts',
  'trace the first process',
  'a raw socket',
]);
const never = new AbortController().signal;

const made = withEscapes();

/** Their commands are one argument of the agent, of at most 4,000 characters, and name files below the temp folder. */
const PROBES_OF_AN_AGENT = 8;

/** Names of those that the agent got through with; null: there is no sandbox here. Takes at most {@link PROBES_OF_AN_AGENT}. */
async function through(names: readonly string[], create?: Runner['createCommandRunner']): Promise<string[] | null> {
  const ground = await layGround(made.tool, create);
  const bench = agentBench(made.folder);
  try {
    if ((await ground.runner.sandbox()).mode !== 'sandboxed') return null;
    const commandOf = (name: string, on: Ground): string => ({ ...anybody, ...rights })[name]?.(on) ?? '';
    const turns = names.map((name) => [
      { do: 'run' as const, command: `PATH='${pathOf(made.tool)}'; ${commandOf(name, ground)}` },
    ]);
    const { order, world, said } = bench.session(ground);
    const agent = await bench.agentsOf(ground, { scripted: scriptedAgent({ turns }) }).open(order, world);
    const found: string[] = [];
    for (const name of names) {
      const before = said().length;
      expect((await agent.prompt('Try it.', never)).reason).toBe('end');
      const took = await ground.taken(said().slice(before).join(''));
      if (took.length > 0) found.push(`${name}: ${took.join(', ')}`);
    }
    await agent.close();
    return found;
  } finally {
    await bench.close();
    await ground.close();
  }
}

test('an agent gets no further than a command', async ({ skip }) => {
  const chosen = CHOSEN.filter((name) => made.tool !== null || !OF_THE_TOOL.has(name));
  const found: string[] = [];
  for (let at = 0; at < chosen.length; at += PROBES_OF_AN_AGENT) {
    const some = await through(chosen.slice(at, at + PROBES_OF_AN_AGENT));
    if (some === null) return skip('no sandbox on this machine');
    found.push(...some);
  }
  figure({
    method: 'T12',
    what: 'hostile inputs tried: probes by an external agent',
    value: chosen.length,
    unit: '',
    aim: { atLeast: 12 },
  });
  figure({
    method: 'T12',
    what: 'probes that got an external agent through',
    value: found.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(found).toEqual([]);
});

planted('the numbered memory of the machine around an agent', async ({ skip }) => {
  skip(made.tool === null, 'no compiler on this machine');
  const bug = {
    file: 'src/adapters/shell/sandbox/sandboxRuntime.ts',
    find: "' --unshare-ipc --unshare-uts',",
    put: "'',",
  };
  using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
  const { createCommandRunner } = (await import(built.program('commandRunner').href)) as Runner;
  const found = await through(['shared memory by number'], createCommandRunner);
  if (found === null) return skip('no sandbox on this machine');
  expect(found).toEqual(['shared memory by number: a secret']);
});
