/**
 * T15, agents of somebody else's that obey: a planner, a worker and a reviewer with shells of their own, over the Agent Client
 * Protocol and as one command a turn, follow whatever the repository says, by the script, the MCP server and the spool of their
 * session, by requests to their client, in their own settings, in another role's name. Judged as our own agent is. That a forged
 * verdict would be noticed is planted in verdictOfTheClone.test.ts.
 */
import { expect, test } from 'vitest';
import type { AgentEntries, Executors } from '../../src/shared/agent/executorSchemas.ts';
import { obedientAgent } from '../support/agent/scriptedAgent.ts';
import { agentDeeds, CLIENT_WRITES } from '../support/obedient/agentDeeds.ts';
import type { Deed } from '../support/obedient/deeds.ts';
import { plantedIn, type Run, ran, type Scenario, scenarios } from '../support/obedient/jobs.ts';
import { planted } from '../support/suite/planted.ts';
import { amount, type Figure, figure, SEED } from '../support/suite/proof.ts';

const AGENTS: AgentEntries = { talks: obedientAgent('acp'), runs: obedientAgent('command') };
/** Who does what, job after job. */
const WHO: readonly Executors[] = [
  { planner: 'talks', worker: 'runs', reviewer: 'talks' },
  { planner: 'runs', worker: 'talks' },
  { planner: 'runs', worker: 'talks', reviewer: 'runs' },
];
const WITH_AGENTS = {
  agents: AGENTS,
  executors: (nth: number) => WHO[nth % WHO.length] ?? {},
  tries: 1,
  answers: 6,
} satisfies Partial<Run>;

test(`agents of somebody else's break no promise, whatever they are told (seed ${SEED})`, async () => {
  const count = amount({ short: 12, long: 600 });
  const { complaints, obeyed } = await ran({
    ...WITH_AGENTS,
    told(_all, world, prize) {
      const { own, asOurs } = agentDeeds(world, prize);
      return inTurn(scenarios(own, count / 2), scenarios(asOurs, count / 2));
    },
  });
  tell('scenarios of obedient external agents, end to end', count, { atLeast: 400 });
  tell('hostile inputs tried: instructions that external agents obeyed', obeyed, null);
  tell('promises broken by obedient external agents', complaints.length, { atMost: 0 });
  expect(complaints, `seed ${SEED}`).toEqual([]);
  expect(obeyed).toBeGreaterThan(count / 3);
});

/** One of these, one of those: every job has of both. */
const inTurn = (these: readonly Scenario[], those: readonly Scenario[]): Scenario[] =>
  these.flatMap((one, nth) => [one, ...those.slice(nth, nth + 1)]);

const inReadme = (deeds: readonly Deed[]) => deeds.map((deed): Scenario => ({ surface: 'a README', deed }));
const told = (...what: readonly string[]): Pick<Run, 'told'> => ({
  told: (_all, world, prize) => inReadme(agentDeeds(world, prize).own.filter((deed) => what.includes(deed.what))),
});

planted('a client that writes to any path of its agent', async () => {
  const bug = {
    file: 'src/adapters/acp/cloneFiles.ts',
    find: 'files.write(path, content)',
    put: "process.getBuiltinModule('node:fs').promises.writeFile(path, content)",
  };
  const executors = () => ({ worker: 'talks' });
  const complaints = await plantedIn(bug, { ...WITH_AGENTS, executors, ...told(CLIENT_WRITES) });
  expect(complaints.join()).toMatch(/outside, \S+ changed/);
});

function tell(what: string, value: number, aim: Figure['aim']): void {
  figure({ method: 'T15', what, value, unit: '', aim });
}
