/** An agent of somebody else's that is killed in mid-session, and owners over one: every attempt ends typed, and nothing is left running. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { killAgents, killOwners } from '../support/kill/agentKills.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { amount, figure, LONG, SEED } from '../support/suite/proof.ts';

const CASES = [
  { name: 'agents', kill: killAgents },
  { name: 'owners over an agent', kill: killOwners },
] as const;

// Each costs a sandbox, an agent and a session: what `npm test` proves of it is in test/integration/agent.
test.runIf(LONG).for(CASES)(`kills of $name (seed ${SEED})`, async ({ name, kill }) => {
  const built = await testPrograms(inject('tempRoot'));
  const folder = fileURLToPath(new URL('.', built.program('agentOwner')));
  const root = mkdtempSync(join(inject('tempRoot'), 'agent-kills-'));
  const programs = { folder, wasm: join(folder, 'sql-wasm.wasm') };
  const done = await kill(root, programs, amount({ short: 0, long: 50 }), SEED);
  figure({ method: 'T1', what: `kills of ${name}, in mid-session`, value: done.kills, unit: '', aim: null });
  const left = done.left.length + done.open + (done.attempts['running'] ?? 0);
  const what = `processes, calls and attempts left open by kills of ${name}`;
  figure({ method: 'T1', what, value: left, unit: '', aim: { atMost: 0 } });
  expect(done).toMatchObject({ left: [], open: 0, job: 'completed' });
  expect(done.attempts['running'] ?? 0).toBe(0);
});
