/** `project send --wait` in processes of its own: it ends no work that its message began. */
import { expect, inject, test } from 'vitest';
import { checkScenario } from '../../../src/adapters/simulated/scenario.ts';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

const begins = {
  replies: [
    {
      when: 'begin',
      turns: [
        { calls: [{ tool: 'submit_brief', input: { brief: 'Write one file.' } }] },
        { text: 'A brief is filed.' },
      ],
    },
  ],
};
const filing = checkScenario({ ...(await loadScenario('generic')), projects: { api: begins, web: begins } }, 'filing');

interface Listed {
  readonly jobs: readonly { readonly status: string; readonly unsettledUsd: number; readonly reservedUsd: number }[];
}

test('project send --wait stays until the job that it began asks, and cuts no call off', async () => {
  await using world = await terminalProcess(programs, { scenario: filing });
  await world.cli('project', 'new', 'api', 'Write files').exit;
  const { code, stdout, stderr } = await world.cli('project', 'send', 'api', 'Please begin.', '--wait').exit;
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('stopped with this process');
  expect(stdout).toMatch(/^A brief is filed\.\nWaiting until job \S+ \(planning\)/);
  // The question, how to answer it, and what continues the job: in this order, each once.
  expect(stdout).toMatch(
    /Question 1 \(plan\): [\s\S]*Approve: [\s\S]*\nJob \S+ needs your answer\. To continue it: .*\n$/,
  );
  const [, asked = ''] = /Question 1 \(plan\): (.*)/.exec(stdout) ?? [];
  expect(stdout.split(asked)).toHaveLength(2);
  const { jobs } = JSON.parse((await world.cli('jobs', '--json').exit).stdout) as Listed;
  expect(jobs).toMatchObject([{ status: 'awaiting_steward', unsettledUsd: 0, reservedUsd: 0 }]);
  // A program gets its answer too, and the process stays for the work.
  await world.cli('project', 'new', 'web', 'Write files').exit;
  const program = await world.cli('project', 'send', 'web', 'Please begin.', '--wait', '--json').exit;
  expect(JSON.parse(program.stdout)).toMatchObject({ replies: [{ text: 'A brief is filed.' }] });
  expect(program.stderr).toMatch(/^Waiting until job /m);
  expect(program.stderr).not.toContain('stopped with this process');
});
